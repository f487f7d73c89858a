// Requests of the aggregate's clients that go to one server (GATE-4): its name there in place of the outward one, and the
// outward addresses in what comes back. Each waits for the live server, whatever list its name was taken from (DISC-8).
// Promises: tools only through the router (TOOL-2), and what they answer bounded towards a model (TOOL-5).
import type { Clock } from '../base/clock.ts';
import { type Disposable } from '../base/disposable.ts';
import { isDeeperThan } from '../base/jsonDepth.ts';
import { visibleLine } from '../base/sanitise.ts';
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import { ManagerError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { LiveServer } from '../core/manager/view.ts';
import type { ToolRouter } from '../core/tools/toolRouter.ts';
import type { CatalogItem, Found } from './aggregateCatalog.ts';
import { logOf } from './aggregateEvents.ts';
import type { AggregateResults } from './aggregateResults.ts';
import type { AggregateServers } from './aggregateServers.ts';
import { withoutExtensions } from './extensions.ts';
import { innerUri, withOutwardUris } from './aggregateUris.ts';
import { refuseUnmirrored } from './mirroredArguments.ts';
import { read } from './modernResult.ts';
import { failed, RpcFailure } from './outcomes.ts';
import { PendingCalls } from './pendingCalls.ts';
import type { Outcome } from './reply.ts';
import { sendTool } from './sendTool.ts';
import { serverCall } from './serverCall.ts';
import type { ClientRequest } from './surface.ts';

export interface AggregateRequestsDeps {
  readonly servers: Pick<AggregateServers, 'use' | 'awaitOwners'>;
  readonly results: AggregateResults;
  readonly forward: ToolRouter['forward'];
  readonly clock: Clock;
}

/** Something that is called by a name: what finds it now, and whose it could be while its server is not known. */
export interface Named {
  readonly name: string;
  readonly find: () => Found | undefined;
  readonly isOwner: (server: string) => boolean;
}

type Finish = (result: JsonObject, server: string) => JsonObject;

export class AggregateRequests implements Disposable {
  readonly #deps: AggregateRequestsDeps;
  readonly #pending: PendingCalls;

  constructor(deps: AggregateRequestsDeps) {
    this.#deps = deps;
    this.#pending = new PendingCalls(deps.clock);
  }

  /** `tools/call`; its params name the tool outwardly. */
  async callTool(request: ClientRequest, named: Named): Promise<Outcome> {
    const { forward, results } = this.#deps;
    const { server } = await this.#find(named, 'tool', request.signal);
    const bounded: Finish = (result, id) => results.bound(withOutwardUris(id, readable(result, id)));
    return this.#at(server.id, request, bounded, async (live, request) => {
      // What came up with it may have taken the name from both.
      const { inner: tool } = await this.#find(named, 'tool', request.signal);
      refuseUnmirrored(request, () => live.snapshot.tools.find(({ name }) => name === tool));
      return serverCall(request, live, this.#pending, sendTool({ forward, live, client: request.client, tool }));
    });
  }

  /** `prompts/get`; `check` looks at the prompt as it is live. */
  async getPrompt(request: ClientRequest, named: Named, check: (item: CatalogItem) => void): Promise<Outcome> {
    const { server } = await this.#find(named, 'prompt', request.signal);
    return this.#at(server.id, request, withUris, async (live, request) => {
      const item = await this.#find(named, 'prompt', request.signal);
      check(item);
      return this.#pass(request, live, { name: item.inner });
    });
  }

  /** `resources/read` of an outward address. */
  async read(request: ClientRequest, uri: unknown): Promise<Outcome> {
    const inner = typeof uri === 'string' ? innerUri(uri) : undefined;
    if (inner === undefined) throw new RpcFailure(-32002, 'Resource not found: this is no address of a list of ours.');
    if (inner.kind === 'result') return { kind: 'value', result: this.#deps.results.read(inner.id, inner.page) };
    return this.#at(inner.server, request, withUris, (live, request) => this.#pass(request, live, { uri: inner.uri }));
  }

  /** `completion/complete`; no suggestions where the server has none to make. */
  async complete(request: ClientRequest, promptNamed: (name: string) => Named): Promise<Outcome> {
    const { ref } = request.params;
    const { type, name, uri } = isJsonObject(ref) ? ref : {};
    const inner = type === 'ref/resource' && typeof uri === 'string' ? innerUri(uri) : undefined;
    if (inner?.kind === 'server') {
      return this.#completeAt(inner.server, request, { type: 'ref/resource', uri: inner.uri });
    }
    if (type !== 'ref/prompt' || typeof name !== 'string') {
      throw new RpcFailure(-32602, 'Invalid params: ref is nothing that is listed here.');
    }
    const item = await this.#find(promptNamed(name), 'prompt', request.signal);
    return this.#completeAt(item.server.id, request, { type: 'ref/prompt', name: item.inner });
  }

  dispose(): void {
    this.#pending.dispose();
  }

  #completeAt(server: string, request: ClientRequest, ref: JsonObject): Promise<Outcome> {
    return this.#at(
      server,
      request,
      (result) => result,
      async (live, request) => {
        if (isJsonObject(live.client.capabilities['completions'])) return this.#pass(request, live, { ref });
        return { kind: 'value', result: { completion: { values: [], hasMore: false } } };
      },
    );
  }

  /** The request with the server's own name or address in it. */
  #pass(request: ClientRequest, live: LiveServer, inner: JsonObject): Promise<Outcome> {
    return serverCall(request, live, this.#pending, (params, options) =>
      live.client.requestRaw(request.method, { ...params, ...inner }, { kind: 'request', ...options }),
    );
  }

  async #at(
    id: string,
    request: ClientRequest,
    finish: Finish,
    run: (live: LiveServer, request: ClientRequest) => Promise<Outcome>,
  ): Promise<Outcome> {
    const tell: ClientRequest['tell'] = (method, params) =>
      request.tell(method, method === 'notifications/message' ? logOf(id, params) : params);
    let live: LiveServer | undefined;
    try {
      live = await this.#deps.servers.use(id, request.signal);
      const declared = withoutExtensions(request.client.capabilities);
      const outcome = await run(live, { ...request, tell, declared });
      if (outcome.kind === 'error') return outcome;
      const result = resultIn(outcome, id, request.method);
      const { resultType = 'complete' } = result;
      // A question in place of a result belongs to the client's wire.
      const finished = resultType === 'complete' ? finish(result, id) : result;
      // What may go as it is goes as the bytes that came.
      if (finished === result) return outcome;
      return { kind: 'value', result: finished };
    } catch (error) {
      return failed(error, live?.client.redactor);
    }
  }

  /** What the name stands for; a promise only where its server is not known yet. */
  #find(named: Named, what: string, signal: AbortSignal): CatalogItem | Promise<CatalogItem> {
    const found = named.find();
    return found?.kind === 'one' ? found.item : this.#awaited(named, what, signal);
  }

  async #awaited({ name, find, isOwner }: Named, what: string, signal: AbortSignal): Promise<CatalogItem> {
    if (find() === undefined) await this.#deps.servers.awaitOwners(isOwner, signal);
    const found = find();
    if (found?.kind === 'one') return found.item;
    if (found?.kind === 'ambiguous') throw new ManagerError('ambiguousName', { name });
    throw new RpcFailure(-32602, `Invalid params: there is no ${what} ${visibleLine(name, 100)}.`);
  }
}

