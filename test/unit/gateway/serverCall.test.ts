import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../src/contract/json.ts';
import { RpcError } from '../../../src/core/connection/rpcError.ts';
import type { Era } from '../../../src/core/connection/state.ts';
import { ManagerError } from '../../../src/core/errors.ts';
import { limits } from '../../../src/core/limits.ts';
import type { LiveServer } from '../../../src/core/manager/view.ts';
import { failed } from '../../../src/gateway/outcomes.ts';
import { PendingCalls } from '../../../src/gateway/pendingCalls.ts';
import type { Outcome } from '../../../src/gateway/reply.ts';
import { type Send, type SendOptions, serverCall } from '../../../src/gateway/serverCall.ts';
import { clientRequest, type KeptRequest } from '../../support/clientRequest.ts';
import { FakeLiveClient } from '../../support/fakeLiveClient.ts';
import { serverView } from '../../support/managerView.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { settled } from '../../support/settled.ts';
import { snapshotOf } from '../../support/snapshotOf.ts';

type Answer = (params: JsonObject, options: SendOptions) => JsonObject;

/** The request at a server of this era, which answers so. */
async function crossed(request: KeptRequest, era: Era, answer: Answer, view = serverView('one')): Promise<Outcome> {
  const live = { view, client: new FakeLiveClient({}, { era }), snapshot: snapshotOf() };
  const pending = new PendingCalls(new ManualClock());
  const send: Send = (params, options) =>
    Promise.resolve().then(() => ({ kind: 'value', result: answer(params, options) }));
  try {
    return await serverCall(request, live as unknown as LiveServer, pending, send);
  } catch (error) {
    return failed(error);
  } finally {
    pending.dispose();
  }
}

const meta = (params: JsonObject): JsonObject => params['_meta'] as JsonObject;
const levelKey = 'io.modelcontextprotocol/logLevel';
const refusal = new ManagerError('protocolError', {}, { cause: new RpcError(-1, 'no', undefined) });

