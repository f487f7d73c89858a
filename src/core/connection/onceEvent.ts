// An event that happens at most once. Who subscribes too late still hears of it, so nobody misses an end that came
// between two steps of its own.
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';

export class OnceEvent<T> {
  readonly #emitter = new Emitter<T>();
  #fired: { readonly value: T } | undefined;

  readonly event = (listener: (value: T) => void): Disposable => {
    const fired = this.#fired;
    if (fired === undefined) return this.#emitter.event(listener);
    let wanted = true;
    queueMicrotask(() => {
      if (wanted) listener(fired.value);
    });
    return toDisposable(() => {
      wanted = false;
    });
  };

  fire(value: T): void {
    if (this.#fired !== undefined) return;
    this.#fired = { value };
    this.#emitter.fire(value);
    this.#emitter.dispose();
  }
}
