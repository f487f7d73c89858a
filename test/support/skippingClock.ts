import type { Clock } from '../../src/base/clock.ts';
import { type Disposable, toDisposable } from '../../src/base/disposable.ts';

/** From here on, in milliseconds, a timer waits for the test and not for the machine. */
const long = 5_000;

/**
 * A clock for real processes: what is to be waited for long comes only when the test skips to it, however slow the machine
 * is; short timers, such as those between two signals, are the machine's.
 */
export class SkippingClock implements Clock {
  #now = Date.now();
  #due: { readonly at: number; readonly action: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, action: () => void): Disposable {
    if (ms < long) {
      const timer = setTimeout(action, ms);
      return toDisposable(() => clearTimeout(timer));
    }
    const entry = { at: this.#now + ms, action };
    this.#due.push(entry);
    return toDisposable(() => {
      this.#due = this.#due.filter((other) => other !== entry);
    });
  }

  /** Moves on by `ms`, running what becomes due, in the order of its times. */
  skip(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#due.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      this.#due = this.#due.filter((other) => other !== next);
      this.#now = next.at;
      next.action();
    }
    this.#now = end;
  }
}
