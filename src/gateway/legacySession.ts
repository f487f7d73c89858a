// One client of the legacy era (revisions up to 2025-11-25) from its `initialize` to its end: its requests under way, its
// own stream, what it wants to hear of, and the questions that wait for its answers. Nothing of another session is known
// here, and ids of this client's mean nothing outside (GATE-1). Promises: when it ends, everything of it is cancelled.
import { randomUUID } from 'node:crypto';
import { deferred, type Deferred } from '../base/deferred.ts';
import type { Disposable } from '../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import type { ProcessIdentity } from '../core/config/processIdentity.ts';
import { RpcError } from '../core/connection/rpcError.ts';
import { ManagerError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { callerOf } from './callerOf.ts';
import { crossing } from './extensions.ts';
import type { MessageStream } from './eventStream.ts';
import { type LegacyMessage, legacyRevisions, type RpcId } from './inbound.ts';
import { isLoudEnough, logLevels, wantLevel } from './logLevels.ts';
import { restartNotice } from './restartNotices.ts';
import { failed, RpcFailure, unlessWindowClosed } from './outcomes.ts';
import type { Outcome, Reply } from './reply.ts';
import type { ClientRequest, GatewayClient, Hello, Surface, SurfaceEvent } from './surface.ts';

type LegacyRequest = Extract<LegacyMessage, { kind: 'request' }>;

export class LegacySession implements Disposable {
  readonly id = randomUUID();
  readonly client: GatewayClient & { logLevel: string | undefined };
  readonly revision: string;
  /** The process that it belongs to, as its client told; undefined where it did not. */
  readonly owner: ProcessIdentity | undefined;
  readonly #surface: Surface;
  #ended: { readonly why: ManagerError | undefined } | undefined;
  readonly #underWay = new Map<RpcId, AbortController>();
  readonly #questions = new Map<string, Deferred<JsonObject>>();
  /** Resources that it wants to hear of, from the moment when it asks. */
  readonly #wanted = new Map<string, Promise<void>>();
  readonly #following: Disposable;
  #stream: MessageStream | undefined;
  /** Servers that were started again while no stream of its own was open: it is told with its next answer. */
  readonly #restarted = new Set<string>();
  #asked = 0;

  constructor(surface: Surface, hello: LegacyRequest, owner?: ProcessIdentity) {
    this.#surface = surface;
    this.owner = owner;
    const { capabilities, clientInfo, protocolVersion } = hello.params;
    this.client = {
      era: 'legacy',
      caller: callerOf(clientInfo, this.id),
      capabilities: isJsonObject(capabilities) ? capabilities : {},
      logLevel: undefined,
      seen: new Map(),
    };
    this.revision = legacyRevisions.find((revision) => revision === protocolVersion) ?? legacyRevisions[0];
    this.#following = surface.onEvent((event) => this.#hear(event));
  }

  get busy(): boolean {
    return this.#underWay.size > 0 || this.isHeard;
  }

  /** Its client's own stream is open. */
  get isHeard(): boolean {
    return this.#stream !== undefined;
  }

  /** The result of `initialize`. */
  initialized({ capabilities, serverInfo, instructions }: Hello): JsonObject {
    return {
      protocolVersion: this.revision,
      capabilities: crossing(capabilities),
      serverInfo,
      ...(instructions !== undefined && { instructions }),
    };
  }

  /** Takes the client's own stream, in place of an older one. */
  attach(stream: MessageStream): void {
    this.#stream?.end();
    this.#stream = stream;
  }

  detach(stream: MessageStream): void {
    if (this.#stream === stream) this.#stream = undefined;
  }

  /** `under` gives it up, as where the connection of the answer ends: nothing is kept for another one, nobody could get it. */
  async answer(
    { id, method, params }: LegacyRequest,
    reply: Pick<Reply, 'say'>,
    under = new AbortController(),
  ): Promise<Outcome> {
    if (this.#underWay.has(id)) return failed(new RpcFailure(-32600, 'Invalid request: this id is in use.'));
    if (this.#underWay.size >= limits.gateway.underWay)
      return failed(new RpcFailure(-32000, 'Too many requests are under way.'));
    // One for all that may end it: signals made of others are what costs most in a small call.
    const { signal } = under;
    if (this.#ended !== undefined) under.abort(this.#ended.why);
    this.#underWay.set(id, under);
    try {
      const request: ClientRequest = {
        method,
        params,
        client: this.client,
        signal,
        tell: (told, told_) => void reply.say({ jsonrpc: '2.0', method: told, params: told_ }),
        ask: (question, asked, until) => this.#ask(reply, question, asked, AbortSignal.any([until, signal])),
      };
      const outcome = await (ownMethods.has(method) ? this.#own(request) : this.#surface.answer(request));
      this.#tellRestarts(reply);
      return unlessWindowClosed(method, outcome, signal);
    } catch (error) {
      return unlessWindowClosed(method, failed(error), signal);
    } finally {
      this.#underWay.delete(id);
    }
  }

  /** A notification of the client's, or its answer to a question of ours. */
  take(message: Exclude<LegacyMessage, LegacyRequest>): void {
    if (message.kind === 'answer') {
      const question = typeof message.id === 'string' ? this.#questions.get(message.id) : undefined;
      if (question === undefined) return;
      const { result, error } = message.answer;
      if (isJsonObject(result)) question.resolve(result);
      else question.reject(errorOf(error));
    } else if (message.method === 'notifications/cancelled') {
      const id = message.params['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.#underWay.get(id)?.abort();
    }
  }

  /** Everything of this session is cancelled upstream. `why`: what its requests are told, where that is not just it. */
  dispose(why?: ManagerError): void {
    this.#ended = { why };
    for (const under of this.#underWay.values()) under.abort(why);
    this.#following.dispose();
    this.#stream?.end();
    for (const uri of [...this.#wanted.keys()]) this.#unsubscribe(uri).catch(() => undefined);
    if (this.client.logLevel === undefined) return;
    this.#surface.setLogLevel(wantLevel(this.#surface, this, undefined)).catch(() => undefined);
  }

  async #own({ method, params, signal }: ClientRequest): Promise<Outcome> {
    if (method === 'logging/setLevel') {
      const { level } = params;
      if (typeof level !== 'string' || !logLevels.includes(level))
        throw new RpcFailure(-32602, 'Invalid params: level is no log level.');
      this.client.logLevel = level;
      await this.#surface.setLogLevel(wantLevel(this.#surface, this, level));
    } else if (method !== 'ping') {
      const { uri } = params;
      if (typeof uri !== 'string') throw new RpcFailure(-32602, 'Invalid params: uri is no text.');
      if (method === 'resources/subscribe') await this.#subscribe(uri, signal);
      else await this.#unsubscribe(uri);
    }
    return { kind: 'value', result: {} };
  }

  async #subscribe(uri: string, signal: AbortSignal): Promise<void> {
    // Asked for once, whoever else waits for it; where that came to nothing, this one asks itself.
    for (let known = this.#wanted.get(uri); known !== undefined; known = this.#wanted.get(uri)) {
      if (await came(known)) return;
    }
    if (signal.aborted) throw new ManagerError('cancelled');
    const subscribed = this.#surface.subscribe(uri, { signal });
    this.#wanted.set(uri, subscribed);
    try {
      await subscribed;
    } catch (error) {
      if (this.#wanted.get(uri) === subscribed) this.#wanted.delete(uri);
      throw error;
    }
  }

  /** Counted there: what is taken back was there before. */
  async #unsubscribe(uri: string): Promise<void> {
    const subscribed = this.#wanted.get(uri);
    this.#wanted.delete(uri);
    if (subscribed !== undefined && (await came(subscribed))) await this.#surface.unsubscribe(uri);
  }

  async #ask(reply: Pick<Reply, 'say'>, method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    // Of this session alone: whoever outlives it may answer late, and then to another one.
    const id = `roundhouse-${this.id.slice(0, 8)}-${(this.#asked += 1)}`;
    const answer = deferred<JsonObject>();
    const giveUp = (): void => {
      reply.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      answer.reject(givenUp());
    };
    this.#questions.set(id, answer);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      if (signal.aborted || !reply.say({ jsonrpc: '2.0', id, method, params })) throw givenUp();
      return await answer.promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
      this.#questions.delete(id);
    }
  }

  #hear(event: SurfaceEvent): void {
    switch (event.kind) {
      case 'listChanged':
        this.#say(`notifications/${event.of}/list_changed`);
        return;
      case 'resourceUpdated':
        if (this.#wanted.has(event.uri)) this.#say('notifications/resources/updated', { uri: event.uri });
        return;
      case 'restarted':
        if (!isLoudEnough('warning', this.client.logLevel)) return;
        if (this.#stream === undefined) this.#restarted.add(event.server);
        else this.#say('notifications/message', restartNotice(event.server));
        return;
      case 'log': {
        const { params } = event;
        event.of.offer(() => {
          if (isLoudEnough(params['level'], this.client.logLevel)) this.#say('notifications/message', params);
        });
      }
    }
  }

  #tellRestarts(reply: Pick<Reply, 'say'>): void {
    for (const server of this.#restarted) {
      const told = { jsonrpc: '2.0', method: 'notifications/message', params: restartNotice(server) };
      if (!reply.say(told)) return;
      this.#restarted.delete(server);
    }
  }

  #say(method: string, params?: JsonObject): void {
    this.#stream?.send(JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) }));
  }
}

function came(subscribed: Promise<void>): Promise<boolean> {
  return subscribed.then(
    () => true,
    () => false,
  );
}

/** Of a question: what it belongs to went out already. */
function givenUp(): ManagerError {
  return new ManagerError('cancelled', {}, { outcome: 'unknown' });
}

/** What the session itself answers; all else is its surface's. */
const ownMethods = new Set(['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

function errorOf(error: unknown): RpcError {
  const { code, message, data } = isJsonObject(error) ? error : {};
  return new RpcError(typeof code === 'number' ? code : -32603, typeof message === 'string' ? message : '', data);
}
