// One attempt to connect, whatever it consists of: its deadline and its caller's abort in one signal (CONN-4, CONN-6).
// The SDK ignores aborts while it probes and may wait for ever on SSE, so every wait of an attempt is raced against
// this signal; closing what is half open is the business of those who opened it.
import type { Clock } from '../../base/clock.ts';
import { untilAborted } from '../../base/deadline.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ServerId } from '../../contract/serverConfig.ts';
import { ManagerError } from '../errors.ts';

export interface AttemptOptions {
  readonly id: ServerId;
  /** Whether it is a URL that is reached: then no command is to be looked at. */
  readonly remote?: boolean;
  readonly clock: Clock;
  /** Milliseconds from now. */
  readonly ms: number;
  readonly signal: AbortSignal;
}

export class ConnectAttempt implements Disposable {
  readonly #options: AttemptOptions;
  readonly #controller = new AbortController();
  readonly #started: number;
  #timer: Disposable;

  constructor(options: AttemptOptions) {
    this.#options = options;
    this.#started = options.clock.now();
    this.#timer = this.#arm(options.ms);
    if (options.signal.aborted) this.#onAbort();
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Aborts with the ManagerError that the attempt fails with. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was aborted or has taken too long. */
  isOver(): boolean {
    return this.signal.aborted;
  }

  /** Throws the ManagerError that the attempt fails with, once it is over. */
  assertGoing(): void {
    this.signal.throwIfAborted();
  }

  /** Moves the deadline to `ms` after the start of the attempt; never nearer than it was. */
  extendTo(ms: number): void {
    if (ms <= this.#options.ms || this.isOver()) return;
    this.#timer.dispose();
    this.#timer = this.#arm(ms);
  }

  /** `work`, or the attempt's end if that comes first; a late result of `work` is dropped. */
  race<T>(work: Promise<T>): Promise<T> {
    return untilAborted(work, this.signal);
  }

  dispose(): void {
    this.#timer.dispose();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#options.signal.reason;
    this.#controller.abort(
      reason instanceof ManagerError ? reason : new ManagerError('cancelled', { server: this.#options.id }),
    );
  };

  #arm(ms: number): Disposable {
    const { clock, id, signal, remote } = this.#options;
    const where = remote === true ? { remote } : {};
    const left = Math.max(0, this.#started + ms - clock.now());
    return clock.after(left, () => {
      if (signal.aborted) this.#onAbort();
      else this.#controller.abort(new ManagerError('connectTimeout', { server: id, seconds: ms / 1000, ...where }));
    });
  }
}
