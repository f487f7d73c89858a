// One request of a client to one server, over the eras of both (GATE-3). Same era: it crosses as it is. A modern client at
// a legacy server: what the server asks goes back as `input_required`. A legacy client at a modern server: what it asks in
// its result is asked of the client, and the request goes on with the answers.
import { without } from '../base/without.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../contract/json.ts';
import type { Asker, RawResult } from '../core/connection/liveClient.ts';
import { declinesRoots } from '../core/connection/permittedHandlers.ts';
import type { LiveServer } from '../core/manager/view.ts';
import { ManagerError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { type AskClient, clientAsker } from './clientAsker.ts';
import { isLoudEnough } from './logLevels.ts';
import { legacyResult, read } from './modernResult.ts';
import { RpcFailure, serverErrorBehind } from './outcomes.ts';
import type { PendingCalls } from './pendingCalls.ts';
import type { Outcome } from './reply.ts';
import type { ClientRequest } from './surface.ts';
import { upstreamParams } from './upstreamParams.ts';

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly asker?: Asker;
  readonly onProgress?: (params: JsonObject) => void;
  readonly onLog?: (params: JsonObject) => void;
}

/** Sends the request once, with these params. */
export type Send = (params: JsonObject, options: SendOptions) => Promise<RawResult>;

export function serverCall(
  asked: ClientRequest,
  live: LiveServer,
  pending: PendingCalls,
  send: Send,
): Promise<Outcome> {
  const { era } = live.client.negotiated;
  const request = declinesRoots(live.view.server.definition) ? withoutRoots(asked) : asked;
  if (request.client.era === 'legacy') return era === 'legacy' ? same(request, live, send) : questionsOf(request, send);
  return era === 'legacy' ? suspended(request, live, pending, send) : straight(request, send);
}

/** A client's folders are told no server that is to know none. */
function withoutRoots({ declared, client, ...request }: ClientRequest): ClientRequest {
  const capabilities = without(client.capabilities, 'roots');
  return { ...request, client: { ...client, capabilities }, ...(declared && { declared: without(declared, 'roots') }) };
}

async function same(request: ClientRequest, { client }: LiveServer, send: Send): Promise<Outcome> {
  const { ask, signal } = request;
  const { capabilities } = request.client;
  const asker = ask === undefined ? undefined : clientAsker(request.client, capabilities, ask);
  const turn = asker && (await client.turn(asker, signal));
  try {
    return await send(upstreamParams(request, 'legacy'), { signal, ...(asker && { asker }), ...toldBy(request) });
  } finally {
    turn?.dispose();
  }
}

async function straight(request: ClientRequest, send: Send): Promise<Outcome> {
  const result = await send(upstreamParams(request, 'modern'), { signal: request.signal, ...toldBy(request) });
  return { ...result, era: 'modern' };
}

async function questionsOf(request: ClientRequest, send: Send): Promise<Outcome> {
  let params = upstreamParams(request, 'modern');
  for (let round = 0; round < limits.gateway.rounds; round += 1) {
    const result = await send(params, { signal: request.signal, ...toldBy(request) }).catch((error: unknown) => {
      throw round === 0 ? error : sentBefore(error);
    });
    const read_ = result.kind === 'value' ? result.result : read(result.answer);
    if (read_['resultType'] !== 'input_required')
      return { kind: 'value', result: legacyResult({ kind: 'value', result: read_ }) };
    params = { ...params, ...(await answersTo(read_, request)) };
  }
  throw new RpcFailure(-32000, 'The server asked too often.');
}

/** A later round of a request: what it may have done before stays done (TOOL-4). */
function sentBefore(error: unknown): unknown {
  if (!(error instanceof ManagerError) || error.outcome !== 'notSent') return error;
  const { code, data, stderr } = error;
  return new ManagerError(code, data, { cause: error, outcome: 'unknown', stderr });
}

async function answersTo({ inputRequests, requestState }: JsonObject, request: ClientRequest): Promise<JsonObject> {
  const { ask, signal, client } = request;
  const asker = ask && clientAsker(client, client.capabilities, ask);
  const asked = isJsonObject(inputRequests) ? Object.entries(inputRequests) : [];
  const roots = isJsonObject(client.capabilities['roots']) ? ask : undefined;
  const answers = asked.map(
    async ([name, question]) => [name, await answerTo(question, asker, roots, signal)] as const,
  );
  return {
    inputResponses: Object.fromEntries(await Promise.all(answers)),
    ...(requestState !== undefined && { requestState }),
  };
}

async function answerTo(
  question: JsonValue | undefined,
  asker: Asker | undefined,
  roots: AskClient | undefined,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { method, params } = isJsonObject(question) ? question : {};
  const about = isJsonObject(params) ? params : {};
  if (method === 'elicitation/create') return (await asker?.elicit?.(about, signal)) ?? { action: 'decline' };
  if (method === 'sampling/createMessage' && asker?.sample !== undefined) return asker.sample(about, signal);
  if (method === 'roots/list' && roots !== undefined) return roots(method, about, signal);
  throw new ManagerError('inputRequired', {}, { outcome: 'completed' });
}

function suspended(request: ClientRequest, live: LiveServer, pending: PendingCalls, send: Send): Promise<Outcome> {
  const { inputResponses, requestState, ...own } = upstreamParams(request, 'legacy');
  const { onProgress, onLog } = toldBy(request);
  const leg = { signal: request.signal, onProgress, onLog };
  const about = JSON.stringify([live.view.key, request.method, { ...own, _meta: undefined }]);
  if (requestState !== undefined) {
    const responses = isJsonObject(inputResponses) ? inputResponses : {};
    return pending.resume(typeof requestState === 'string' ? requestState : '', about, responses, leg);
  }
  const { capabilities } = request.client;
  return pending.start(about, leg, async ({ signal, ask, onProgress, onLog, giveWay }) => {
    const lacking = new Set<string>();
    const unable = (method: string): void => void lacking.add(method);
    const asker = { ...clientAsker(leg, capabilities, ask), unable, giveWay };
    const turn = await live.client.turn(asker, signal);
    try {
      return await send(own, { signal, asker, onProgress, onLog });
    } catch (error) {
      throw lacking.size > 0 && serverErrorBehind(error) !== undefined ? lacks(lacking) : error;
    } finally {
      turn.dispose();
    }
  });
}

/** The server could not do without what its client did not declare (2026-07-28, basic, capabilities). */
function lacks(methods: ReadonlySet<string>): RpcFailure {
  const names = [...methods].map((method) => method.split('/', 1)[0] ?? method);
  const requiredCapabilities = Object.fromEntries(names.map((name) => [name, {}]));
  return new RpcFailure(-32021, `Missing client capability: ${names.join(', ')}`, { requiredCapabilities });
}

/** Progress under the token that this client chose, and log lines; none of what it did not ask for. */
function toldBy(request: ClientRequest): Pick<SendOptions, 'onProgress' | 'onLog'> {
  const { params, client } = request;
  const meta = params['_meta'];
  const progressToken: JsonValue | undefined = isJsonObject(meta) ? meta['progressToken'] : undefined;
  const wantsLog = client.era === 'legacy' || client.logLevel !== undefined;
  return {
    ...(progressToken !== undefined && {
      onProgress: (progress) => request.tell('notifications/progress', { ...progress, progressToken }),
    }),
    ...(wantsLog && {
      onLog: (line) => {
        if (isLoudEnough(line['level'], client.logLevel)) request.tell('notifications/message', line);
      },
    }),
  };
}
