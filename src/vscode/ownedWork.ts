// Work that belongs to the window though a command started it: ended, and waited for, when the window goes. Pure.

export class OwnedWork {
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /** Runs `work` with a signal that aborts when the caller's does or when the owner ends. */
  run<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const own = this.#ending.signal;
    const running = work(signal === undefined ? own : AbortSignal.any([signal, own]));
    this.#running.add(running);
    const forget = (): void => void this.#running.delete(running);
    running.then(forget, forget);
    return running;
  }

  /** Aborts everything at once; resolves when all of it has settled. */
  async end(reason: Error): Promise<void> {
    this.#ending.abort(reason);
    await Promise.allSettled(this.#running);
  }
}
