// One request of ours under way on a wire. Promises: settles once, by its answer, its caller's abort, its deadline or the
// end of the connection, and leaves no timer and no listener behind. Decides nothing about what failures mean: the
// connection does (liveConnection.ts).
import type { Clock } from '../../base/clock.ts';
import { type Deferred, deferred } from '../../base/deferred.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { ServerId, TimeoutOverrides } from '../../contract/serverConfig.ts';
import type { ManagerError, Outcome } from '../errors.ts';
import { limits } from '../limits.ts';
import { type Noise, withNoise, withSize } from './circumstances.ts';
import { deadlineTimes, timeoutError } from './deadlineTimes.ts';
import type { RequestOptions } from './liveClient.ts';
import type { Questions } from './questions.ts';
import { RequestDeadline } from './requestDeadline.ts';
import type { Answer, Exchange, Wire } from './wire.ts';

export interface RequestParts {
  readonly id: ServerId;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly questions: Questions;
  /** Asked anew for each request. */
  readonly timeouts: () => TimeoutOverrides;
  /** What a process printed to stdout that was no message. */
  readonly noise?: () => Noise;
}

/** The connection, as its requests see it. */
export interface RequestHost {
  /** It has ended, and how is known. */
  readonly isOver: boolean;
  failureOf(method: string, error: unknown): ManagerError;
  cancelled(outcome: Outcome): ManagerError;
  endError(outcome: Outcome): ManagerError;
  /** A failure may hold for all that comes after it. */
  noteFailure(failure: ManagerError): void;
  /** Tells the server that nobody waits any more. */
  giveUp(exchange: Exchange, stream: AbortController | undefined, reason: string): void;
  /** The server answered it with a result. */
  answered(): void;
  /** It is over, however it ended. */
  settled(request: OpenRequest): void;
}

export class OpenRequest {
  readonly #parts: RequestParts;
  readonly #host: RequestHost;
  readonly #method: string;
  readonly #params: JsonObject | undefined;
  readonly #options: RequestOptions;
  readonly #answer: Deferred<Answer> = deferred();
  readonly #heard: number | undefined;
  /** Where each request has an HTTP stream of its own. */
  readonly #stream: AbortController | undefined;
  readonly #deadline: RequestDeadline;
  readonly #exchange: Exchange;
  readonly #owned: Disposable[];
  readonly #onAbort: (() => void) | undefined;
  /** How far it got, as far as its transport told. */
  #outcome: Outcome = 'unknown';

  /** Sends it. `raw`: the answer as bytes, where the transport has them. */
  constructor(
    parts: RequestParts,
    host: RequestHost,
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions,
    raw: boolean,
  ) {
    const { wire, clock, timeouts, questions, noise } = parts;
    const { kind, headers, onLog, asker, signal } = options;
    this.#parts = parts;
    this.#host = host;
    this.#method = method;
    this.#params = params;
    this.#options = options;
    this.#heard = noise?.().count;
    this.#stream = wire.hasPerRequestStream ? new AbortController() : undefined;
    this.#deadline = new RequestDeadline(clock, deadlineTimes(kind, timeouts()), (ms) => this.#expire(ms));
    const streamSignal = this.#stream?.signal;
    this.#exchange = wire.exchange(method, params, { headers, raw, streamSignal, onLog, onProgress: this.#progress() });
    this.#owned = [this.#deadline, questions.askers.follow(this.#exchange.id, asker)];
    if (kind === 'call') this.#owned.push(questions.follow(this.#deadline));
    if (signal !== undefined) {
      this.#onAbort = (): void => this.#giveUp(host.cancelled('unknown'), 'The caller cancelled the request.');
      signal.addEventListener('abort', this.#onAbort, { once: true });
    }
    this.#exchange.answer.then(
      (answer) => {
        this.#settle();
        this.#host.answered();
        this.#answer.resolve(answer);
      },
      (error: unknown) => this.#failed(error),
    );
  }

  /** Fails with a ManagerError. */
  get answer(): Promise<Answer> {
    return this.#answer.promise;
  }

  /** The connection has ended. */
  end(): void {
    this.#fail(this.#host.endError(this.#outcome));
  }

  /** A call always asks for progress: it is what keeps its deadline away (CONN-6). */
  #progress(): ((params: JsonObject) => void) | undefined {
    const { kind, onProgress } = this.#options;
    if (kind !== 'call') return onProgress;
    return (params) => {
      this.#deadline.renew();
      onProgress?.(params);
    };
  }

  #failed(error: unknown): void {
    const { clock } = this.#parts;
    const failure = this.#host.failureOf(this.#method, error);
    if (failure.code === 'connectionClosed' && !this.#host.isOver) {
      // How it ended is known a moment later, and then it is the same for all that are under way.
      this.#outcome = failure.outcome;
      this.#owned.push(clock.after(untilEnded, () => this.#fail(failure)));
    } else {
      this.#fail(failure);
      this.#host.noteFailure(failure);
    }
  }

  #expire(ms: number): void {
    const { id, noise } = this.#parts;
    const error = timeoutError(id, this.#options.kind, this.#method, this.#params, ms);
    this.#giveUp(withNoise(error, noise?.(), this.#heard), 'The request took too long.');
  }

  #giveUp(error: ManagerError, reason: string): void {
    this.#exchange.abandon();
    this.#parts.questions.askers.abandon(this.#exchange.id);
    this.#settle();
    this.#answer.reject(error);
    this.#host.giveUp(this.#exchange, this.#stream, reason);
  }

  #fail(error: ManagerError): void {
    this.#settle();
    this.#answer.reject(withSize(error, this.#params));
    // Nothing is left open for an answer that nobody waits for.
    this.#stream?.abort();
  }

  #settle(): void {
    if (this.#onAbort !== undefined) this.#options.signal?.removeEventListener('abort', this.#onAbort);
    for (const item of this.#owned.splice(0)) item.dispose();
    this.#host.settled(this);
  }
}

/** From a message that could not be written to the known end of its process, in milliseconds at most. */
const untilEnded = limits.stop.toKillAtMost + limits.stop.sweep;
