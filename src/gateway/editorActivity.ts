// At which servers the editor's own agent has something open: a session, or a request. A new version of a definition has
// the editor drop its connection, and with that whatever is under way (GATE-7): whoever publishes one waits for the end of
// all that is open. Pure.
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';

export class EditorActivity implements Disposable {
  readonly #open = new Map<string, number>();
  readonly #rested = new Emitter<string>();

  /** Nothing is open at this server any more. */
  readonly onDidRest = this.#rested.event;

  isOpen(server: string): boolean {
    return this.#open.has(server);
  }

  /** Something is open there until this is disposed. */
  open(server: string): Disposable {
    this.#open.set(server, (this.#open.get(server) ?? 0) + 1);
    return toDisposable(() => {
      const left = (this.#open.get(server) ?? 1) - 1;
      if (left > 0) {
        this.#open.set(server, left);
        return;
      }
      this.#open.delete(server);
      this.#rested.fire(server);
    });
  }

  dispose(): void {
    this.#rested.dispose();
  }
}
