// The older HTTP+SSE transport, and the way to it.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ServerResponse } from 'node:http';
import { openClient } from '../../src/core/connection/openClient.ts';
import type { LiveClient } from '../../src/core/connection/liveClient.ts';
import type { Problem } from '../../src/core/connection/state.ts';
import { ManagerError } from '../../src/core/errors.ts';
import type { RemoteLaunch } from '../../src/core/transport/launch.ts';
import { eventually } from '../support/eventually.ts';
import { type HttpPeer, initializeResult, type PeerHandler, startPeer } from '../support/httpPeer.ts';
import { type Opening, opening, remoteLaunch } from '../support/openOptions.ts';
import { patience } from '../support/patience.ts';
import { withDeadline } from '../support/withDeadline.ts';

describe('an SSE server', () => {
  const peers: HttpPeer[] = [];
  const clients: LiveClient[] = [];
  let stream: ServerResponse | undefined;
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(peers.splice(0).map((peer) => peer.stop()));
  });

  const event = (name: string, data: string): void => void stream?.write(`event: ${name}\ndata: ${data}\n\n`);
  /** A server of 2024-11-05: a stream, an endpoint, answers on the stream. */
  const sse =
    (endpoint = '/message?id=1', post: PeerHandler = (_, answer) => answer.status(405)): PeerHandler =>
    (request, answer) => {
      if (request.method === 'GET') {
        stream = answer.raw;
        answer.stream();
        if (endpoint !== '') event('endpoint', endpoint);
      } else if (request.path.startsWith('/message')) {
        answer.status(202);
        const { id } = request.message;
        const result =
          request.rpc === 'initialize' ? { ...initializeResult, protocolVersion: '2024-11-05' } : { content: [] };
        if (id !== undefined && request.rpc !== 'resources/list')
          event('message', JSON.stringify({ jsonrpc: '2.0', id, result }));
      } else {
        post(request, answer);
      }
    };
  const start = async (handler: PeerHandler): Promise<HttpPeer> => {
    const peer = await startPeer(handler);
    peers.push(peer);
    return peer;
  };
  const connect = async (peer: HttpPeer, changes: Partial<RemoteLaunch> = {}, options: Opening = opening()) => {
    const client = await openClient(remoteLaunch(peer.url, { transport: 'sse', ...changes }), options);
    clients.push(client);
    return client;
  };
  const failure = async (work: Promise<unknown>): Promise<ManagerError> => {
    const error: unknown = await withDeadline(work, patience, 'a failure').then(
      () => assert.fail('it connected'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ManagerError, String(error));
    return error;
  };

  it('is spoken to in the legacy era, whatever the protocol setting [CONN-1c]', async () => {
    const peer = await start(sse());
    const client = await connect(peer, { protocol: 'auto' });
    assert.deepEqual(
      [client.negotiated.transport, client.negotiated.era, client.negotiated.revision],
      ['sse', 'legacy', '2024-11-05'],
    );
    assert.deepEqual(await client.request('tools/call', { name: 'echo' }, { kind: 'call' }), { content: [] });
    assert.ok(!peer.wire().includes('server/discover'));
  });

  it('is not spoken to where only a modern protocol will do [CONN-1c]', async () => {
    const peer = await start(sse());
    const error = await failure(connect(peer, { protocol: '2026-07-28' }));
    assert.deepEqual([error.code, peer.wire()], ['eraUnsupported', []]);
  });

  for (const [protocol, status] of [
    ['legacy', 404],
    ['legacy', 405],
    ['auto', 404],
    ['auto', 405],
  ] as const) {
    it(`is found by the automatic transport in ${protocol} after ${status} [CONN-3a]`, async () => {
      const peer = await start(sse('/message', (_, answer) => answer.status(status)));
      const client = await connect(peer, { transport: 'auto', protocol });
      assert.equal(client.negotiated.transport, 'sse');
    });
  }

  it('is not looked for after a 404 that an abort overtook [CONN-3a]', async () => {
    const options = opening();
    const peer = await start(
      sse('/message', (_, answer) => {
        options.controller.abort();
        answer.status(404);
      }),
    );
    const error = await failure(connect(peer, { transport: 'auto' }, options));
    assert.equal(error.code, 'cancelled');
    assert.deepEqual(peer.wire(), ['initialize']);
  });

  it('is not looked for once the server has answered initialize [CONN-3c]', async () => {
    const peer = await start((request, answer) => {
      if (request.rpc === 'initialize') answer.result(initializeResult);
      else answer.status(404);
    });
    const error = await failure(connect(peer, { transport: 'auto' }));
    assert.deepEqual([error.code, error.data['status']], ['httpStatus', 404]);
    assert.deepEqual(peer.wire(), ['initialize', 'notifications/initialized']);
  });

  it('that names an endpoint on another origin is refused [CONN-13c]', async () => {
    const peer = await start(sse('http://127.0.0.1:9/message'));
    const error = await failure(connect(peer));
    assert.deepEqual([error.code, error.data['url']], ['urlForbidden', 'http://127.0.0.1:9']);
    assert.deepEqual(peer.wire(), ['GET /mcp']);
  });

  it('that never names an endpoint ends at the deadline and is closed [CONN-4e, CONN-6i]', async () => {
    const peer = await start(sse(''));
    const error = await failure(connect(peer, { timeouts: { connect: 300 } }));
    assert.equal(error.code, 'connectTimeout');
    await eventually(async () => (await peer.connections()) === 0, patience, 'no connection');
  });

  it('can be given up while it names no endpoint [CONN-4c]', async () => {
    const options = opening();
    const peer = await start(sse(''));
    const attempt = failure(connect(peer, {}, options));
    await eventually(() => peer.requests.length > 0, patience, 'the stream');
    options.controller.abort();
    assert.equal((await attempt).code, 'cancelled');
    await eventually(async () => (await peer.connections()) === 0, patience, 'no connection');
  });

  it('that ends its stream before the endpoint fails at once', async () => {
    const peer = await start((_, answer) => {
      answer.stream();
      answer.raw.end();
    });
    assert.equal((await failure(connect(peer))).code, 'connectionClosed');
    assert.equal(peer.requests.length, 1);
  });

  it('that drops its stream is closed and never joined again behind our back', async () => {
    const peer = await start(sse());
    const client = await connect(peer);
    const closed = new Promise<Problem | undefined>((resolve) => client.onClose(resolve));
    const pending = failure(client.request('resources/list', {}, { kind: 'list' }));
    await eventually(() => peer.wire().includes('resources/list'), patience, 'the request');
    stream?.destroy();
    const lost = await pending;
    assert.deepEqual([lost.code, lost.outcome], ['connectionClosed', 'unknown']);
    assert.deepEqual(await withDeadline(closed, patience, 'the end'), {
      code: 'connectionClosed',
      data: { server: 'fixture' },
    });
    const error = await failure(client.request('tools/list', {}, { kind: 'list' }));
    assert.deepEqual([error.code, error.outcome], ['connectionClosed', 'notSent']);
    assert.equal(peer.requests.filter(({ method }) => method === 'GET').length, 1);
  });

  it('receives configured headers on its own origin, on both kinds of request', async () => {
    const peer = await start(sse());
    await connect(peer, { headers: { Authorization: 'Bearer secret' } });
    assert.ok(peer.requests.length >= 3);
    assert.ok(peer.requests.every(({ headers }) => headers['authorization'] === 'Bearer secret'));
  });

  for (const [status, code] of [
    [401, 'signInNeeded'],
    [403, 'forbidden'],
    [500, 'httpStatus'],
  ] as const) {
    it(`that answers its stream with ${status} is called ${code}`, async () => {
      const peer = await start((_, answer) => answer.status(status));
      const error = await failure(connect(peer));
      assert.equal(error.code, code);
    });

    const lives = status !== 401;
    it(`that answers a call with ${status} is called ${code} and ${lives ? 'lives on' : 'has ended'}`, async () => {
      const peer = await start((request, answer) => {
        if (request.rpc === 'tools/call') answer.status(status);
        else sse()(request, answer);
      });
      const client = await connect(peer);
      assert.equal((await failure(client.request('tools/call', { name: 'x' }, { kind: 'call' }))).code, code);
      const next = client.request('tools/list', {}, { kind: 'list' });
      if (lives) assert.deepEqual(await next, { content: [] });
      else assert.deepEqual([(await failure(next)).code, (await failure(next)).outcome], [code, 'notSent']);
    });
  }
});
