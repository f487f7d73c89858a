// How long one request may still take (CONN-6): a time that each progress renews and that stands still while a person
// is asked, under a hard maximum that nothing moves. Owns two timers; knows nothing of what it ends.
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/** The longest delay that Node's timers take; a larger one would fire at once. */
const longestTimer = 2 ** 31 - 1;

export interface DeadlineTimes {
  /** Milliseconds without progress. */
  readonly idle: number;
  /** Milliseconds in all, pauses included; absent = no such bound. */
  readonly atMost?: number;
}

export class RequestDeadline implements Disposable {
  readonly #clock: Clock;
  readonly #idle: number;
  readonly #onExpire: (ms: number) => void;
  readonly #maximum: Disposable | undefined;
  #timer: Disposable | undefined;
  #remaining: number;
  #since: number;
  #pauses = 0;
  #over = false;

  /** `onExpire` is called once, with the milliseconds of the bound that was met. */
  constructor(clock: Clock, times: DeadlineTimes, onExpire: (ms: number) => void) {
    this.#clock = clock;
    this.#idle = Math.min(times.idle, times.atMost ?? times.idle, longestTimer);
    this.#onExpire = onExpire;
    this.#remaining = this.#idle;
    this.#since = clock.now();
    const atMost = times.atMost;
    if (atMost !== undefined) {
      this.#maximum = clock.after(Math.min(atMost, longestTimer), () => this.#expire(atMost));
    }
    this.#arm();
  }

  /** The server showed that it works on it. */
  renew(): void {
    this.#remaining = this.#idle;
    if (this.#pauses === 0) this.#arm();
  }

  /** Stops the time until each pause has been resumed. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    this.#remaining = Math.max(0, this.#remaining - (this.#clock.now() - this.#since));
    this.#timer?.dispose();
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) this.#arm();
  }

  dispose(): void {
    this.#over = true;
    this.#timer?.dispose();
    this.#maximum?.dispose();
  }

  #arm(): void {
    this.#timer?.dispose();
    if (this.#over) return;
    this.#since = this.#clock.now();
    this.#timer = this.#clock.after(this.#remaining, () => this.#expire(this.#idle));
  }

  #expire(ms: number): void {
    if (this.#over) return;
    this.dispose();
    this.#onExpire(ms);
  }
}
