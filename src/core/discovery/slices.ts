// Long work in short pieces: whoever loops over thousands of items awaits `pause` between them, and the event loop
// gets its turn every few milliseconds. Loops that run at the same time share one, so that together they stay short.
import { setImmediate } from 'node:timers/promises';

export class Slices {
  #since = performance.now();
  readonly #ms: number;

  /** @param ms the longest piece of work, in milliseconds */
  constructor(ms = 8) {
    this.#ms = ms;
  }

  /** Resolves at once while the piece is short; call it after each item. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#since < this.#ms ? undefined : this.#yield();
  }

  async #yield(): Promise<void> {
    await setImmediate();
    // Only the first of the loops that wake up together begins a new piece.
    if (performance.now() - this.#since >= this.#ms) this.#since = performance.now();
  }
}
