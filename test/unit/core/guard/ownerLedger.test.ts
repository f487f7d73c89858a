import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Ledger, parseLedger } from '../../../../src/core/guard/ownerLedger.ts';

const owner = { pid: 9, start: '1', boot: 'b', host: 'h', namespace: 'n' };
const child = { pid: 100, start: 50, latest: 52, mark: 'm', server: 'one', since: 7 };

describe('The ledger of an owner', () => {
  it('is read as it was written', () => {
    const ledger: Ledger = { owner, children: [child] };
    assert.deepEqual(parseLedger(JSON.stringify(ledger)), ledger);
  });

  it('is nothing where it is cut, of another shape, or names no owner', () => {
    const texts = [
      '',
      '{',
      'null',
      '[]',
      '{"owner":{}}',
      JSON.stringify({ owner: { ...owner, pid: '9' }, children: [] }),
    ];
    assert.deepEqual(
      texts.map((text) => parseLedger(text)),
      texts.map(() => undefined),
    );
  });

  it('loses a child that names no process: never 0 or 1, which are everyone', () => {
    const children = [
      { ...child, pid: 1 },
      { ...child, pid: 0 },
      { ...child, pid: -5 },
      { ...child, latest: null },
      3,
      child,
    ];
    assert.deepEqual(parseLedger(JSON.stringify({ owner, children }))?.children, [child]);
  });
});
