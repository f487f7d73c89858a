// What goes wrong behind the gateway, or in front of it: servers that are killed, results that are large, clients that do
// not read. Counts tell what ran; the only time that is measured is the second in which a lost call has to end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import { limits } from '../../src/core/limits.ts';
import { endUnread } from '../../src/gateway/endUnread.ts';
import { EventStream } from '../../src/gateway/eventStream.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import { Reply } from '../../src/gateway/reply.ts';
import type { Surface } from '../../src/gateway/surface.ts';
import { eventually } from '../support/eventually.ts';
import { useGateways } from '../support/gatewayWorld.ts';
import { ManualClock } from '../support/manualClock.ts';
import { messagesIn, modernRequest, openRaw, raw, rawSession, rpc } from '../support/rawClient.ts';
import { openSocket } from '../support/rawSocket.ts';

const textOf = (result: unknown): string => JSON.stringify(result);

describe('faults around the gateway', function () {
  this.timeout(120_000);
  const openGateway = useGateways();
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    it(`end every call of a server that dies, run none twice, and the next one on the same session works: ${signal}`, async () => {
      const gateway = await openGateway({ one: { fixture: 'basic-legacy' } });
      const clients = [
        await gateway.connect('one'),
        await gateway.connect('one'),
        await gateway.connect('one', { era: 'modern' }),
      ];
      const calls = clients.flatMap((client) =>
        Array.from({ length: 5 }, () =>
          client.callTool({ name: 'hang', arguments: {} }).then(() => 'an answer', String),
        ),
      );
      await eventually(() => gateway.log('one').runs('hang') === calls.length);
      const pid = gateway.log('one').events('start')[0]?.pid ?? 0;
      process.kill(pid, signal);
      for (const outcome of await Promise.all(calls)) assert.match(outcome, /Error/);
      for (const [index, client] of clients.entries()) {
        const answer = await client.callTool({ name: 'echo', arguments: { text: `again-${index}` } });
        assert.match(textOf(answer), new RegExp(`again-${index}`));
      }
      assert.equal(gateway.log('one').runs('hang'), calls.length);
      assert.equal(gateway.log('one').runs('echo'), clients.length);
      assert.equal(gateway.log('one').events('start').length, 2);
    });
  }

  it('hold up nothing of others: a server that is silent, and one that answers late', async () => {
    const gateway = await openGateway({
      silent: { fixture: 'silent' },
      late: { fixture: 'basic-legacy' },
      one: { fixture: 'basic-legacy' },
    });
    const waiting = openRaw(gateway, { path: '/mcp/silent', body: rpc(1, 'initialize') }).catch(() => 'ended');
    const late = await gateway.connect('late');
    const gate = gateway.log('late').gate();
    const slow = late.callTool({ name: 'slow', arguments: gate.args });
    const client = await gateway.connect('one');
    for (let round = 0; round < 10; round += 1) {
      assert.ok((await client.listTools()).tools.length > 0);
      assert.ok((await late.listTools()).tools.length > 0);
      assert.match(textOf(await late.callTool({ name: 'echo', arguments: { text: 'beside' } })), /beside/);
    }
    gate.open();
    assert.match(textOf(await slow), /slept/);
    void waiting;
  });

  for (const era of ['legacy', 'modern'] as const) {
    it(`leave a result of 30 MiB whole for a ${era} client [TOOL-3c, TOOL-5e]`, async () => {
      const gateway = await openGateway({ one: { fixture: 'huge-results' } });
      const bytes = 30 * 1024 * 1024;
      const call = { name: 'big', arguments: { bytes } };
      const request =
        era === 'modern'
          ? modernRequest('tools/call', call)
          : { headers: (await rawSession(gateway)).headers, body: rpc(1, 'tools/call', call) };
      const [answer] = messagesIn(await raw(gateway, request));
      const { content } = answer?.['result'] as unknown as { readonly content: readonly { readonly text: string }[] };
      assert.equal(content[0]?.text.length, bytes);
      // It was cut nowhere, and the connection is there for the next one.
      assert.match(
        textOf(await (await gateway.connect('one', { era })).callTool({ name: 'echo', arguments: { text: 'x' } })),
        /x/,
      );
    });

    it(`give a ${era} client all tools of a hundred pages, and of two hundred those of the pages that a list may have`, async () => {
      const gateway = await openGateway({
        one: { fixture: 'hundred-pages', overrides: { tools: { page: { size: 20 }, generate: [{ count: 2_000 }] } } },
        paged: { fixture: 'hundred-pages', overrides: { tools: { page: { size: 10 }, generate: [{ count: 2_000 }] } } },
      });
      const client = await gateway.connect('one', { era });
      assert.equal((await client.listTools()).tools.length, 2_000);
      assert.equal(gateway.log('one').asked('tools/list'), 100);
      // More pages than a list may have: what came is shown (DISC-1).
      assert.equal((await (await gateway.connect('paged', { era })).listTools()).tools.length, 1_000);
    });
  }

  it('keep a silent stream open by comments, before an answer and on a stream of its own', async () => {
    const clock = new ManualClock(Date.now());
    const never = { onEvent: () => ({ dispose: () => undefined }), answer: () => new Promise(() => undefined) };
    const hello = () => Promise.resolve({ capabilities: {}, serverInfo: {}, instructions: undefined });
    const surface = { ...never, hello } as unknown as Surface;
    const gateway = new Gateway({ clock, token: 'token', surface: () => surface });
    ends.push(() => gateway.close());
    const place = { url: await gateway.listen(), token: 'token' };
    const { headers } = await rawSession(place);
    const own = await openRaw(place, { method: 'GET', headers });
    const answer = openRaw(place, { headers, body: rpc(1, 'tools/list') });
    const comments = { own: 0, answer: 0 };
    own.on('data', (part: Buffer) => (comments.own += part.toString().split(': \n\n').length - 1));
    for (let round = 1; round <= 3; round += 1) {
      await eventually(() => {
        if (Math.min(comments.own, comments.answer) < round) clock.advance(limits.gateway.keepAlive);
        return comments.own >= round && (round === 1 || comments.answer >= round);
      });
      if (round === 1) {
        (await answer).on('data', (part: Buffer) => (comments.answer += part.toString().split(': \n\n').length - 1));
      }
    }
    own.destroy();
    (await answer).destroy();
  });

  /** What a client is answered, by hand; the client as a socket that reads nothing until it is told to. */
  async function answering(answer: (response: ServerResponse) => void) {
    const server = createServer((_request, response) => {
      response.on('error', () => undefined);
      answer(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const connection = await openSocket(url);
    connection.socket.pause();
    connection.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
    return connection;
  }

  it('end a client that is told more than it reads, before it fills our memory', async () => {
    let sent = 0;
    let unread = 0;
    const gone = new Promise<void>((resolve) => {
      void answering((response) => {
        const stream = new EventStream(response, systemClock());
        response.once('close', resolve);
        const tell = (): void => {
          if (response.destroyed) return;
          stream.send(JSON.stringify('x'.repeat(1024 * 1024)));
          sent += 1;
          unread = Math.max(unread, response.writableLength);
          setImmediate(tell);
        };
        tell();
      });
    });
    await gone;
    assert.ok(sent < 64, String(sent));
    assert.ok(unread < limits.gateway.unread + 2 * 1024 * 1024, String(unread));
  });

  it('end a client that leaves its answer unread, and not one that reads', async () => {
    const whole = Buffer.alloc(64 * 1024 * 1024, 0x20);
    const ended: string[] = [];
    const reply = (name: string) => (response: ServerResponse) => {
      response.once('close', () => ended.push(name));
      response.end(whole);
      endUnread(response, 300);
    };
    await answering(reply('unread'));
    await eventually(() => ended.includes('unread'));
    let read = 0;
    const reading = await answering(reply('read'));
    reading.socket.on('data', (part: Buffer) => (read += part.length)).resume();
    await eventually(() => read > whole.length);
  });

  it('let no server write lines of its own into the stream of a client', async () => {
    const injected = '{"content":[],\r\rdata: {"jsonrpc":"2.0","method":"notifications/evil"}\r\n\r\n"a":1}';
    const frame = Buffer.from(injected);
    const connection = await answering((response) => {
      const reply = new Reply(response, { clock: systemClock(), streams: true });
      reply.say({ jsonrpc: '2.0', method: 'notifications/progress' });
      reply.end(1, {
        kind: 'raw',
        answer: { frame, idFrom: 0, idTo: 0, resultFrom: 0, resultTo: frame.length },
      });
    });
    connection.socket.resume();
    await eventually(() => connection.text().includes('"a":1}'));
    const lines = connection
      .text()
      .split(/\r\n|\r|\n/)
      .filter((line) => line.startsWith('data:'));
    assert.equal(lines.length, 2);
    assert.equal(connection.text().includes('\r\rdata'), false);
  });

  it('serve 32 clients of both eras at once, each with its own answers, by one process', async () => {
    const gateway = await openGateway({ one: { fixture: 'basic-legacy' } });
    const clients = await Promise.all(
      Array.from({ length: 32 }, (_, index) => gateway.connect('one', { era: index % 2 === 0 ? 'legacy' : 'modern' })),
    );
    const rounds = 10;
    await Promise.all(
      clients.map(async (client, index) => {
        const calls = Array.from({ length: rounds }, async (_, round) => {
          const text = `client-${index}-round-${round}.`;
          assert.ok(textOf(await client.callTool({ name: 'echo', arguments: { text } })).includes(text));
        });
        await Promise.all(calls);
      }),
    );
    assert.equal(gateway.log('one').runs('echo'), clients.length * rounds);
    assert.equal(gateway.log('one').events('start').length, 1);
  });
});
