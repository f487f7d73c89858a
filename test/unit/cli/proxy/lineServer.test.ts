import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LineServer } from '../../../../src/cli/proxy/lineServer.ts';
import type { ClientRequest, Surface } from '../../../../src/gateway/surface.ts';
import { settled } from '../../../support/settled.ts';

/** A server over lines, what its surface was asked, and what it wrote. */
function opened() {
  const asked: ClientRequest[] = [];
  const written: { readonly id?: unknown; readonly result?: unknown }[] = [];
  const surface: Surface = {
    onEvent: () => ({ dispose: () => undefined }),
    hello: () => Promise.resolve({ capabilities: {}, serverInfo: {}, instructions: undefined }),
    answer: (request) => {
      asked.push(request);
      return Promise.resolve({ kind: 'value', result: {} });
    },
    subscribe: () => Promise.resolve(),
    unsubscribe: () => Promise.resolve(),
    setLogLevel: () => Promise.resolve(),
  };
  const server = new LineServer(surface, {
    isFull: false,
    write: (...pieces) => written.push(JSON.parse(Buffer.concat(pieces).toString()) as { id?: unknown }),
  });
  const take = (...messages: readonly object[]): void => {
    for (const message of messages) server.take(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
  };
  return { server, take, asked, written };
}

const hello = { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } };
const call = { id: 'k', method: 'tools/call', params: { name: 'a' } };
const cancel = { method: 'notifications/cancelled', params: { requestId: 'k' } };

describe('a server over lines', () => {
  it('sends nothing on that was cancelled in the same breath, before the handshake was over and after it', async () => {
    const { server, take, asked, written } = opened();
    take(hello, call, cancel);
    await settled();
    take(call, cancel);
    await settled();
    assert.deepEqual([asked, written.map(({ id }) => id)], [[], [0]]);
    take(call);
    await settled();
    assert.equal(asked.length, 1);
    assert.deepEqual(
      written.map(({ id }) => id),
      [0, 'k'],
    );
    server.dispose();
  });

  it('speaks of lines to who sends what is no JSON', () => {
    const { server, written } = opened();
    server.take(Buffer.from('what is this?'));
    const error = { code: -32700, message: 'Parse error: this line is not JSON.' };
    assert.deepEqual(written, [{ jsonrpc: '2.0', id: null, error }]);
    server.dispose();
  });
});
