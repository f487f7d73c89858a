import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'mocha';
import { limits } from '../../src/core/limits.ts';
import { eventually } from '../support/eventually.ts';
import { type GatewayWorld, useGateways } from '../support/gatewayWorld.ts';
import { withDeadline } from '../support/withDeadline.ts';

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** A request with exactly these headers: fetch would not send some of them. */
function raw(
  gateway: GatewayWorld,
  headers: Record<string, string>,
  body = JSON.stringify(initialize),
): Promise<Answer> {
  return withDeadline(
    new Promise<Answer>((resolve, reject) => {
      const asked = httpRequest(`${gateway.url}/mcp/one`, { method: 'POST', headers, agent: false }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(parts).toString() }),
        );
      });
      asked.on('error', reject);
      asked.end(body);
    }),
    20_000,
    'an answer',
  );
}

describe('the gateway and hostile neighbours', function () {
  this.timeout(120_000);
  const openGateway = useGateways();

  it('refuses a page of a browser before anything is started, and says nothing to it [GATE-2b, GATE-2c, GATE-2d, GATE-2f]', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' } });
    const json = { 'content-type': 'application/json' };
    const token = { authorization: `Bearer ${gateway.token}` };
    for (const [headers, status] of [
      [{ ...json, ...token, origin: 'http://evil.example' }, 403],
      [{ ...json, ...token, origin: 'null' }, 403],
      [{ ...json, ...token, host: 'evil.example' }, 403],
      [{ ...json, ...token, host: `0.0.0.0:${new URL(gateway.url).port}` }, 403],
      [{ ...json }, 401],
      [{ ...json, authorization: 'Bearer nonsense' }, 401],
      [{ ...token, 'content-type': 'text/plain' }, 415],
    ] as const) {
      const answer = await raw(gateway, headers);
      assert.equal(answer.status, status, JSON.stringify(headers));
      assert.equal(
        Object.keys(answer.headers).some((name) => name.startsWith('access-control')),
        false,
      );
    }
    assert.deepEqual(gateway.log('one').events('start'), []);
    assert.equal((await raw(gateway, { ...json, ...token })).status, 200);
  });

  it('reads no more of a body than it may have, whether its size was told or not [GATE-2e]', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' } });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${gateway.token}` };
    const told = await raw(gateway, { ...headers, 'content-length': String(11 * 1024 * 1024) }, '').catch(
      () => undefined,
    );
    assert.equal(told?.status, 413);
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const head = [
      'POST /mcp/one HTTP/1.1',
      `Host: ${new URL(gateway.url).host}`,
      `Authorization: Bearer ${gateway.token}`,
    ];
    socket.write([...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked', '', ''].join('\r\n'));
    let answer = '';
    socket.on('data', (part: Buffer) => (answer += part.toString()));
    socket.on('error', () => undefined);
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    for (let sent = 0; sent < 64 && answer === ''; sent += 1) {
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      if (!socket.write('\r\n')) await Promise.race([once(socket, 'drain'), once(socket, 'data')]);
    }
    await eventually(() => answer.includes('413'));
    socket.destroy();
    assert.deepEqual(gateway.log('one').events('start'), []);
  });

  it('invites the body of a request only where it is let in [GATE-2e]', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' } });
    const { port, host } = new URL(gateway.url);
    const body = JSON.stringify(initialize);
    const answerTo = async (token: string): Promise<string> => {
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      let heard = '';
      socket.on('data', (part: Buffer) => {
        if (heard === '' && part.toString().startsWith('HTTP/1.1 100 ')) socket.write(body);
        heard += part.toString();
      });
      const head = ['POST /mcp/one HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${token}`];
      const rest = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: 100-continue'];
      socket.write([...head, ...rest, '', ''].join('\r\n'));
      await eventually(() => /HTTP\/1\.1 [2-5]\d\d /.test(heard));
      socket.destroy();
      return [...heard.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status).join(' ');
    };
    assert.equal(await answerTo('nonsense'), '401');
    assert.equal(await answerTo(gateway.token), '100 200');
  });

  it('tells bad JSON, no session and an unknown one apart [GATE-2j]', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' } });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${gateway.token}` };
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
    assert.equal((await raw(gateway, headers, '{"jsonrpc":')).status, 400);
    assert.equal((await raw(gateway, headers, ping)).status, 400);
    assert.equal((await raw(gateway, { ...headers, 'mcp-session-id': 'gone' }, ping)).status, 404);
  });

  it('keeps a bounded number of sessions, and the one in use [GATE-2h]', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' } });
    const used = await gateway.connect('one');
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${gateway.token}` };
    const ids: string[] = [];
    for (let count = 0; count < 500; count += 1) {
      const { headers: answered } = await raw(gateway, headers);
      ids.push(String(answered['mcp-session-id']));
    }
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
    const alive = await Promise.all(
      ids.map(async (id) => (await raw(gateway, { ...headers, 'mcp-session-id': id }, ping)).status === 200),
    );
    assert.equal(alive.filter(Boolean).length, limits.gateway.sessions - 1);
    assert.ok(alive.slice(-10).every(Boolean));
    await used.ping();
    assert.equal(gateway.log('one').events('start').length, 1);
  });

  it('gives each of two clients with equal ids and overlapping calls its own answers, 200 rounds long [GATE-1e]', async () => {
    const gateway = await openGateway({ one: { fixture: 'basic-legacy' } });
    const clients = await Promise.all([gateway.connect('one'), gateway.connect('one')]);
    for (let round = 0; round < 200; round += 1) {
      const answers = await Promise.all(
        clients.map((client, index) => client.callTool({ name: 'echo', arguments: { text: `${index}-${round}` } })),
      );
      answers.forEach((answer, index) => assert.match(JSON.stringify(answer.content), new RegExp(`${index}-${round}`)));
    }
  });

  it('cancels at the server what a session had under way when it is deleted [GATE-1f]', async () => {
    const gateway = await openGateway({ one: { fixture: 'progress' } });
    const client = await gateway.connect('one');
    const call = client.callTool({ name: 'hang', arguments: {} }).catch((error: unknown) => error);
    await eventually(() => gateway.log('one').runs('hang') === 1);
    await (client.transport as { terminateSession?: () => Promise<void> }).terminateSession?.();
    await eventually(() => gateway.log('one').events('cancelled').length === 1);
    await client.close();
    assert.ok((await call) instanceof Error);
  });
});
