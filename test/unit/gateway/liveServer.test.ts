import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RpcError } from '../../../src/core/connection/rpcError.ts';
import { ManagerError } from '../../../src/core/errors.ts';
import { liveServer } from '../../../src/gateway/liveServer.ts';
import { failed } from '../../../src/gateway/outcomes.ts';
import { serverView } from '../../support/managerView.ts';

describe('the live server behind a request', () => {
  it('that cannot be had leaves the request unsent, and answers it with no error of another request', async () => {
    const theirs = new RpcError(-32603, 'the list is broken', undefined);
    for (const error of [
      new ManagerError('protocolError', { server: 'one' }, { cause: theirs, outcome: 'completed' }),
      new ManagerError('invalidResponse', { server: 'one', method: 'tools/list' }, { outcome: 'completed' }),
    ]) {
      const { signal } = new AbortController();
      const manager = { use: () => Promise.reject(error) };
      const outcome = failed(
        await liveServer(manager, serverView('one').key, signal).catch((caught: unknown) => caught),
      );
      assert.ok(outcome.kind === 'error');
      assert.deepEqual(outcome.error.data, { code: error.code, outcome: 'notSent' });
      assert.doesNotMatch(outcome.error.message, /the list is broken/);
    }
  });
});
