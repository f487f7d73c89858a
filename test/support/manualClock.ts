import type { Clock } from '../../src/base/clock.ts';
import { toDisposable } from '../../src/base/disposable.ts';

/** A clock that moves only when the test says so; due actions run in the order of their times. */
export class ManualClock implements Clock {
  #now: number;
  #due: { readonly at: number; readonly action: () => void }[] = [];

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** How many timers are running. */
  get pending(): number {
    return this.#due.length;
  }

  after(ms: number, action: () => void): ReturnType<Clock['after']> {
    const entry = { at: this.#now + ms, action };
    this.#due.push(entry);
    return toDisposable(() => {
      this.#due = this.#due.filter((other) => other !== entry);
    });
  }

  /** Moves on by `ms`, running what becomes due, also what those actions start. */
  advance(ms: number): void {
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
