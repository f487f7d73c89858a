// The editor's state of an extension, in memory: the part that is read and written.
import type * as vscode from 'vscode';

export class MementoMap implements Pick<vscode.Memento, 'get' | 'update'> {
  readonly #values = new Map<string, unknown>();

  get<T>(key: string, defaultValue?: T): T {
    return (this.#values.has(key) ? this.#values.get(key) : defaultValue) as T;
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
    return Promise.resolve();
  }
}
