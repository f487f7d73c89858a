// Owns one server's connection: at most one live client and one attempt at a time, shared by all who ask.
// Promises: a caller's abort ends only its own wait; `disconnect` ends everything, whatever it was doing; the next
// attempt starts only when all that the last one started is gone; a late result of an older attempt does nothing.
// Decides nothing about trust: `prepare` does, before each and every start.
import { Emitter } from '../../base/event.ts';
import { abortReason, untilAborted } from '../../base/deadline.ts';
import { deferred } from '../../base/deferred.ts';
import type { Clock } from '../../base/clock.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Launch } from '../transport/launch.ts';
import { stateOfFailure, stateOfProblem } from './failureState.ts';
import type { LiveClient } from './liveClient.ts';
import type { ConnectionState, Generation, Problem } from './state.ts';

export interface Connected {
  readonly client: LiveClient;
  readonly generation: Generation;
}

export interface ConnectionSteps {
  /** Takes the trust decision and resolves the launch anew; fails with a ManagerError `blocked…`. */
  prepare(signal: AbortSignal): Promise<Launch>;
  /** Opens a client; once `signal` aborts it must leave nothing behind, and settle only then. */
  open(launch: Launch, signal: AbortSignal, onInstalling: (detail: string) => void): Promise<LiveClient>;
}

/** One count for all: a definition that is removed and comes back never gets a generation of its former life (TOOL-2). */
let generations = 0;

interface Attempt {
  readonly controller: AbortController;
  /** Settles when the attempt is over and nothing of it is left that failed. */
  readonly result: Promise<Connected>;
  /** The same for those who wait, who are let go at once when it is aborted; one promise for any number of them. */
  readonly shared: Promise<Connected>;
}

export class ServerConnection {
  readonly #steps: ConnectionSteps;
  readonly #clock: Clock;
  readonly #changed = new Emitter<ConnectionState>();
  #state: ConnectionState = { kind: 'stopped' };
  #attempt: Attempt | undefined;
  #live: Connected | undefined;
  #lost: { readonly problem: Problem; readonly at: number } | undefined;
  #ended: Promise<unknown>;

  /** `after`: the end of what ran under this name before; nothing starts until it has settled. */
  constructor(steps: ConnectionSteps, clock: Clock, after: Promise<unknown> = Promise.resolve()) {
    this.#steps = steps;
    this.#clock = clock;
    this.#ended = after;
  }

  readonly onDidChange = this.#changed.event;

  get state(): ConnectionState {
    return this.#state;
  }

  /** The live client, or undefined while there is none. */
  get live(): Connected | undefined {
    return this.#live;
  }

  /** True while an attempt is under way or a client is live: what a change of the definition has to restart. */
  get active(): boolean {
    return this.#live !== undefined || this.#attempt !== undefined;
  }

  /** Set once the server forgot a session and got a new one, until it is disconnected: its state is gone (CONN-12). */
  get lostSession(): Problem | undefined {
    return this.#lost?.problem;
  }

  /** Resolves with the one live client; concurrent callers share the attempt. One that gave up before starts nothing. */
  async connect(options: { signal?: AbortSignal | undefined } = {}): Promise<Connected> {
    if (options.signal?.aborted === true) throw new ManagerError('cancelled', {}, { cause: options.signal.reason });
    if (this.#live !== undefined) return this.#live;
    return waitFor(this.#attempt ?? this.#begin(), options.signal);
  }

  /** Ends client and attempt, wakes all who wait, and shows `stopped`. Resolves when nothing is left of them. */
  async disconnect(): Promise<void> {
    const attempt = this.#attempt;
    const live = this.#live;
    this.#attempt = undefined;
    this.#live = undefined;
    this.#lost = undefined;
    attempt?.controller.abort(new ManagerError('cancelled'));
    this.#ended = Promise.allSettled([this.#ended, attempt?.result, live?.client.close()]);
    this.#set({ kind: 'stopped' });
    await this.#ended;
  }

  #begin(): Attempt {
    const controller = new AbortController();
    const begun = deferred<undefined>();
    const result = begun.promise.then(() => this.#run(controller.signal));
    const shared = untilAborted(result, controller.signal);
    shared.catch(() => undefined); // Nobody may be waiting for it.
    const attempt: Attempt = { controller, result, shared };
    this.#attempt = attempt;
    result.then(
      (connected) => this.#settle(attempt, connected),
      (error: unknown) => this.#fail(attempt, error),
    );
    this.#set({ kind: 'connecting', since: this.#clock.now() });
    begun.resolve(undefined);
    return attempt;
  }

  async #run(signal: AbortSignal): Promise<Connected> {
    const generation = (generations += 1) as Generation;
    await this.#ended;
    signal.throwIfAborted();
    // Preparing leaves nothing behind, and may wait for a person: an abort does not wait for it.
    const launch = await untilAborted(this.#steps.prepare(signal), signal);
    signal.throwIfAborted();
    const client = await this.#steps.open(launch, signal, (detail) => {
      if (!signal.aborted) this.#set({ kind: 'installing', since: this.#clock.now(), detail });
    });
    if (signal.aborted) {
      await client.close();
      throw abortReason(signal);
    }
    return { client, generation };
  }

  #settle(attempt: Attempt, connected: Connected): void {
    if (this.#attempt !== attempt) return;
    this.#attempt = undefined;
    this.#live = connected;
    const { client, generation } = connected;
    this.#set({ kind: 'ready', since: this.#clock.now(), generation, negotiated: client.negotiated });
    client.onClose((problem) => this.#closed(connected, problem));
  }

  #fail(attempt: Attempt, error: unknown): void {
    if (this.#attempt !== attempt) return;
    this.#attempt = undefined;
    this.#set(stateOfFailure(error));
  }

  #closed(connected: Connected, problem: Problem | undefined): void {
    if (this.#live !== connected) return;
    this.#live = undefined;
    this.#ended = Promise.allSettled([this.#ended, connected.client.close()]);
    if (problem !== undefined && this.#renews(problem)) this.#begin();
    else this.#set(problem === undefined ? { kind: 'stopped' } : stateOfProblem(problem));
  }

  /**
   * A server that forgot the session gets one new one at once (CONN-12); calls that may have run are not repeated. One
   * that forgets again and again is not flooded with sessions.
   */
  #renews(problem: Problem): boolean {
    if (problem.code !== 'sessionLost') return false;
    const at = this.#clock.now();
    const again = this.#lost !== undefined && at - this.#lost.at < limits.sessionRenewal;
    this.#lost = { problem, at };
    return !again;
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}

/** The attempt's result, for as long as neither this caller nor the manager gives up. */
function waitFor({ shared }: Attempt, signal: AbortSignal | undefined): Promise<Connected> {
  return untilAborted(shared, signal).catch((error: unknown) => {
    throw signal?.aborted === true ? new ManagerError('cancelled', {}, { cause: error }) : error;
  });
}
