// What servers offered when they last ran, kept in a file of this workspace's storage (product DISC-8): the tree shows
// it at once after a start of the editor. Losing it costs nothing, so trouble with the file is no failure.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { KeptLists } from '../../core/discovery/keptLists.ts';
import { limits } from '../../core/limits.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';

const largest = limits.keptLists.bytes;
/** Milliseconds from a change to the file. */
const saveAfter = 2_000;

export class KeptOffers implements Disposable {
  readonly lists: KeptLists;
  readonly #folder: string;
  #saved: string;
  #timer: NodeJS.Timeout | undefined;
  #subscription: Disposable | undefined;

  /** Reads what was kept; synchronous, since the first look at the tree needs it. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#saved = read(this.#file);
    this.lists = KeptLists.parse(parse(this.#saved));
  }

  follow(manager: ServerManager): void {
    this.#subscription = manager.onDidChange(() => {
      this.#timer ??= setTimeout(() => this.#save(), saveAfter);
    });
  }

  dispose(): void {
    this.#subscription?.dispose();
    if (this.#timer !== undefined) this.#save();
  }

  get #file(): string {
    return join(this.#folder, 'kept.json');
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      const text = this.lists.toText(largest);
      if (text === this.#saved) return;
      mkdirSync(this.#folder, { recursive: true });
      const temporary = `${this.#file}.${process.pid}`;
      writeFileSync(temporary, text, { mode: 0o600 });
      renameSync(temporary, this.#file);
      this.#saved = text;
    } catch {
      // The lists are read from the servers again.
    }
  }
}

function read(file: string): string {
  try {
    return statSync(file).size > largest ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
