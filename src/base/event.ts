import { type Disposable, toDisposable } from './disposable.ts';

/** Subscribes a listener; disposing the answer unsubscribes it. Same shape as the editor's own events. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Announces values to its listeners, in order of subscription. One listener's throw never stops the others. */
export class Emitter<T> implements Disposable {
  #listeners = new Set<{ call: (value: T) => void }>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = rethrowLater) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return toDisposable(() => this.#listeners.delete(entry));
  };

  fire(value: T): void {
    for (const entry of [...this.#listeners]) {
      if (!this.#listeners.has(entry)) continue;
      try {
        entry.call(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
