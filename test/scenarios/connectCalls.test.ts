// Requests over a live connection, in both eras, on stdio and Streamable HTTP: time-outs, aborts and how the server is
// told of them, late answers, progress, questions to a person, results that must not change on the way.
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { JsonObject } from '../../src/contract/json.ts';
import type { ProtocolMode, TimeoutOverrides } from '../../src/contract/serverConfig.ts';
import { deferred } from '../../src/base/deferred.ts';
import { openClient } from '../../src/core/connection/openClient.ts';
import type { LiveClient, ServerRequestHandlers } from '../../src/core/connection/liveClient.ts';
import { RpcError } from '../../src/core/connection/rpcError.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { eventually } from '../support/eventually.ts';
import { type FixtureLog, fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import {
  type HttpPeer,
  legacyPeer,
  modernPeer,
  type PeerAnswer,
  type PeerHandler,
  startPeer,
} from '../support/httpPeer.ts';
import { ManualClock } from '../support/manualClock.ts';
import { opening, remoteLaunch, stdioLaunch } from '../support/openOptions.ts';
import { patience } from '../support/patience.ts';
import { withDeadline } from '../support/withDeadline.ts';

describe('a request over a live connection', () => {
  let log: FixtureLog;
  const clients: Pick<LiveClient, 'close'>[] = [];
  const peers: HttpPeer[] = [];
  beforeEach(() => {
    log = fixtureLog();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(peers.splice(0).map((peer) => peer.stop()));
    log.dispose();
  });

  interface Choice {
    readonly protocol?: ProtocolMode;
    readonly timeouts?: TimeoutOverrides;
    readonly handlers?: ServerRequestHandlers;
    readonly clock?: ManualClock;
  }

  const stdio = async (name: string, { protocol = 'legacy', timeouts = {}, handlers = {}, clock }: Choice = {}) => {
    const client = await openClient(
      stdioLaunch(fixtureCommand(name, undefined, log), { protocol, timeouts }),
      opening({ handlers, ...(clock && { clock }) }),
    );
    clients.push({ close: () => clock?.during(client.close()) ?? client.close() });
    return client;
  };
  const http = async (handler: PeerHandler, { protocol = 'legacy', timeouts = {}, handlers = {} }: Choice = {}) => {
    const peer = await startPeer(handler);
    peers.push(peer);
    const client = await openClient(remoteLaunch(peer.url, { protocol, timeouts }), opening({ handlers }));
    clients.push(client);
    return { client, peer };
  };
  const call = (client: LiveClient, name: string, args: JsonObject = {}, signal?: AbortSignal) =>
    client.request('tools/call', { name, arguments: args }, { kind: 'call', ...(signal && { signal }) });
  const failure = async (work: Promise<unknown>): Promise<ManagerError> => {
    const error: unknown = await withDeadline(work, patience, 'a failure').then(
      () => assert.fail('it succeeded'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ManagerError, String(error));
    return error;
  };

  for (const [protocol, name] of [
    ['legacy', 'cancel-unanswered'],
    ['2026-07-28', 'cancel-unanswered-modern'],
  ] as const) {
    it(`that is aborted on stdio (${protocol}) ends at once; the server is told, its late answer dropped [CONN-6k, CONN-6l, CONN-6n]`, async () => {
      const client = await stdio(name, { protocol });
      const controller = new AbortController();
      const gate = log.gate();
      const slow = failure(call(client, 'slow', gate.args, controller.signal));
      await eventually(() => log.runs('slow') === 1, patience, 'the call');
      controller.abort();
      const error = await slow;
      assert.deepEqual([error.code, error.outcome], ['cancelled', 'unknown']);
      await eventually(() => log.asked('notifications/cancelled') === 1, patience, 'the notification');
      assert.deepEqual(log.events('toolEnd'), []);
      gate.open();
      await eventually(() => log.events('toolEnd').length === 1, patience, 'the late answer');
      const after = await call(client, 'echo', { text: 'still here' });
      assert.ok(JSON.stringify(after).includes('still here'));
    });

    it(`that takes too long on stdio (${protocol}) ends at its own time-out [CONN-6i, CONN-6k, CONN-6l]`, async () => {
      const client = await stdio(name, { protocol, timeouts: { call: 200, request: 100, list: 150 } });
      const error = await failure(call(client, 'hang'));
      assert.deepEqual([error.code, error.outcome], ['callTimeout', 'unknown']);
      assert.deepEqual([error.data['tool'], error.data['seconds']], ['hang', 0.2]);
      await eventually(() => log.asked('notifications/cancelled') === 1, patience, 'the notification');
    });
  }

  it('ends with all others in the same way when its server dies, whenever it was sent [CONN-10b]', async () => {
    for (let round = 0; round < 6; round += 1) {
      const client = await stdio('crashes-on-call');
      const ends: unknown[] = [];
      client.onClose((problem) => ends.push(problem));
      const calls = [failure(call(client, 'first'))];
      // Some are written to a process that is dead already, before its end is known here.
      while (ends.length === 0) {
        calls.push(failure(call(client, 'next')));
        await turn();
      }
      for (const error of await Promise.all(calls)) {
        assert.deepEqual([error.code, error.data['exitCode']], ['processExited', 9]);
        assert.ok(error.stderr?.some((line) => line.includes('Segmentation fault')));
      }
    }
  });

  it('that is aborted on legacy HTTP is cancelled by a notification [CONN-6k, CONN-6l]', async () => {
    const { client, peer } = await http(
      legacyPeer(({ rpc, method }, answer) => {
        if (method === 'GET') answer.status(405);
        else if (rpc === 'notifications/cancelled') answer.status(202);
      }),
    );
    const controller = new AbortController();
    const slow = failure(call(client, 'slow', {}, controller.signal));
    const sent = await eventually(() => peer.requests.find(({ rpc }) => rpc === 'tools/call'), patience, 'the call');
    controller.abort();
    assert.equal((await slow).code, 'cancelled');
    const told = await eventually(
      () => peer.requests.find(({ rpc }) => rpc === 'notifications/cancelled'),
      patience,
      'the notification',
    );
    assert.equal((told.message['params'] as JsonObject)['requestId'], sent.message['id']);
  });

  it('that is aborted on modern HTTP is cancelled by closing its stream, and by nothing else [CONN-6m]', async () => {
    const closed = deferred<undefined>();
    const { client, peer } = await http(
      modernPeer(({ message }, answer) => {
        if ((message['params'] as JsonObject)['name'] !== 'slow') {
          answer.result({ resultType: 'complete', content: [] });
        } else {
          answer.stream();
          answer.raw.once('close', () => closed.resolve(undefined));
        }
      }),
      { protocol: 'auto' },
    );
    assert.equal(client.negotiated.era, 'modern');
    const controller = new AbortController();
    const slow = failure(call(client, 'slow', {}, controller.signal));
    await eventually(() => peer.wire().includes('tools/call'), patience, 'the call');
    controller.abort();
    assert.equal((await slow).code, 'cancelled');
    await withDeadline(closed.promise, patience, 'the end of the stream');
    await call(client, 'next');
    assert.deepEqual(peer.wire(), ['server/discover', 'tools/call', 'tools/call']);
  });

  it('that was aborted before it began is not sent [CONN-6j]', async () => {
    const client = await stdio('small-legacy');
    const error = await failure(call(client, 'echo', {}, AbortSignal.abort()));
    assert.deepEqual([error.code, error.outcome], ['cancelled', 'notSent']);
    assert.equal(log.asked('tools/call'), 0);
  });

  it('lives longer than its time-out while progress comes, and hands it on whole [CONN-6e]', async () => {
    const clock = new ManualClock();
    const client = await stdio('progress', { timeouts: { call: 400 }, clock });
    const seen: JsonObject[] = [];
    const onProgress = (params: JsonObject): void => {
      seen.push(params);
      clock.advance(399);
    };
    const progress = { name: 'progress', arguments: { every: 10, count: 6 } };
    const result = await client.request('tools/call', progress, { kind: 'call', onProgress });
    assert.ok(result['content'] !== undefined);
    assert.equal(seen.length, 6);
    assert.ok(seen.every((params) => params['progressToken'] !== undefined && params['progress'] !== undefined));
  });

  it('stands still while a person is asked [CONN-6f]', async () => {
    const [asked, answered] = [deferred<undefined>(), deferred<undefined>()];
    const clock = new ManualClock();
    const client = await stdio('asks', {
      timeouts: { call: 400 },
      handlers: {
        elicit: async () => {
          asked.resolve(undefined);
          await answered.promise;
          return { action: 'decline' };
        },
      },
      clock,
    });
    const asking = call(client, 'ask_form');
    await withDeadline(asked.promise, patience, 'the question');
    clock.advance(4_000);
    answered.resolve(undefined);
    const result = await withDeadline(asking, patience, 'the result');
    assert.ok(result['content'] !== undefined);
    const slow = failure(call(client, 'slow', log.gate().args));
    await eventually(() => log.runs('slow') === 1, patience, 'the next call');
    clock.advance(400);
    assert.equal((await slow).code, 'callTimeout');
  });

  it('keeps a question and its answer exactly as they are, unknown fields included [CONN-14c]', async () => {
    const asked: JsonObject[] = [];
    const question = {
      message: 'm',
      requestedSchema: { type: 'object', properties: {}, future: 1 },
      future: { a: [1] },
    };
    const elicit = (params: JsonObject): Promise<JsonObject> => {
      asked.push(params);
      return Promise.resolve({ action: 'accept', content: { x: 1 }, future: true });
    };
    const questions = legacyPeer((request, answer) => {
      if (request.method === 'GET') {
        answer.stream([
          { jsonrpc: '2.0', id: 'q1', method: 'elicitation/create', params: question },
          { jsonrpc: '2.0', id: 'q2', method: 'roots/list' },
          { jsonrpc: '2.0', id: 'q3', method: 'sampling/createMessage', params: {} },
          { jsonrpc: '2.0', id: 'q4', method: 'ping' },
        ]);
      } else answer.status(202);
    });
    const { peer } = await http(questions, { handlers: { elicit, roots: () => [{ uri: 'file:///secret' }] } });
    const answers = await eventually(
      () => {
        const found = peer.requests.filter(({ message }) => 'id' in message && !('method' in message));
        return found.length === 4 && found;
      },
      patience,
      'the answers',
    );
    const byId = new Map(answers.map(({ message }) => [message['id'], message]));
    assert.deepEqual(asked, [question]);
    assert.deepEqual(byId.get('q1')?.['result'], { action: 'accept', content: { x: 1 }, future: true });
    assert.deepEqual(byId.get('q2')?.['result'], { roots: [] }, 'a remote server learns no folder');
    assert.equal((byId.get('q3')?.['error'] as JsonObject)['code'], -32601);
    assert.deepEqual(byId.get('q4')?.['result'], {});
    const initialize = peer.requests.filter(({ rpc }) => rpc === 'initialize').at(-1);
    assert.deepEqual((initialize?.message['params'] as JsonObject)['capabilities'], {
      elicitation: { form: {}, url: {} },
    });
  });

  const oddList: JsonObject = {
    tools: [
      {
        name: 'a',
        inputSchema: { type: 'object', 'x-future': 1 },
        execution: { taskSupport: 'optional' },
        odd: [null],
      },
      { name: 7 },
    ],
    future: { kept: true },
  };
  const oddities = [
    { era: 'legacy', peer: legacyPeer, protocol: 'legacy', mark: {} },
    { era: 'modern', peer: modernPeer, protocol: 'auto', mark: { resultType: 'complete' } },
    { era: 'modern without its mark', peer: modernPeer, protocol: 'auto', mark: {} },
  ] as const;
  for (const { era, peer, protocol, mark } of oddities) {
    it(`has its result as it was sent, bad items and unknown fields included (${era})`, async () => {
      const { client } = await http(
        peer((_: unknown, answer: PeerAnswer) => answer.result({ ...oddList, ...mark })),
        { protocol },
      );
      assert.deepEqual(await client.request('tools/list', {}, { kind: 'list' }), oddList);
    });
  }

  it('passes input_required through unanswered', async () => {
    const inputRequired = {
      resultType: 'input_required',
      inputRequests: { r: { method: 'roots/list' } },
      requestState: 's',
    };
    const { client, peer } = await http(
      modernPeer((_, answer) => answer.result(inputRequired)),
      { protocol: 'auto' },
    );
    assert.deepEqual(await call(client, 'ask'), inputRequired);
    assert.equal(peer.wire().filter((method) => method === 'tools/call').length, 1);
  });

  it('carries the modern envelope; what the caller put into _meta wins', async () => {
    const { client, peer } = await http(
      modernPeer((_, answer) => answer.result({ resultType: 'complete' })),
      { protocol: 'auto' },
    );
    const caller = { name: 'caller', version: '1' };
    await client.request(
      'tools/call',
      { name: 'x', _meta: { 'io.modelcontextprotocol/clientInfo': caller } },
      { kind: 'call' },
    );
    const sent = peer.requests.find(({ rpc }) => rpc === 'tools/call');
    const meta = (sent?.message['params'] as JsonObject)['_meta'] as JsonObject;
    assert.equal(meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
    assert.deepEqual(meta['io.modelcontextprotocol/clientInfo'], caller);
    assert.deepEqual(meta['io.modelcontextprotocol/clientCapabilities'], {});
    assert.equal(meta['progressToken'], sent?.message['id']);
    assert.deepEqual([sent?.headers['mcp-method'], sent?.headers['mcp-name']], ['tools/call', 'x']);
  });

  it('has the error of its server whole', async () => {
    const client = await stdio('small-legacy');
    const error = await failure(client.request('no/such', {}, { kind: 'request' }));
    assert.deepEqual([error.code, error.data['number'], error.outcome], ['protocolError', -32601, 'completed']);
    assert.ok(error.cause instanceof RpcError);
  });

  it('is refused here when its era has no such thing', async () => {
    const client = await stdio('small-legacy');
    const error = await failure(client.listen({ toolsListChanged: true }, { timeoutMs: 1_000 }));
    assert.deepEqual([error.code, error.outcome], ['protocolError', 'notSent']);
  });

  it('may be a subscription, which tells what was honoured and how it ended', async () => {
    const client = await stdio('changes-modern', { protocol: '2026-07-28' });
    const notified: string[] = [];
    client.onNotification(({ method }) => notified.push(method));
    const subscription = await client.listen({ toolsListChanged: true }, { timeoutMs: patience });
    assert.equal(subscription.honoured['toolsListChanged'], true);
    await call(client, 'change', { add: ['count'] });
    await eventually(() => notified.includes('notifications/tools/list_changed'), patience, 'the change');
    subscription.close();
    assert.equal(await subscription.closed, 'local');
  });
});
