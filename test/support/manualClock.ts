import { setTimeout as pause } from 'node:timers/promises';
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

  /**
   * Moves on until `work` has settled, by `step` each 10 ms of the machine: for what takes time of this clock besides
   * that of others.
   */
  async during<T>(work: Promise<T>, step: () => number = () => 10): Promise<T> {
    const state = { settled: false };
    const settle = (): void => void (state.settled = true);
    work.then(settle, settle);
    while (!state.settled) {
      this.advance(step());
      await pause(10);
    }
    return work;
  }
}