const withUris: Finish = (result, server) => withOutwardUris(server, result);

/** A result that a model can be given; what its server may have meant by another one is not for us to say. */
function readable(result: JsonObject, server: string): JsonObject {
  const { content, isError } = result;
  const detail =
    content !== undefined && !Array.isArray(content)
      ? 'content is no list'
      : isError !== undefined && typeof isError !== 'boolean'
        ? 'isError is neither true nor false'
        : undefined;
  if (detail === undefined) return result;
  throw new ManagerError('invalidResponse', { server, method: 'tools/call', detail }, { outcome: 'completed' });
}

/** The result as data; invalidResponse where it is none, or nested so deeply that it could not be written down. */
function resultIn(outcome: Exclude<Outcome, { kind: 'error' }>, server: string, method: string): JsonObject {
  const invalid = (detail: string): ManagerError =>
    new ManagerError('invalidResponse', { server, method, detail }, { outcome: 'completed' });
  let result: unknown;
  try {
    result = outcome.kind === 'value' ? outcome.result : read(outcome.answer);
  } catch {
    throw invalid('the result is not JSON');
  }
  if (!isJsonObject(result)) throw invalid('the result is not an object');
  if (isDeeperThan(result, limits.answer.depth)) throw invalid('the result is nested too deeply');
  return result;
}
