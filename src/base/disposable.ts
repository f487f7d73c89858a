/** Something that holds a resource until `dispose` is called; calling it again does nothing. */
export interface Disposable {
  dispose(): void;
}

/** Owns disposables and disposes them in reverse order of their making. */
export class DisposableStore implements Disposable {
  #items: Disposable[] = [];
  #disposed = false;

  /** Takes ownership; a store that is already disposed disposes the item at once. */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    for (const item of this.#items.splice(0).reverse()) item.dispose();
  }
}

/** A disposable that runs `action` once. */
export function toDisposable(action: () => void): Disposable {
  let done = false;
  return {
    dispose: () => {
      if (done) return;
      done = true;
      action();
    },
  };
}
