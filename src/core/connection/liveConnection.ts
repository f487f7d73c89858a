// The one LiveClient: requests of ours over a wire, with deadlines, cancellation and failures told apart; subscriptions
// and requests of the server's through the SDK's client. Promises: each request settles once, by answer, abort,
// time-out or the end of the connection, and says how far it got; nothing is ever sent twice.
import type { Client } from '@modelcontextprotocol/client';
import { isDeeperThan } from '../../base/jsonDepth.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Redactor } from '../../base/redact.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { ManagerError, type Outcome } from '../errors.ts';
import { limits } from '../limits.ts';
import { redactFailure } from '../transport/launchRedactor.ts';
import { classifyFailure } from './classifyFailure.ts';
import { HealthWatch, isWatched, type WatchedServer } from './healthWatch.ts';
import type { Asker, LiveClient, LiveSubscription, RawResult, RequestOptions } from './liveClient.ts';
import { OnceEvent } from './onceEvent.ts';
import { OpenRequest, type RequestHost, type RequestParts } from './openRequest.ts';
import type { Negotiated, Problem } from './state.ts';
import { type Answer, type Exchange, WireClosed } from './wire.ts';

export interface LiveParts extends RequestParts {
  readonly client: Client;
  /** Takes out of errors what the server was lent; absent where that is nothing. */
  readonly redactor?: Redactor;
  readonly negotiated: Negotiated;
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject;
  /** `_meta` that every modern request and notification carries; undefined in the legacy era. */
  readonly envelope: JsonObject | undefined;
  /** Why the transport ended by itself. */
  endProblem(): Problem;
  /** Ends the transport; resolves when nothing of it is left. */
  end(): Promise<void>;
}

export class LiveConnection implements LiveClient {
  readonly negotiated: Negotiated;
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject;
  readonly redactor: Redactor | undefined;
  readonly onNotification: Event<{ readonly method: string; readonly params: JsonObject }>;
  readonly #parts: LiveParts;
  readonly #closed = new OnceEvent<Problem | undefined>();
  readonly #open = new Set<OpenRequest>();
  readonly #host: RequestHost;
  readonly #health: HealthWatch | undefined;
  #end: { readonly problem: Problem | undefined } | undefined;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    const { redactor } = parts;
    this.redactor = redactor;
    this.negotiated = redactor === undefined ? parts.negotiated : withoutSecrets(parts.negotiated, redactor);
    this.capabilities = parts.capabilities;
    this.serverInfo = parts.serverInfo;
    this.onNotification = parts.wire.onNotification;
    this.#host = this.#asHost();
    this.#health = isWatched(parts.negotiated) ? new HealthWatch(this.#asWatched()) : undefined;
    parts.wire.onEnded(() => this.#settleEnd({ problem: parts.endProblem() }));
  }

  get onClose(): Event<Problem | undefined> {
    return this.#closed.event;
  }

