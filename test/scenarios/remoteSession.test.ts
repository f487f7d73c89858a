// The life of a Streamable HTTP connection against servers that are written answer by answer: sessions that are lost,
// streams that end, redirects, sizes, headers.
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import { openClient } from '../../src/core/connection/openClient.ts';
import type { LiveClient } from '../../src/core/connection/liveClient.ts';
import type { Problem } from '../../src/core/connection/state.ts';
import { ManagerError } from '../../src/core/errors.ts';
import type { Clock } from '../../src/base/clock.ts';
import { toDisposable } from '../../src/base/disposable.ts';
import { limits } from '../../src/core/limits.ts';
import { eventually } from '../support/eventually.ts';
import {
  type HttpPeer,
  initializeResult,
  legacyPeer,
  modernPeer,
  type PeerAnswer,
  type PeerHandler,
  startPeer,
} from '../support/httpPeer.ts';
import { ManualClock } from '../support/manualClock.ts';
import { opening, remoteLaunch } from '../support/openOptions.ts';
import { patience } from '../support/patience.ts';
import { withDeadline } from '../support/withDeadline.ts';

describe('a Streamable HTTP connection', () => {
  const peers: HttpPeer[] = [];
  const clients: LiveClient[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(peers.splice(0).map((peer) => peer.stop()));
  });

  const start = async (handler: PeerHandler): Promise<HttpPeer> => {
    const peer = await startPeer(handler);
    peers.push(peer);
    return peer;
  };
  const connect = async (...[url, changes]: Parameters<typeof remoteLaunch>): Promise<LiveClient> => {
    const client = await openClient(remoteLaunch(url, { transport: 'streamable-http', ...changes }), opening());
    clients.push(client);
    return client;
  };
  const call = (client: LiveClient, name: string, signal?: AbortSignal) =>
    client.request('tools/call', { name }, { kind: 'call', ...(signal === undefined ? {} : { signal }) });
  const failure = (work: Promise<unknown>): Promise<ManagerError> =>
    withDeadline(
      work.then(
        () => assert.fail('it succeeded'),
        (error: unknown) => {
          assert.ok(error instanceof ManagerError, String(error));
          return error;
        },
      ),
      patience,
      'a failure',
    );

  it('shows what the server said of itself, unknown capabilities included [CONN-1b, CONN-2j]', async () => {
    const peer = await start(legacyPeer((_, answer) => answer.status(405)));
    const client = await connect(peer.url);
    assert.deepEqual(client.negotiated, {
      era: 'legacy',
      revision: '2025-11-25',
      transport: 'streamable-http',
      serverName: 'peer',
      serverVersion: '9',
    });
    assert.deepEqual(client.capabilities, initializeResult['capabilities']);
  });

  for (const [name, first] of [
    ['500', (answer: PeerAnswer) => answer.status(500)],
    ['503', (answer: PeerAnswer) => answer.status(503)],
    ['a page', (answer: PeerAnswer) => answer.status(200, { 'content-type': 'text/html' }, '<html>')],
    ['nothing', (answer: PeerAnswer) => answer.status(202)],
  ] as const) {
    it(`is legacy where the question for the protocol was answered with ${name} [CONN-1e, CONN-15b]`, async () => {
      const peer = await start((request, answer) => {
        if (request.rpc === 'server/discover') first(answer);
        else legacyPeer((_, rest) => rest.status(405))(request, answer);
      });
      const client = await connect(peer.url, { protocol: 'auto' });
      assert.equal(client.negotiated.era, 'legacy');
      assert.deepEqual(peer.wire().slice(0, 2), ['server/discover', 'initialize']);
    });
  }

  for (const protocol of ['auto', '2026-07-28'] as const) {
    it(`is modern in ${protocol} where the server offers it [CONN-1e, CONN-15a]`, async () => {
      const peer = await start(modernPeer((_, answer) => answer.result({ resultType: 'complete', content: [] })));
      const client = await connect(peer.url, { protocol });
      assert.deepEqual([client.negotiated.era, client.negotiated.serverName], ['modern', 'peer']);
      assert.deepEqual(await call(client, 'echo'), { content: [] });
    });
  }

  it('in legacy never asks for another protocol [CONN-1e]', async () => {
    const peer = await start(legacyPeer((_, answer) => answer.status(405)));
    const client = await connect(peer.url, { protocol: 'legacy' });
    assert.equal(client.negotiated.era, 'legacy');
    assert.ok(!peer.wire().includes('server/discover'));
  });

  for (const status of [400, 404, 405]) {
    it(`is not disturbed by ${status} to its GET stream [CONN-12e]`, async () => {
      const peer = await start(
        legacyPeer(
          ({ method }, answer) => {
            if (method === 'GET') answer.status(status);
            else answer.result({ content: [] });
          },
          () => 'S',
        ),
      );
      const client = await connect(peer.url);
      await eventually(() => peer.wire().includes('GET /mcp'), patience, 'the GET stream');
      assert.deepEqual(await call(client, 'echo'), { content: [] });
    });
  }

  it('joins its GET stream again when it broke, and hears what comes on it', async () => {
    const streams: PeerAnswer[] = [];
    const peer = await start(
      legacyPeer(({ method }, answer) => {
        if (method === 'GET') {
          streams.push(answer);
          answer.stream();
        } else answer.status(202);
      }),
    );
    const client = await connect(peer.url);
    const heard: string[] = [];
    client.onNotification(({ method }) => heard.push(method));
    await eventually(() => streams.length === 1, patience, 'the stream');
    streams[0]!.reset();
    await eventually(() => streams.length === 2, patience, 'the second stream');
    streams[1]!.raw.write(
      `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n\n`,
    );
    await eventually(() => heard.length === 1, patience, 'the notification');
  });

  it('opens its GET stream anew after a minute when it was refused for the moment', async () => {
    let refusals = 2;
    const peer = await start(
      legacyPeer(({ method }, answer) => {
        if (method !== 'GET') answer.status(202);
        else if (refusals-- > 0) answer.status(409);
        else answer.stream();
      }),
    );
    const clock = new ManualClock();
    const gets = () => peer.requests.filter(({ method }) => method === 'GET').length;
    const { every } = limits.supervision.health;
    const withoutHealth: Clock = {
      now: () => clock.now(),
      after: (ms, action) => (ms === every ? toDisposable(() => undefined) : clock.after(ms, action)),
    };
    const client = await openClient(remoteLaunch(peer.url), opening({ clock: withoutHealth }));
    clients.push(client);
    for (let count = 1; count <= 3; count += 1) {
      await eventually(() => gets() === count && (count === 3 || clock.pending > 0), patience, `stream ${count}`);
      clock.advance(limits.http.reopen - 1);
      assert.equal(gets(), count);
      clock.advance(1);
    }
    await turn();
    assert.equal(gets(), 3, 'one stream is enough');
    assert.equal(clock.pending, 0);
  });

  it('loses its session by a 404: the refused call was not run, those in flight may have been [CONN-12b, CONN-12c]', async () => {
    let session = 'first';
    const peer = await start(
      legacyPeer(
        ({ headers, message, method }, answer) => {
          if (method !== 'POST') answer.status(405);
          else if (headers['mcp-session-id'] !== session) answer.status(404);
          else if ((message['params'] as { name?: string }).name === 'slow') answer.stream();
          else answer.result({ content: [] });
        },
        () => session,
      ),
    );
    const client = await connect(peer.url);
    const closed = new Promise<Problem | undefined>((resolve) => client.onClose(resolve));
    const slow = failure(call(client, 'slow'));
    await eventually(() => peer.requests.some(({ rpc }) => rpc === 'tools/call'), patience, 'the slow call');
    session = 'second';
    const refused = await failure(call(client, 'quick'));
    assert.deepEqual([refused.code, refused.outcome], ['sessionLost', 'notSent']);
    const lost = await slow;
    assert.deepEqual([lost.code, lost.outcome], ['sessionLost', 'unknown']);
    assert.deepEqual(await closed, { code: 'sessionLost', data: { server: 'fixture' } });
    const later = await failure(call(client, 'later'));
    assert.deepEqual([later.code, later.outcome], ['sessionLost', 'notSent']);
    assert.equal(peer.requests.filter(({ rpc }) => rpc === 'tools/call').length, 2);
    assert.ok(!peer.wire().includes('DELETE /mcp'), 'a session that is lost is not deleted');
  });

  it('takes a 404 that answers one request for that answer, and keeps its session [CONN-12a]', async () => {
    let code = -32601;
    const peer = await start(
      legacyPeer(
        ({ method, rpc }, answer) => {
          if (method !== 'POST') answer.status(405);
          else if (rpc === 'tools/call') answer.result({ content: [] });
          else answer.error(code, 'Method not found', 404);
        },
        () => 'S',
      ),
    );
    const client = await connect(peer.url);
    const unknown = await failure(client.request('no/such', {}, { kind: 'request' }));
    assert.deepEqual([unknown.code, unknown.data['number'], unknown.outcome], ['protocolError', -32601, 'completed']);
    assert.deepEqual(await call(client, 'echo'), { content: [] });
    code = -32001;
    assert.equal((await failure(client.request('no/such', {}, { kind: 'request' }))).code, 'sessionLost');
  });

  it('fails a call whose result is nested without end, and lives on', async () => {
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const peer = await start(
      legacyPeer(({ message, rpc }, answer) => {
        if (rpc === 'tools/call' && (message['params'] as { name?: string }).name === 'deep') {
          const text = `{"jsonrpc":"2.0","id":${JSON.stringify(message['id'])},"result":{"structuredContent":${deep}}}`;
          answer.status(200, { 'content-type': 'application/json' }, text);
        } else {
          answer.result({ content: [] });
        }
      }),
    );
    const client = await connect(peer.url);
    const error = await failure(call(client, 'deep'));
    assert.deepEqual([error.code, error.outcome], ['invalidResponse', 'completed']);
    assert.deepEqual(await call(client, 'echo'), { content: [] });
  });

  it('takes a 404 without a session for the answer to one request', async () => {
    const peer = await start(legacyPeer((_, answer) => answer.status(404)));
    const client = await connect(peer.url);
    const error = await failure(call(client, 'echo'));
    assert.deepEqual([error.code, error.data['status'], error.outcome], ['httpStatus', 404, 'completed']);
    await client.notify('notifications/roots/list_changed').catch(() => undefined);
    assert.equal((await failure(call(client, 'echo'))).code, 'httpStatus');
  });

  it('ends with a 401 to its session, as a sign-in is missing for all that follows [CONN-11a, CONN-12d]', async () => {
    const peer = await start(
      legacyPeer(
        ({ message, method }, answer) => {
          if (method !== 'POST') answer.status(405);
          else if ((message['params'] as { name?: string }).name === 'slow') answer.stream();
          else answer.status(401);
        },
        () => 'S',
      ),
    );
    const client = await connect(peer.url);
    const closed = new Promise<Problem | undefined>((resolve) => client.onClose(resolve));
    const slow = failure(call(client, 'slow'));
    await eventually(() => peer.wire().includes('tools/call'), patience, 'the slow call');
    const refused = await failure(call(client, 'echo'));
    assert.deepEqual([refused.code, refused.outcome], ['signInNeeded', 'completed']);
    assert.deepEqual(await closed, { code: 'signInNeeded', data: { server: 'fixture' } });
    const other = await slow;
    assert.deepEqual([other.code, other.outcome], ['signInNeeded', 'unknown']);
    const later = await failure(call(client, 'echo'));
    assert.deepEqual([later.code, later.outcome], ['signInNeeded', 'notSent']);
  });

  it('sends nothing to a lost session any more, not even in the same turn [CONN-12a]', async () => {
    let known = true;
    const peer = await start(
      legacyPeer(
        ({ method }, answer) => {
          if (method !== 'POST') answer.status(405);
          else if (known) answer.result({ content: [] });
          else answer.status(404);
        },
        () => 'S',
      ),
    );
    const client = await connect(peer.url);
    await call(client, 'echo');
    known = false;
    const second = await call(client, 'first').then(
      () => assert.fail('it succeeded'),
      () => failure(call(client, 'second')),
    );
    assert.deepEqual([second.code, second.outcome], ['sessionLost', 'notSent']);
    const names = peer.requests.flatMap(({ message, rpc }) =>
      rpc === 'tools/call' ? [(message['params'] as { name: string }).name] : [],
    );
    assert.deepEqual(names, ['echo', 'first']);
  });

  it('passes on a JSON-RPC error that came with an HTTP error status', async () => {
    const peer = await start(legacyPeer((_, answer) => answer.error(-32602, 'No such tool', 400)));
    const error = await failure(call(await connect(peer.url), 'none'));
    assert.deepEqual(
      [error.code, error.data['number'], error.data['detail']],
      ['protocolError', -32602, 'No such tool'],
    );
    assert.equal(error.outcome, 'completed');
  });

  it('fails a call whose stream ends without an answer at once', async () => {
    const peer = await start(
      legacyPeer((_, answer) => {
        answer.stream();
        answer.raw.end();
      }),
    );
    const error = await failure(call(await connect(peer.url), 'echo'));
    assert.deepEqual([error.code, error.outcome], ['httpUnexpectedContent', 'unknown']);
  });

  it('fails a call whose connection breaks, and says that it may have run', async () => {
    const peer = await start(legacyPeer((_, answer) => answer.reset()));
    const error = await failure(call(await connect(peer.url), 'echo'));
    assert.deepEqual([error.code, error.outcome], ['networkFailed', 'unknown']);
  });

  it('knows that a call did not leave when the server is gone', async () => {
    const peer = await start(legacyPeer((_, answer) => answer.status(405)));
    const client = await connect(peer.url);
    await peer.stop();
    const error = await failure(call(client, 'echo'));
    assert.deepEqual([error.code, error.outcome], ['networkFailed', 'notSent']);
  });

  for (const kind of ['json', 'stream'] as const) {
    it(`fails the one call whose ${kind} answer is too large and lives on`, async () => {
      const big = 'x'.repeat(limits.http.body + 1);
      const peer = await start(
        legacyPeer(({ message }, answer) => {
          const { name } = message['params'] as { name: string };
          const result = { content: [{ type: 'text', text: name === 'big' ? big : 'ok' }] };
          if (kind === 'json') {
            answer.result(result);
          } else {
            answer.stream([{ jsonrpc: '2.0', id: message['id'], result }]);
            answer.raw.end();
          }
        }),
      );
      const client = await connect(peer.url);
      const error = await failure(call(client, 'big'));
      assert.deepEqual([error.code, error.data['limit']], ['frameTooLarge', 64]);
      assert.deepEqual(await call(client, 'small'), { content: [{ type: 'text', text: 'ok' }] });
    });
  }

  for (const kind of ['json', 'stream'] as const) {
    it(`fails the one call whose ${kind} answer would take long to parse, and lives on`, async () => {
      const bodies: Readonly<Record<string, string>> = {
        nested: '['.repeat(100_000) + ']'.repeat(100_000),
        many: `[${'{},'.repeat(4 * 2 ** 20)}0]`,
        small: '[]',
      };
      const peer = await start(
        legacyPeer(({ message }, answer) => {
          const { name } = message['params'] as { name: string };
          const text = `{"jsonrpc":"2.0","id":${JSON.stringify(message['id'])},"result":{"content":${bodies[name] ?? ''}}}`;
          answer.raw.writeHead(200, { 'content-type': kind === 'json' ? 'application/json' : 'text/event-stream' });
          answer.raw.end(kind === 'json' ? text : `: "\nevent: message\ndata: ${text}\n\n`);
        }),
      );
      const client = await connect(peer.url);
      for (const name of ['nested', 'many']) {
        const error = await failure(call(client, name));
        assert.deepEqual(
          [error.code, error.outcome, error.data['method']],
          ['invalidResponse', 'completed', 'tools/call'],
        );
        assert.match(String(error.data['detail']), name === 'nested' ? /nested deeper/ : /holds more/);
      }
      assert.deepEqual(await call(client, 'small'), { content: [] });
    });
  }

  it('deletes its session when it is closed and does not wait for the answer [CONN-5a, CONN-8h]', async () => {
    const peer = await start(
      legacyPeer(
        ({ method }, answer) => {
          if (method === 'GET') answer.status(405);
        },
        () => 'S',
      ),
    );
    const client = await connect(peer.url);
    const pending = failure(call(client, 'never'));
    await eventually(() => peer.wire().includes('tools/call'), patience, 'the call');
    await withDeadline(client.close(), 500, 'the close');
    assert.equal((await pending).code, 'connectionClosed');
    const deleted = await eventually(
      () => peer.requests.find(({ method }) => method === 'DELETE'),
      patience,
      'the DELETE',
    );
    assert.equal(deleted.headers['mcp-session-id'], 'S');
    assert.equal(deleted.headers['mcp-protocol-version'], '2025-11-25');
  });

  it('sends further headers of one request with that request only', async () => {
    const peer = await start(legacyPeer((_, answer) => answer.result({ content: [] })));
    const client = await connect(peer.url);
    await client.request('tools/call', { name: 'a' }, { kind: 'call', headers: { 'Mcp-Param-City': 'Oslo' } });
    await call(client, 'b');
    const calls = peer.requests.filter(({ rpc }) => rpc === 'tools/call');
    assert.deepEqual(
      calls.map(({ headers }) => headers['mcp-param-city']),
      ['Oslo', undefined],
    );
    assert.deepEqual(
      calls.flatMap(({ headers }) => Object.keys(headers).filter((name) => name.includes('roundhouse'))),
      [],
    );
  });

  describe('that is redirected', () => {
    const secrets = { Authorization: 'Bearer secret', 'X-Api-Key': 'secret' };

    it('follows within its origin with everything it has, five times at most [CONN-12f]', async () => {
      const peer = await start((request, answer) => {
        const hop = Number(/^\/(\d)/.exec(request.path)?.[1] ?? 9);
        if (hop > 0 && hop < 9) answer.status(307, { location: `/${hop - 1}` });
        else legacyPeer((_, rest) => rest.result({ content: [] }))(request, answer);
      });
      const client = await connect(`${peer.origin}/5`, { headers: secrets });
      assert.deepEqual(await call(client, 'echo'), { content: [] });
      assert.ok(peer.requests.every(({ headers }) => headers['x-api-key'] === 'secret'));
      const error = await failure(connect(`${peer.origin}/6`));
      assert.equal(error.code, 'redirectForbidden');
    });

    it('drops every credential and configured header towards another origin [CONN-12f]', async () => {
      const other = await start(
        legacyPeer(
          (_, answer) => answer.result({ content: [] }),
          () => 'S',
        ),
      );
      const peer = await start((_, answer) => answer.status(307, { location: `${other.origin}/elsewhere` }));
      const client = await connect(peer.url, { headers: { ...secrets, Cookie: 'a=b' } });
      assert.deepEqual(await call(client, 'echo'), { content: [] });
      const sent = JSON.stringify(other.requests.map(({ headers }) => headers));
      assert.ok(other.requests.length >= 3);
      assert.ok(!/secret|cookie|authorization|api-key/i.test(sent), sent);
      assert.ok(peer.requests.every(({ headers }) => headers['authorization'] === 'Bearer secret'));
    });

    for (const [status, reason] of [
      [302, 'method'],
      [303, 'method'],
    ] as const) {
      it(`does not follow ${status}, which would change the ${reason}`, async () => {
        const peer = await start((_, answer) => answer.status(status, { location: '/other' }));
        assert.equal((await failure(connect(peer.url))).code, 'redirectForbidden');
        assert.equal(peer.requests.length, 1);
      });
    }

    for (const location of [
      'http://192.0.2.1/',
      'https://10.0.0.1/',
      'https://[fd00::1]/',
      'file:///etc/passwd',
      'https://a:b@127.0.0.1/',
    ]) {
      it(`does not follow to ${location} [CONN-12g, CONN-13b]`, async () => {
        const peer = await start((_, answer) => answer.status(307, { location }));
        const error = await failure(connect(peer.url));
        assert.equal(error.code, 'redirectForbidden');
        assert.equal(peer.requests.length, 1);
      });
    }
  });
});
