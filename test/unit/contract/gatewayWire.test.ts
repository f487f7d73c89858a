import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ownerText, readOwner } from '../../../src/contract/gatewayWire.ts';

const owner = { pid: 4321, start: 'Sat Nov 29 21:03:11 2026', boot: '', host: 'größe.local', namespace: 'pid:[1]' };

describe('the owner of a session on the wire', () => {
  it('comes back as it was, also of a machine with a name that no header could hold', () => {
    const header = ownerText(owner);
    assert.match(header, /^[\x21-\x7e]+$/);
    assert.deepEqual(readOwner(header), owner);
  });

  it('is unknown where it is missing or anything else than a process: nothing fails by it [GATE-2i]', () => {
    const others: readonly unknown[] = [
      { ...owner, pid: 0 },
      { ...owner, pid: -1 },
      { ...owner, pid: 1.5 },
      { ...owner, pid: '4321; rm -rf /' },
      { ...owner, start: 'x'.repeat(201) },
      { ...owner, host: undefined },
      [],
      null,
      'x',
    ];
    const texts = [
      '',
      '%',
      '%E0%A4%A',
      '{',
      '4321',
      ...others.map((other) => encodeURIComponent(JSON.stringify(other))),
    ];
    for (const text of texts) assert.equal(readOwner(text), undefined, text);
    assert.equal(readOwner(undefined), undefined);
    assert.equal(readOwner(`${ownerText(owner)}${' '.repeat(5_000)}`), undefined);
  });
});
