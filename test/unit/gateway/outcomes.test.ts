import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RpcError } from '../../../src/core/connection/rpcError.ts';
import { ManagerError } from '../../../src/core/errors.ts';
import { failed, statusOfClosed, unlessWindowClosed, windowClosed } from '../../../src/gateway/outcomes.ts';
import type { Outcome } from '../../../src/gateway/reply.ts';

describe('what a failure is on the wire', () => {
  it('says what went wrong, and nothing of what the process wrote for all of its clients', () => {
    const error = new ManagerError(
      'processExited',
      { server: 'one', exit: 'code 1' },
      { outcome: 'unknown', stderr: ['query of another client: select 1'] },
    );
    const outcome = failed(error);
    assert.ok(outcome.kind === 'error');
    assert.deepEqual(outcome.error.data, { code: 'processExited', outcome: 'unknown' });
    assert.match(outcome.error.message, /one/);
    assert.doesNotMatch(JSON.stringify(outcome), /another client/);
  });

  it('is the end of the window where that ended the request, and only there', () => {
    const ended = (reason: unknown, outcome: Outcome): unknown => {
      const told = unlessWindowClosed('tools/call', outcome, AbortSignal.abort(reason));
      return told.kind === 'error' ? told.error.data?.['code'] : told;
    };
    const answered: Outcome = { kind: 'value', result: {} };
    const [cancelled, denied] = [failed(new ManagerError('cancelled')), failed(new ManagerError('toolDenied'))];
    const torn = failed(new ManagerError('connectionClosed', {}, { outcome: 'unknown' }));
    assert.deepEqual(
      [cancelled, torn, denied, answered].map((outcome) => ended(windowClosed(), outcome)),
      ['windowClosed', 'windowClosed', 'toolDenied', answered],
    );
    assert.equal(ended(undefined, cancelled), 'cancelled');
    const open = unlessWindowClosed('tools/call', cancelled, new AbortController().signal);
    assert.deepEqual(open, cancelled);
  });

  it('lets another window take a request only where nothing of it was sent', () => {
    const status = (code: 'windowClosed' | 'cancelled', outcome: 'notSent' | 'unknown'): number | undefined => {
      const told = failed(new ManagerError(code, {}, { outcome }));
      return told.kind === 'error' ? statusOfClosed(told.error) : undefined;
    };
    assert.equal(status('windowClosed', 'notSent'), 503);
    assert.equal(status('windowClosed', 'unknown'), undefined);
    assert.equal(status('cancelled', 'notSent'), undefined);
  });

  it('takes nothing that a server says for the end of the window', () => {
    const theirs = new RpcError(-32011, 'gone', { code: 'windowClosed', outcome: 'notSent' });
    const outcome = failed(new ManagerError('protocolError', { server: 'one' }, { cause: theirs }));
    assert.ok(outcome.kind === 'error');
    assert.equal(outcome.error.data?.['code'], 'windowClosed');
    assert.equal(statusOfClosed(outcome.error), undefined);
  });
});