describe('a request across eras', () => {
  it('tells a modern server the log level of a legacy session, and none where it named none', async () => {
    const seen: unknown[] = [];
    for (const logLevel of ['warning', undefined]) {
      await crossed(clientRequest({ client: { logLevel } }), 'modern', (params) => {
        seen.push(meta(params)[levelKey]);
        return {};
      });
    }
    assert.deepEqual(seen, ['warning', undefined]);
  });

  it('does not tell a legacy server a level, which it has one of for all', async () => {
    const request = clientRequest({
      client: { era: 'modern', logLevel: 'debug' },
      params: { name: 'a', _meta: { [levelKey]: 'debug', kept: 1 } },
    });
    await crossed(request, 'legacy', (params) => {
      assert.deepEqual(meta(params), { kept: 1 });
      return {};
    });
  });

  for (const era of ['legacy', 'modern'] as const) {
    it(`gives the client log lines of the request from its level on: a ${era} client`, async () => {
      const request = clientRequest({ client: { era, logLevel: 'warning' } });
      await crossed(request, era, (_params, { onLog }) => {
        for (const level of ['info', 'warning', 'error']) onLog?.({ level, data: level });
        return {};
      });
      assert.deepEqual(
        request.told.map(({ method, params }) => [method, params['level']]),
        [
          ['notifications/message', 'warning'],
          ['notifications/message', 'error'],
        ],
      );
    });
  }

  it('gives a modern client no log lines that it did not ask for', async () => {
    await crossed(clientRequest({ client: { era: 'modern' } }), 'modern', (_params, { onLog }) => {
      assert.equal(onLog, undefined);
      return {};
    });
  });

  const askingForRoots: Answer = ({ inputResponses }) =>
    inputResponses === undefined
      ? { resultType: 'input_required', inputRequests: { where: { method: 'roots/list', params: {} } } }
      : { resultType: 'complete', got: inputResponses };

  it('asks a legacy client for the roots that a modern server asks for during its request', async () => {
    const request = clientRequest({
      client: { capabilities: { roots: {} } },
      ask: (method) => Promise.resolve({ roots: [], method }),
    });
    const outcome = await crossed(request, 'modern', askingForRoots);
    assert.deepEqual(outcome, {
      kind: 'value',
      result: { got: { where: { roots: [], method: 'roots/list' } } },
    });
  });

  it('tells a server that is to know no folders none of a client either, of both eras', async () => {
    const { server, ...rest } = serverView('one');
    const view = { ...rest, server: { ...server, definition: { ...server.definition, roots: false } } };
    for (const era of ['legacy', 'modern'] as const) {
      const declared = { roots: {}, sampling: {} };
      const request = clientRequest({
        client: { era, capabilities: declared },
        ask: () => Promise.reject(new Error('asked')),
      });
      const seen: unknown[] = [];
      const answer: Answer = (params, options) => {
        seen.push(meta(params)['io.modelcontextprotocol/clientCapabilities']);
        return askingForRoots(params, options);
      };
      const outcome = await crossed(request, 'modern', answer, view as typeof rest & { server: typeof server });
      await crossed({ ...request, declared }, 'modern', answer, view as typeof rest & { server: typeof server });
      assert.deepEqual(seen, [{ sampling: {} }, { sampling: {} }]);
      if (era === 'legacy') assert.equal(outcome.kind === 'error' && outcome.error.data?.['code'], 'inputRequired');
    }
  });

  it('asks no client for roots that did not declare any', async () => {
    const request = clientRequest({ ask: () => Promise.reject(new Error('asked')) });
    const outcome = await crossed(request, 'modern', askingForRoots);
    assert.equal(outcome.kind === 'error' && outcome.error.data?.['code'], 'inputRequired');
  });

  it('takes the answer to a question for the request alone that was asked: its server, its method and its params', async () => {
    const clock = new ManualClock();
    const pending = new PendingCalls(clock);
    const ask = (server: string, method: string, params: JsonObject): Promise<Outcome> => {
      const live = {
        view: serverView(server),
        client: new FakeLiveClient({}, { era: 'legacy' }),
        snapshot: snapshotOf(),
      };
      const client = { era: 'modern', capabilities: { elicitation: {} } } as const;
      const send: Send = async (_params, { asker, signal }) => {
        const answer = await asker?.elicit?.({}, signal);
        return { kind: 'value', result: { answer: answer ?? {} } };
      };
      return serverCall({ ...clientRequest({ client, params }), method }, live as unknown as LiveServer, pending, send);
    };
    const params = { name: 'a', arguments: { x: 1 } };
    const first = ask('one', 'tools/call', params);
    await settled();
    clock.advance(limits.gateway.gather);
    const asked = await first;
    assert.ok(asked.kind === 'value');
    const answer = { requestState: asked.result['requestState'] ?? '', inputResponses: { 'question-1': { is: 'it' } } };
    for (const [server, method, other] of [
      ['two', 'tools/call', params],
      ['one', 'prompts/get', params],
      ['one', 'tools/call', { ...params, name: 'b' }],
      ['one', 'tools/call', { ...params, arguments: { x: 2 } }],
    ] as const) {
      const refused = await Promise.resolve()
        .then(() => ask(server, method, { ...other, ...answer }))
        .catch(failed);
      assert.equal(refused.kind === 'error' && refused.error.code, -32602, `${server} ${method}`);
    }
    assert.deepEqual(await ask('one', 'tools/call', { ...params, ...answer }), {
      kind: 'value',
      result: { answer: { is: 'it' } },
    });
    pending.dispose();
  });

  it('says which capability a modern client lacks where a legacy server fails without it', async () => {
    const outcome = await crossed(clientRequest({ client: { era: 'modern' } }), 'legacy', (_params, { asker }) => {
      asker?.unable?.('sampling/createMessage');
      throw refusal;
    });
    assert.deepEqual(outcome, {
      kind: 'error',
      error: {
        code: -32021,
        message: 'Missing client capability: sampling',
        data: { requiredCapabilities: { sampling: {} } },
      },
    });
  });

  it('leaves a legacy server its own failure where nothing was lacking, and its result where it did without', async () => {
    const request = (): KeptRequest => clientRequest({ client: { era: 'modern' } });
    const failure = await crossed(request(), 'legacy', () => {
      throw refusal;
    });
    assert.deepEqual(failure, { kind: 'error', error: { code: -1, message: 'no' } });
    const result = await crossed(request(), 'legacy', (_params, { asker }) => {
      asker?.unable?.('sampling/createMessage');
      return { isError: true };
    });
    assert.deepEqual(result, { kind: 'value', result: { isError: true } });
  });
});
