import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { describe, it } from 'mocha';
import { deferred } from '../../../../src/base/deferred.ts';
import type { JsonObject } from '../../../../src/contract/json.ts';
import { RpcError } from '../../../../src/core/connection/rpcError.ts';
import { ProcessWire, Wire, WireClosed } from '../../../../src/core/connection/wire.ts';
import { limits } from '../../../../src/core/limits.ts';

/** A transport without another end. */
class FakeTransport implements Transport {
  onclose?: () => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly sent: JsonObject[] = [];
  reading: number | undefined;
  failure: Error | undefined;

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    this.sent.push(message as unknown as JsonObject);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  receive(message: JsonObject): void {
    this.onmessage?.({ jsonrpc: '2.0', ...message } as unknown as JSONRPCMessage);
  }
}

async function wired() {
  const transport = new FakeTransport();
  const wire = new Wire(transport);
  const toSdk: unknown[] = [];
  wire.onmessage = (message) => toSdk.push(message);
  await wire.start();
  return { transport, wire, toSdk };
}

describe('the wire', () => {
  it('takes an id that comes back as text for the number that was asked', async () => {
    const { transport, wire, toSdk } = await wired();
    await wire.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
    assert.equal(wire.awaitsHandshake, true);
    transport.receive({ id: '0', result: { capabilities: { tools: {} } } });
    assert.equal(wire.awaitsHandshake, false);
    assert.deepEqual(wire.handshake, { capabilities: { tools: {} } });
    assert.equal(toSdk.length, 1);
    const progress: unknown[] = [];
    const asked = wire.exchange('a', undefined, { onProgress: (params) => progress.push(params) });
    const progressToken = String(asked.id);
    transport.receive({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    transport.receive({ id: ` ${asked.id}`, result: { wrong: true } });
    transport.receive({ id: String(asked.id), result: { right: true } });
    assert.deepEqual(await asked.answer, { kind: 'value', result: { right: true } });
    assert.equal(progress.length, 1);
  });

  it('gives each answer to its request, exactly as it came, and never to the SDK', async () => {
    const { transport, wire, toSdk } = await wired();
    const one = wire.exchange('a', undefined);
    const two = wire.exchange('b', { x: 1 });
    assert.deepEqual(transport.sent, [
      { jsonrpc: '2.0', id: one.id, method: 'a' },
      { jsonrpc: '2.0', id: two.id, method: 'b', params: { x: 1 } },
    ]);
    const result = { resultType: 'task', future: [null] };
    transport.receive({ id: two.id, result });
    transport.receive({ id: one.id, error: { code: -1, message: 'm', data: { d: 1 } } });
    const answer = await two.answer;
    assert.equal(answer.kind === 'value' && answer.result, result);
    await assert.rejects(one.answer, (error) => {
      assert.ok(error instanceof RpcError);
      assert.deepEqual([error.code, error.message, error.data], [-1, 'm', { d: 1 }]);
      return true;
    });
    assert.deepEqual(toSdk, []);
  });

  it('leaves to the SDK what is its own', async () => {
    const { transport, toSdk } = await wired();
    const own: JsonObject[] = [
      { id: 0, result: {} },
      { id: 'listen:0', result: {} },
      { id: 'server-discover-probe-1', result: {} },
      { id: 5, method: 'elicitation/create', params: {} },
      { method: 'notifications/cancelled', params: { requestId: 5 } },
      { method: 'notifications/subscriptions/acknowledged', params: {} },
    ];
    for (const message of own) transport.receive(message);
    assert.deepEqual(
      toSdk,
      own.map((message) => ({ jsonrpc: '2.0', ...message })),
    );
  });

  it('drops an answer that nobody waits for, without a word', async () => {
    const { transport, wire, toSdk } = await wired();
    const exchange = wire.exchange('a', undefined);
    exchange.abandon();
    transport.receive({ id: exchange.id, result: {} });
    transport.receive({ id: 4_711, result: {} });
    const pending = await Promise.race([exchange.answer, Promise.resolve('pending')]);
    assert.equal(pending, 'pending');
    assert.deepEqual(toSdk, []);
  });

  it('hands progress to its request only, raw, and asks for it where it is wanted', async () => {
    const { transport, wire } = await wired();
    const seen: JsonObject[] = [];
    const wanted = wire.exchange('a', { _meta: { kept: 1 } }, { onProgress: (params) => seen.push(params) });
    const unwanted = wire.exchange('b', { x: 1 });
    assert.deepEqual(transport.sent[0]?.['params'], { _meta: { kept: 1, progressToken: wanted.id } });
    assert.deepEqual(transport.sent[1]?.['params'], { x: 1 });
    const progress = { progressToken: wanted.id, progress: 1, future: true };
    transport.receive({ method: 'notifications/progress', params: progress });
    transport.receive({ method: 'notifications/progress', params: { progressToken: unwanted.id, progress: 1 } });
    transport.receive({ method: 'notifications/progress', params: { progressToken: 'unknown' } });
    transport.receive({ id: wanted.id, result: {} });
    transport.receive({ method: 'notifications/progress', params: progress });
    assert.deepEqual(seen, [progress]);
    await wanted.answer;
  });

  it('gives a log line to the request in whose stream it comes, and to no other', async () => {
    const { transport, wire } = await wired();
    const lines: string[] = [];
    wire.onNotification(({ method }) => lines.push(method));
    const one = wire.exchange('a', undefined, { onLog: ({ level }) => lines.push('one', level as string) });
    wire.exchange('b', undefined, { onLog: () => lines.push('two') });
    transport.reading = one.id;
    transport.receive({ method: 'notifications/message', params: { level: 'info', data: 'told' } });
    assert.deepEqual(lines, ['one', 'info']);
  });

  it('gives a log line that names no request to the only one that is open, and announces it where it could be of two', async () => {
    const { transport, wire } = await wired();
    const lines: string[] = [];
    const announced = ['notifications/message'];
    wire.onNotification(({ method }) => lines.push(method));
    const line = { method: 'notifications/message', params: { level: 'info', data: 'told' } };
    const quiet = wire.exchange('a', undefined);
    transport.receive(line);
    const one = wire.exchange('b', undefined, { onLog: () => lines.push('one') });
    transport.receive(line);
    transport.receive({ id: quiet.id, result: {} });
    transport.receive(line);
    wire.exchange('c', undefined, { onLog: () => lines.push('two') });
    transport.receive(line);
    transport.receive({ id: one.id, result: {} });
    transport.receive(line);
    assert.deepEqual(lines, [...announced, ...announced, 'one', ...announced, 'two']);
  });

  it('announces every other notification, raw, known or not', async () => {
    const { transport, wire, toSdk } = await wired();
    const seen: unknown[] = [];
    wire.onNotification((notification) => seen.push(notification));
    transport.receive({ method: 'notifications/tools/list_changed' });
    transport.receive({ method: 'vendor/anything', params: { _meta: { a: 1 } } });
    assert.deepEqual(seen, [
      { method: 'notifications/tools/list_changed', params: {} },
      { method: 'vendor/anything', params: { _meta: { a: 1 } } },
    ]);
    assert.deepEqual(toSdk, []);
  });

  it('remembers the raw answer to the SDK’s handshake, and whether anything was heard', async () => {
    const { transport, wire } = await wired();
    assert.equal(wire.heard, false);
    await wire.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
    transport.receive({ id: 7, result: { other: 1 } });
    assert.equal(wire.handshake, undefined);
    const result = { capabilities: { future: {} } };
    transport.receive({ id: 0, result });
    assert.equal(wire.handshake, result);
    assert.equal(wire.heard, true);
  });

  it('fails a request that the transport could not send, with its reason', async () => {
    const { transport, wire } = await wired();
    transport.failure = new Error('no way');
    await assert.rejects(wire.exchange('a', undefined).answer, transport.failure);
  });

  it('ends once: says first why, then fails what is under way and all that comes later', async () => {
    for (const [how, end] of [
      ['lost', ({ transport }: Awaited<ReturnType<typeof wired>>) => void transport.close()],
      ['closed', ({ wire }: Awaited<ReturnType<typeof wired>>) => void wire.close()],
    ] as const) {
      const parts = await wired();
      const order: string[] = [];
      parts.wire.onEnded((reason) => order.push(reason));
      parts.wire.onclose = () => order.push('sdk');
      const answer = parts.wire.exchange('a', undefined).answer.catch((error: unknown) => {
        order.push('request');
        return error;
      });
      end(parts);
      assert.ok((await answer) instanceof WireClosed);
      await parts.transport.close();
      assert.deepEqual(order, [how, 'sdk', 'request']);
      parts.wire.onEnded((reason) => order.push(`late ${reason}`));
      await assert.rejects(parts.wire.exchange('b', undefined).answer, WireClosed);
      assert.equal(order.at(-1), `late ${how}`);
      await assert.rejects(parts.wire.notify('n', undefined), WireClosed);
    }
  });

  it('to a process shows the SDK what it knows one by', () => {
    const wire = new ProcessWire(new FakeTransport());
    assert.ok('stderr' in wire && 'pid' in wire);
    assert.ok(!('pid' in new Wire(new FakeTransport())));
  });

  it('ends when a remote server asks without end and takes no answer', async () => {
    const { transport, wire, toSdk } = await wired();
    const answers = deferred<undefined>();
    const ends: string[] = [];
    wire.onEnded((end) => ends.push(end));
    transport.send = () => answers.promise;
    const ask = (id: number): void => {
      transport.receive({ id, method: 'ping' });
      void wire.send({ jsonrpc: '2.0', id, result: {} });
    };
    for (let id = 0; id < limits.serverRequests.open; id += 1) ask(id);
    assert.deepEqual([toSdk.length, ends], [limits.serverRequests.open, []]);
    transport.receive({ id: 'one more', method: 'ping' });
    assert.deepEqual([toSdk.length, ends], [limits.serverRequests.open, ['closed']]);
  });

  it('counts requests of a server until their answers are sent, not altogether', async () => {
    const { transport, wire, toSdk } = await wired();
    for (let id = 0; id < 2 * limits.serverRequests.open; id += 1) {
      transport.receive({ id, method: 'ping' });
      await wire.send({ jsonrpc: '2.0', id, result: {} });
    }
    assert.equal(toSdk.length, 2 * limits.serverRequests.open);
  });

  it('counts no request that its server has taken back, though an answer to it that is not taken yet', async () => {
    const { transport, wire, toSdk } = await wired();
    const ends: string[] = [];
    wire.onEnded((end) => ends.push(end));
    const askAndCancel = (id: number): void => {
      transport.receive({ id, method: 'elicitation/create', params: {} });
      transport.receive({ method: 'notifications/cancelled', params: { requestId: id } });
    };
    for (let id = 0; id < 2 * limits.serverRequests.open; id += 1) askAndCancel(id);
    assert.deepEqual([toSdk.length, ends], [4 * limits.serverRequests.open, []]);
    const answers = deferred<undefined>();
    transport.send = () => answers.promise;
    for (let id = 0; id <= limits.serverRequests.open; id += 1) {
      transport.receive({ id, method: 'ping' });
      void wire.send({ jsonrpc: '2.0', id, result: {} });
      transport.receive({ method: 'notifications/cancelled', params: { requestId: id } });
    }
    assert.deepEqual(ends, ['closed']);
  });

  it('ends when too many requests of a server are open at the same time, and hands on none with an id that is open', async () => {
    const { transport, wire, toSdk } = await wired();
    const ends: string[] = [];
    wire.onEnded((end) => ends.push(end));
    for (let time = 0; time < 2 * limits.serverRequests.open; time += 1) transport.receive({ id: 'x', method: 'ping' });
    assert.deepEqual([toSdk.length, ends], [1, []]);
    for (let id = 1; id < limits.serverRequests.open; id += 1) transport.receive({ id, method: 'ping' });
    assert.deepEqual([toSdk.length, ends], [limits.serverRequests.open, []]);
    transport.receive({ id: 'one more', method: 'ping' });
    assert.deepEqual(ends, ['closed']);
  });

  it('outlives any number of requests of a modern server, which the SDK never answers', async () => {
    const transport = new FakeTransport();
    const wire = new Wire(transport);
    const ends: string[] = [];
    wire.onEnded((end) => ends.push(end));
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const supportedVersions = ['2026-07-28'];
    const discover = {
      supportedVersions,
      capabilities: {},
      ttlMs: 0,
      cacheScope: 'private',
      resultType: 'complete',
    } as const;
    await client.connect(wire, { prior: { kind: 'modern', discover } });
    for (let id = 0; id < 2 * limits.serverRequests.open; id += 1) transport.receive({ id, method: 'ping' });
    await setImmediate();
    assert.deepEqual([ends, transport.sent], [[], []]);
    await client.close();
  });

  it('outlives requests that a server made before its era was known', async () => {
    const { transport, wire } = await wired();
    const ends: string[] = [];
    wire.onEnded((end) => ends.push(end));
    for (const part of ['a', 'b']) {
      for (let n = 0; n < limits.serverRequests.open; n += 1) transport.receive({ id: `${part}${n}`, method: 'ping' });
      wire.setProtocolVersion('2025-11-25');
    }
    assert.deepEqual(ends, []);
  });
});
