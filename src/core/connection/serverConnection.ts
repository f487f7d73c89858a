// Owns one server's connection: at most one live client and one attempt at a time, shared by all who ask.
// Promises: a caller's abort ends only its own wait; `disconnect` ends everything, whatever it was doing; the next
// attempt starts only when all that the last one started is gone; a late result of an older attempt does nothing.
// Decides nothing about trust: `prepare` does, before each and every start.
import { Emitter } from '../../base/event.ts';
import { abortReason } from '../../base/deadline.ts';
import type { Clock } from '../../base/clock.ts';
import { ManagerError } from '../errors.ts';
import type { Launch } from '../transport/launch.ts';
import { stateOfFailure } from './failureState.ts';
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

interface Attempt {
  readonly controller: AbortController;
  readonly result: Promise<Connected>;
}

export class ServerConnection {
  readonly #steps: ConnectionSteps;
  readonly #clock: Clock;
  readonly #changed = new Emitter<ConnectionState>();
  #state: ConnectionState = { kind: 'stopped' };
  #generation = 0;
  #attempt: Attempt | undefined;
  #live: Connected | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(steps: ConnectionSteps, clock: Clock) {
    this.#steps = steps;
    this.#clock = clock;
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

  /** Resolves with the one live client; concurrent callers share the attempt. */
  async connect(options: { signal?: AbortSignal | undefined } = {}): Promise<Connected> {
    if (this.#live !== undefined) return this.#live;
    this.#attempt ??= this.#begin();
    return waitFor(this.#attempt, options.signal);
  }

  /** Ends client and attempt, wakes all who wait, and shows `next`. Resolves when nothing is left of them. */
  async disconnect(next: ConnectionState = { kind: 'stopped' }): Promise<void> {
    const attempt = this.#attempt;
    const live = this.#live;
    this.#attempt = undefined;
    this.#live = undefined;
    attempt?.controller.abort(new ManagerError('cancelled'));
    this.#ended = Promise.allSettled([this.#ended, attempt?.result, live?.client.close()]);
    this.#set(next);
    await this.#ended;
  }

  /** Shows a state that is no connection's doing (disabled, blocked); only while nothing is under way. */
  show(state: ConnectionState): void {
    if (!this.active) this.#set(state);
  }

  #begin(): Attempt {
    const controller = new AbortController();
    const result = this.#run(controller.signal);
    const attempt: Attempt = { controller, result };
    result.then(
      (connected) => this.#settle(attempt, connected),
      (error: unknown) => this.#fail(attempt, error),
    );
    return attempt;
  }

  async #run(signal: AbortSignal): Promise<Connected> {
    const generation = ++this.#generation as Generation;
    this.#set({ kind: 'connecting', since: this.#clock.now() });
    await this.#ended;
    signal.throwIfAborted();
    const launch = await this.#steps.prepare(signal);
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
    this.#set(problem === undefined ? { kind: 'stopped' } : { kind: 'failed', problem });
    // A server that forgot the session gets one new one at once (CONN-12); calls that may have run are not repeated.
    if (problem?.code === 'sessionLost') this.#attempt = this.#begin();
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}

/** The attempt's result, for as long as neither this caller nor the manager gives up. */
function waitFor(attempt: Attempt, signal: AbortSignal | undefined): Promise<Connected> {
  const signals = [attempt.controller.signal, ...(signal === undefined ? [] : [signal])];
  return new Promise((resolve, reject) => {
    const any = AbortSignal.any(signals);
    const onAbort = (): void => reject(signal?.aborted === true ? new ManagerError('cancelled') : abortReason(any));
    if (any.aborted) onAbort();
    any.addEventListener('abort', onAbort, { once: true });
    attempt.result.then(resolve, reject).finally(() => any.removeEventListener('abort', onAbort));
  });
}
