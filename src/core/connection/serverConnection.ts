// Owns one server's connection: at most one live client and one attempt at a time, shared by all who ask.
// Promises: a caller's abort ends only its own wait; `disconnect` ends everything, whatever it was doing; the next
// attempt starts only when all that the last one started is gone; a late result of an older attempt does nothing; one that
// ended by itself is started again as restartPolicy.ts says (KEEP-3), and of that nothing is left after `disconnect`.
// Decides nothing about trust: `prepare` does, before each and every start.
import { Emitter } from '../../base/event.ts';
import { abortReason, untilAborted } from '../../base/deadline.ts';
import { deferred } from '../../base/deferred.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Launch } from '../transport/launch.ts';
import { problemOf, stateOfProblem } from './failureState.ts';
import type { LiveClient } from './liveClient.ts';
import { refusedUse, restartsAfter, stateAfterEnd } from './restartPolicy.ts';
import type { ConnectionState, Generation, Problem } from './state.ts';

export interface Connected {
  readonly client: LiveClient;
  readonly generation: Generation;
}

export interface ConnectionSteps {
  /**
   * Takes the trust decision and resolves the launch anew; fails with a ManagerError `blocked…`. `isWanted`: whether somebody
   * waits for it; a restart that came by itself asks nobody (KEEP-3).
   */
  prepare(signal: AbortSignal, isWanted: () => boolean): Promise<Launch>;
  /** Opens a client; once `signal` aborts it must leave nothing behind, and settle only then. */
  open(launch: Launch, signal: AbortSignal, onInstalling: (detail: string) => void): Promise<LiveClient>;
}

/** One count for all: a definition that is removed and comes back never gets a generation of its former life (TOOL-2). */
let generations = 0;

export interface ConnectOptions {
  readonly signal?: AbortSignal | undefined;
  /** A person asks for it: it starts at once, and what went before does not count. */
  readonly anew?: boolean;
}

interface Attempt {
  readonly controller: AbortController;
  /** The start after an end that nobody asked for: its failure is one of the tries. */
  isRestart: boolean;
  /** Somebody waits for it. */
  isWanted: boolean;
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
  /** Since a person started it or it was stable. */
  #restarts = 0;
  #timer: Disposable | undefined;
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

  /** True while a client is live, or is or will be tried for: what a change of the definition has to restart. */
  get active(): boolean {
    return this.#live !== undefined || this.#attempt !== undefined || this.#timer !== undefined;
  }

  /** Why what is live knows nothing of what was there before it, until it is disconnected (CONN-12, KEEP-3). */
  get lostState(): Problem | undefined {
    return this.#live === undefined ? undefined : this.#lost?.problem;
  }

  /**
   * Resolves with the one live client; concurrent callers share the attempt. One that gave up before starts nothing. Fails at
   * once where a restart is waited for, but for the first one, which it brings forward.
   */
  async connect({ signal, anew = false }: ConnectOptions = {}): Promise<Connected> {
    if (signal?.aborted === true) throw new ManagerError('cancelled', {}, { cause: signal.reason });
    if (anew) this.#restarts = 0;
    if (this.#live !== undefined) return this.#live;
    const refusal = anew ? undefined : refusedUse(this.#state, this.#clock.now());
    if (refusal !== undefined) throw refusal;
    const attempt = this.#attempt ?? this.#begin(!anew && this.#timer !== undefined);
    attempt.isWanted = true;
    if (anew) attempt.isRestart = false;
    return waitFor(attempt, signal);
  }

  /** Ends client and attempt, wakes all who wait, and shows `stopped`. Resolves when nothing is left of them. */
  async disconnect(): Promise<void> {
    const attempt = this.#attempt;
    const live = this.#live;
    this.#attempt = undefined;
    this.#live = undefined;
    this.#lost = undefined;
    this.#restarts = 0;
    this.#timer?.dispose();
    this.#timer = undefined;
    attempt?.controller.abort(new ManagerError('cancelled'));
    this.#ended = Promise.allSettled([this.#ended, attempt?.result, live?.client.close()]);
    this.#set({ kind: 'stopped' });
    await this.#ended;
  }

  #begin(isRestart: boolean): Attempt {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (isRestart) this.#restarts += 1;
    const controller = new AbortController();
    const begun = deferred<undefined>();
    const result = begun.promise.then(() => this.#run(controller.signal, () => attempt.isWanted));
    const shared = untilAborted(result, controller.signal);
    shared.catch(() => undefined); // Nobody may be waiting for it.
    const attempt: Attempt = { controller, isRestart, isWanted: false, result, shared };
    this.#attempt = attempt;
    result.then(
      (connected) => this.#settle(attempt, connected),
      (error: unknown) => this.#fail(attempt, error),
    );
    this.#set({ kind: 'connecting', since: this.#clock.now() });
    begun.resolve(undefined);
    return attempt;
  }

  async #run(signal: AbortSignal, isWanted: () => boolean): Promise<Connected> {
    const generation = (generations += 1) as Generation;
    await this.#ended;
    signal.throwIfAborted();
    // Preparing leaves nothing behind, and may wait for a person: an abort does not wait for it.
    const launch = await untilAborted(this.#steps.prepare(signal, isWanted), signal);
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
    const since = this.#clock.now();
    client.onClose((problem) => this.#closed(connected, problem, since));
  }

  #fail(attempt: Attempt, error: unknown): void {
    if (this.#attempt !== attempt) return;
    this.#attempt = undefined;
    const problem = problemOf(error);
    if (attempt.isRestart) this.#backOff(problem);
    else this.#set(stateOfProblem(problem));
  }

  #closed(connected: Connected, problem: Problem | undefined, since: number): void {
    if (this.#live !== connected) return;
    this.#live = undefined;
    this.#ended = Promise.allSettled([this.#ended, connected.client.close()]);
    const now = this.#clock.now();
    if (problem === undefined) {
      this.#set({ kind: 'stopped' });
      return;
    }
    this.#restarts = restartsAfter(this.#restarts, now - since);
    if (this.#renews(problem)) {
      // Where it cannot be had yet, because the server itself is being started again, that is waited for as any end is.
      this.#begin(false).isRestart = true;
      return;
    }
    if (problem.code !== 'sessionLost') {
      const { server } = problem.data;
      this.#lost = { problem: { ...problem, code: 'stateLost', data: { server } }, at: now };
    }
    this.#backOff(problem);
  }

  /** Waits for the next start, where there is to be one (KEEP-3). */
  #backOff(problem: Problem): void {
    const now = this.#clock.now();
    const state = stateAfterEnd(problem, this.#restarts, now);
    if (state.kind === 'backingOff') {
      this.#timer = this.#clock.after(state.nextAttemptAt - now, () => void this.#begin(true));
    }
    this.#set(state);
  }

  /**
   * A server that forgot the session gets one new one at once (CONN-12); calls that may have run are not repeated. One
   * that forgets again and again is not flooded with sessions.
   */
  #renews(problem: Problem): boolean {
    if (problem.code !== 'sessionLost') return false;
    const at = this.#clock.now();
    const again = this.#lost?.problem.code === 'sessionLost' && at - this.#lost.at < limits.sessionRenewal;
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