  async request(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<JsonObject> {
    const answer = await this.#ask(method, params, options, false);
    return withoutCompleteMark(this.#read(method, answer, options));
  }

  async requestRaw(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<RawResult> {
    const answer = await this.#ask(method, params, options, true);
    // How deep the bytes are nested was measured when they came.
    return answer.kind === 'raw' ? answer : { kind: 'value', result: this.#read(method, answer, options) };
  }

  turn({ identity }: Asker, signal: AbortSignal): Promise<Disposable> {
    return this.#parts.questions.askers.turn(identity, signal);
  }

  async notify(method: string, params?: JsonObject): Promise<void> {
    if (this.#end !== undefined) throw this.#endError('notSent');
    try {
      await this.#parts.wire.notify(method, this.#enveloped(params));
    } catch (error) {
      throw this.#endedBy(this.#failed(method, error));
    }
  }

  async listen(filter: JsonObject, options: { signal?: AbortSignal; timeoutMs: number }): Promise<LiveSubscription> {
    const { signal, timeoutMs } = options;
    if (isAborted(signal)) throw this.#cancelled('notSent');
    if (this.#end !== undefined) throw this.#endError('notSent');
    try {
      const subscription = await this.#parts.client.listen(filter, {
        timeout: timeoutMs,
        ...(signal === undefined ? {} : { signal }),
      });
      return {
        honoured: { ...subscription.honoredFilter },
        closed: subscription.closed,
        close: () => void subscription.close().catch(() => undefined),
      };
    } catch (error) {
      if (isAborted(signal)) throw this.#cancelled('unknown');
      throw this.#endedBy(this.#failed('subscriptions/listen', error));
    }
  }

  async close(): Promise<void> {
    this.#settleEnd({ problem: undefined });
    const { client, questions } = this.#parts;
    questions.dispose();
    await Promise.allSettled([this.#parts.end(), client.close()]);
  }

  #ask(method: string, params: JsonObject | undefined, options: RequestOptions, raw: boolean): Promise<Answer> {
    if (isAborted(options.signal)) throw this.#cancelled('notSent');
    if (this.#end !== undefined) throw this.#endError('notSent');
    return this.#run(method, this.#enveloped(params), options, raw);
  }

  #read(method: string, answer: Answer, { kind }: RequestOptions): JsonObject {
    const result: unknown = answer.kind === 'raw' ? undefined : answer.result;
    if (!isJsonObject(result)) throw this.#invalid(method, 'its result is no object');
    // Items of a list are judged one by one (DISC-2).
    if (kind !== 'list' && isDeeperThan(result, limits.answer.depth)) {
      throw this.#invalid(method, `its result is nested deeper than ${limits.answer.depth} levels`);
    }
    return result;
  }

  #run(method: string, params: JsonObject | undefined, options: RequestOptions, raw: boolean): Promise<Answer> {
    const request = new OpenRequest(this.#parts, this.#host, method, params, options, raw);
    this.#open.add(request);
    return request.answer;
  }

  #asHost(): RequestHost {
    const isOver = (): boolean => this.#end !== undefined;
    return {
      get isOver() {
        return isOver();
      },
      failureOf: (method, error) => this.#failed(method, error),
      cancelled: (outcome) => this.#cancelled(outcome),
      endError: (outcome) => this.#endError(outcome),
      noteFailure: (failure) => this.#endedBy(failure),
      giveUp: (exchange, stream, reason) => this.#cancel(exchange, stream, reason),
      answered: () => this.#health?.heard(),
      settled: (request) => this.#open.delete(request),
    };
  }

  #asWatched(): WatchedServer {
    return {
      clock: this.#parts.clock,
      era: this.negotiated.era,
      isBusy: () => this.#open.size > 0,
      ask: (method, signal) => this.request(method, undefined, { kind: 'request', signal }),
      silent: (ms) => {
        const { stderr } = this.#parts.endProblem();
        const data = { server: this.#parts.id, seconds: Math.round(ms / 1_000) };
        this.#settleEnd({ problem: { code: 'notResponding', data, ...(stderr && { stderr }) } });
        void this.close();
      },
    };
  }

  /** Tells the server, best effort: modern HTTP by closing the stream, every other connection by a notification. */
  #cancel(exchange: Exchange, stream: AbortController | undefined, reason: string): void {
    const { wire, negotiated } = this.#parts;
    if (negotiated.era === 'legacy' || !wire.hasPerRequestStream) {
      const params = this.#enveloped({ requestId: exchange.id, reason });
      wire.notify('notifications/cancelled', params).catch(() => undefined);
    }
    stream?.abort();
  }

  #enveloped(params: JsonObject | undefined): JsonObject | undefined {
    const { envelope } = this.#parts;
    if (envelope === undefined) return params;
    const meta = params?.['_meta'];
    return { ...params, _meta: { ...envelope, ...(isJsonObject(meta) ? meta : {}) } };
  }

  /** A lost session or a missing sign-in holds for all that comes after it, from this moment on (CONN-11, CONN-12). */
  #endedBy(failure: ManagerError): ManagerError {
    const { code } = failure;
    if (code === 'sessionLost' || code === 'signInNeeded') {
      this.#settleEnd({ problem: { code, data: { server: this.#parts.id } } });
      void this.close();
    }
    return failure;
  }

  #settleEnd(end: { readonly problem: Problem | undefined }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#health?.dispose();
    this.#closed.fire(end.problem);
    for (const request of [...this.#open]) request.end();
  }

  #failed(method: string, error: unknown): ManagerError {
    const failure = this.#classified(method, error);
    const { redactor } = this.#parts;
    return redactor === undefined ? failure : redactFailure(failure, redactor);
  }

  #classified(method: string, error: unknown): ManagerError {
    if (error instanceof WireClosed) return this.#endError('unknown');
    const failure = classifyFailure(error, { server: this.#parts.id, method });
    return failure.code === 'connectionClosed' && this.#end !== undefined ? this.#endError(failure.outcome) : failure;
  }

  #invalid(method: string, detail: string): ManagerError {
    return new ManagerError('invalidResponse', { server: this.#parts.id, method, detail }, { outcome: 'completed' });
  }

  #cancelled(outcome: Outcome): ManagerError {
    return new ManagerError('cancelled', { server: this.#parts.id }, { outcome });
  }

  #endError(outcome: Outcome): ManagerError {
    const problem = this.#end?.problem;
    const data = problem?.data ?? { server: this.#parts.id };
    return new ManagerError(problem?.code ?? 'connectionClosed', data, { outcome, stderr: problem?.stderr });
  }
}

/** What a server says of itself is shown, and it may repeat what it was lent. */
function withoutSecrets(negotiated: Negotiated, redactor: Redactor): Negotiated {
  const { serverName, serverVersion, instructions } = negotiated;
  const words = Object.entries({ serverName, serverVersion, instructions }).filter(([, text]) => text !== undefined);
  return { ...negotiated, ...redactor.content(Object.fromEntries(words)) };
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** `resultType: complete` is the modern wire's own mark; every other kind of result stays visible. */
function withoutCompleteMark(result: JsonObject): JsonObject {
  if (result['resultType'] !== 'complete') return result;
  return Object.fromEntries(Object.entries(result).filter(([name]) => name !== 'resultType'));
}
