// What an attacker would try at the gateway: from outside without the token, and as one of its clients against another.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import type { Endpoint } from '../../src/gateway/admission.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import { createToken } from '../../src/gateway/token.ts';
import { eventually } from '../support/eventually.ts';
import { type GatewayWorld, useGateways } from '../support/gatewayWorld.ts';
import { messagesIn, modernRequest, raw, type RawRequest, rawSession, rpc } from '../support/rawClient.ts';
import { openSocket, statusesIn } from '../support/rawSocket.ts';

describe('attacks on the gateway', function () {
  this.timeout(120_000);
  const openGateway = useGateways();

  async function bytes(gateway: GatewayWorld, head: readonly string[], body = ''): Promise<number[]> {
    const connection = await openSocket(gateway.url);
    connection.socket.write([...head, '', body].join('\r\n'));
    await connection.ended(20_000);
    return statusesIn(connection.text());
  }

  it('by a head with two readings are refused, whichever of the two is the right one [GATE-2b, GATE-2f]', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' } });
    const host = `Host: ${new URL(gateway.url).host}`;
    const token = `Authorization: Bearer ${gateway.token}`;
    const body = rpc(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    const rest = ['Content-Type: application/json', 'Connection: close'];
    const length = `Content-Length: ${body.length}`;
    const post = 'POST /mcp/one HTTP/1.1';
    for (const [what, head] of Object.entries({
      'two Hosts': [post, host, 'Host: evil.example', token, length, ...rest],
      'two Hosts, turned': [post, 'Host: evil.example', host, token, length, ...rest],
      'two tokens': [post, host, token, 'Authorization: Bearer nonsense', length, ...rest],
      'two types': [post, host, token, 'Content-Type: text/plain', length, ...rest],
      'two sessions': [post, host, token, 'Mcp-Session-Id: a', 'Mcp-Session-Id: b', length, ...rest],
      'two lengths': [post, host, token, length, 'Content-Length: 4', ...rest],
      'length and chunks': [post, host, token, length, 'Transfer-Encoding: chunked', ...rest],
      'a folded line': [post, host, token, 'X: a\r\n folded', length, ...rest],
      'a blank before a colon': [post, host, token.replace(':', ' :'), length, ...rest],
    })) {
      assert.deepEqual(await bytes(gateway, head, body), [400], what);
    }
    for (const [target, status] of [
      [`http://evil.example/mcp/one`, 404],
      ['//evil.example/mcp/one', 404],
      ['/mcp/one/../two', 404],
      ['/mcp/%6fne', 404],
      ['/mcp/__proto__', 404],
      // What only the keeper is asked.
      ['/keeper/launch', 404],
      ['/keeper/status', 404],
      ['*', 404],
    ] as const) {
      const head = [`POST ${target} HTTP/1.1`, host, token, length, ...rest];
      assert.deepEqual(await bytes(gateway, head, body), [status], target);
    }
    assert.deepEqual(gateway.log('one').events('start'), []);
    assert.deepEqual(await bytes(gateway, [post, host, token, length, ...rest], body), [200]);
  });

  it('are refused by their head alone, before their body is read or anything is looked up [GATE-2f]', async () => {
    const looked: unknown[] = [];
    const token = createToken();
    const surface = (endpoint: Endpoint): undefined => void looked.push(endpoint);
    const gateway = new Gateway({ clock: systemClock(), token, surface });
    const url = await gateway.listen();
    const { host } = new URL(url);
    const good = { Host: host, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const first = async (headers: Record<string, string>): Promise<unknown> => {
      const connection = await openSocket(url);
      const lines = Object.entries({ ...good, 'Content-Length': '1000', ...headers }).map(
        ([name, value]) => `${name}: ${value}`,
      );
      connection.socket.write(['POST /mcp/one HTTP/1.1', ...lines, '', '{'].join('\r\n'));
      const status = await eventually(() => statusesIn(connection.text())[0], 5_000).catch(() => 'nothing');
      connection.socket.destroy();
      return status;
    };
    assert.equal(await first({ Host: 'evil.example' }), 403);
    assert.equal(await first({ Origin: 'http://evil.example' }), 403);
    assert.equal(await first({ Authorization: 'Bearer nonsense' }), 401);
    assert.equal(await first({ 'Content-Type': 'text/plain' }), 415);
    assert.equal(await first({ 'Content-Length': '11000000' }), 413);
    assert.deepEqual(looked, []);
    assert.equal(await first({}), 404);
    assert.equal(looked.length, 1);
    await gateway.close();
  });

  it('by a head that never ends are ended, and others are served meanwhile [GATE-2g]', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' } });
    const connections = await Promise.all(Array.from({ length: 50 }, () => openSocket(gateway.url)));
    for (const { socket } of connections) socket.write('POST /mcp/one HTTP/1.1\r\nHost: 127');
    const ping = await (await rawSession(gateway)).request(1, 'ping');
    assert.equal(ping.status, 200);
    const ended = Promise.all(connections.map((connection) => connection.ended(60_000))).then(() => true);
    assert.equal(await Promise.race([ended, pause(20_000, false)]), true);
    assert.deepEqual([...new Set(connections.flatMap((connection) => statusesIn(connection.text())))], [408]);
    const idle = await raw(gateway, { headers: { connection: 'keep-alive' }, body: rpc(1, 'ping') });
    assert.equal(idle.headers['keep-alive'], 'timeout=65');
  });

  it('by a body that is nested without end, or an id that cannot be kept, are refused as they are read', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' } });
    const nested = (open: string, close: string, deep: number): string => open.repeat(deep) + close.repeat(deep);
    const around = (args: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":${args}}}}`;
    for (const body of [
      nested('[', ']', 4_000_000),
      around(nested('[', ']', 100_000)),
      around(nested('{"a":', '}', 100_000).replace(':}', ':1}')),
      around(`[${'[],'.repeat(3_000_000)}[]]`),
    ]) {
      const { status, text } = await raw(gateway, { body });
      assert.equal(status, 400);
      assert.match(text, /nested deeper|holds more/);
    }
    for (const body of [
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '[]',
      'null',
      '"x"',
    ]) {
      assert.equal((await raw(gateway, { body })).status, 400, body.slice(0, 60));
    }
    assert.deepEqual(gateway.log('one').events('start'), []);
    const id = 'x'.repeat(1_000_000);
    const session = await rawSession(gateway);
    assert.equal(messagesIn(await session.request(id, 'ping'))[0]?.['id'], id);
  });

  it('by names of prototypes change nothing, and arrive as the words that they are', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' } });
    const { headers } = await rawSession(gateway);
    const body =
      '{"jsonrpc":"2.0","id":"__proto__","method":"tools/call","params":{"name":"echo","__proto__":{"name":"fail"},' +
      '"arguments":{"text":"words","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}},' +
      '"_meta":{"__proto__":{"polluted":1},"progressToken":"__proto__"}}}';
    const [answer] = messagesIn(await raw(gateway, { headers, body }));
    assert.equal(answer?.['id'], '__proto__');
    assert.match(JSON.stringify(answer), /words/);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    const [sent] = gateway
      .log('one')
      .events('request')
      .filter(({ method }) => method === 'tools/call');
    assert.match(JSON.stringify(sent), /"__proto__":\{"polluted":1\}/);
    for (const method of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      assert.match((await raw(gateway, { headers, body: rpc(2, method) })).text, /-32601/, method);
    }
  });

  it('by saying a name twice call what the policy saw', async () => {
    const gateway = await openGateway({ one: { fixture: 'basic-legacy', toolPolicies: { echo: 'deny' } } });
    const { headers } = await rawSession(gateway);
    const call = (names: string): Promise<unknown> =>
      raw(gateway, {
        headers,
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${names},"arguments":{"text":"x"}}}`,
      });
    await call('"name":"unicode","name":"echo"');
    await call('"name":"echo","name":"unicode"');
    assert.deepEqual([gateway.log('one').runs('echo'), gateway.log('one').runs('unicode')], [0, 1]);
  });

  it('with the session of another path find none, whatever the path [GATE-1d, GATE-2j]', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' }, two: { fixture: 'small-legacy' } });
    const paths = ['/mcp/one', '/mcp/two', '/vscode/one', '/mcp', '/mcp?mode=plan', '/mcp?names=short'];
    for (const from of paths) {
      const { headers } = await rawSession(gateway, from);
      for (const at of paths) {
        const { status } = await raw(gateway, { path: at, headers, body: rpc(1, 'ping') });
        assert.equal(status, at === from ? 200 : 404, `${from} at ${at}`);
      }
      const theft = await raw(gateway, { method: 'DELETE', path: from === '/mcp' ? '/mcp/one' : '/mcp', headers });
      assert.equal(theft.status, 404);
      assert.equal((await raw(gateway, { path: from, headers, body: rpc(1, 'ping') })).status, 200);
    }
  });

  it('with the token and the ids of another client bring nothing of it, and cancel nothing of it [GATE-1e]', async () => {
    const gateway = await openGateway({ one: { fixture: 'basic-legacy' } });
    const [one, two] = [await rawSession(gateway), await rawSession(gateway)];
    const call = (count: number) => ({
      name: 'progress',
      arguments: { every: 30, count },
      _meta: { progressToken: 'token' },
    });
    const calls = [one.request(7, 'tools/call', call(6)), two.request(7, 'tools/call', call(3))];
    await eventually(() => gateway.log('one').runs('progress') === 2);
    await two.notify('notifications/cancelled', { requestId: 8 });
    await two.notify('notifications/progress', { progressToken: 'token', progress: 99 });
    await raw(gateway, { headers: two.headers, body: '{"jsonrpc":"2.0","id":"roundhouse-1","result":{}}' });
    const [long, short] = await Promise.all(calls);
    const steps = (answer: typeof long | undefined): unknown[] =>
      answer === undefined
        ? []
        : messagesIn(answer).flatMap(({ method, params }) =>
            method === 'notifications/progress' ? [(params as { progress: number }).progress] : [],
          );
    assert.deepEqual(steps(long), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(steps(short), [1, 2, 3]);
    assert.match(long?.text ?? '', /6 steps/);
    assert.match(short?.text ?? '', /3 steps/);
  });

  it('by an impossible wish to listen get an answer, and no open stream', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-modern', protocol: '2026-07-28' } });
    const uris = Array.from({ length: 100_000 }, (_, index) => `a:${index}`);
    for (const notifications of [5, { resourceSubscriptions: uris }]) {
      const answer = await raw(gateway, modernRequest('subscriptions/listen', { notifications }));
      assert.equal((messagesIn(answer)[0]?.['error'] as { code: number } | undefined)?.code, -32602);
    }
  });

  it('in a list get each its answer, and a handshake has none in one', async () => {
    const gateway = await openGateway({ one: { fixture: 'basic-legacy' } });
    const { headers } = await rawSession(gateway);
    const call = (id: number, text: string): string => rpc(id, 'tools/call', { name: 'echo', arguments: { text } });
    const list = [call(1, 'first'), rpc(undefined, 'notifications/initialized'), call(2, 'second'), rpc(3, 'nothing')];
    const answers = messagesIn(await raw(gateway, { headers, body: `[${list.join(',')}]` }));
    const byId = new Map(answers.map((answer) => [answer['id'], JSON.stringify(answer)]));
    assert.deepEqual([...byId.keys()].sort(), [1, 2, 3]);
    assert.match(byId.get(1) ?? '', /first/);
    assert.match(byId.get(2) ?? '', /second/);
    assert.match(byId.get(3) ?? '', /-32601/);
    const told = await raw(gateway, { headers, body: `[${rpc(undefined, 'notifications/initialized')}]` });
    assert.equal(told.status, 202);
    assert.equal((await raw(gateway, { body: `[${rpc(1, 'initialize')}]` })).status, 400);
    const many = Array.from({ length: 101 }, (_, id) => rpc(id, 'ping'));
    assert.equal((await raw(gateway, { headers, body: `[${many.join(',')}]` })).status, 400);
  });

  for (const era of ['legacy', 'modern'] as const) {
    it(`by going away in the middle of a call end it at the server: a ${era} client [GATE-3b]`, async () => {
      const gateway = await openGateway({ one: { fixture: 'progress' } });
      const call = { name: 'progress', arguments: { every: 20, count: 100_000 } };
      const _meta = { progressToken: 1 };
      const asked =
        era === 'modern'
          ? modernRequest('tools/call', call)
          : { headers: (await rawSession(gateway)).headers, body: rpc(1, 'tools/call', { ...call, _meta }) };
      const { socket } = await openSocket(gateway.url);
      socket.write(bytesOf(gateway, asked));
      await eventually(() => gateway.log('one').runs('progress') === 1);
      socket.destroy();
      const cancelled = eventually(() => gateway.log('one').events('cancelled').length === 1, 5_000);
      assert.equal(await cancelled.catch(() => false), true);
    });
  }
});

function bytesOf(gateway: GatewayWorld, { headers = {}, body = '' }: RawRequest): string {
  const own = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  const head = [
    'POST /mcp/one HTTP/1.1',
    `Host: ${new URL(gateway.url).host}`,
    `Authorization: Bearer ${gateway.token}`,
  ];
  const rest = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, '', String(body)];
  return [...head, ...own, ...rest].join('\r\n');
}
