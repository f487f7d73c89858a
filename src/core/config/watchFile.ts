// Tells when a file may have changed: made, written, replaced or removed, also while its folders do not exist yet.
// Watches the nearest folder that exists, since editors replace files and a watch on a file then sees nothing. Several
// steps of one change are told once, after a pause; where the system reports nothing (network folders, exhausted
// watches, the target of a link), a slow look at size and time finds the change. It may tell too often, never too rarely.
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { limits } from '../limits.ts';

export interface WatchOptions {
  readonly clock: Clock;
  /** Pause after the last sign of a change, in milliseconds. */
  readonly settle?: number;
  /** Between two looks, in milliseconds. */
  readonly poll?: number;
}

export function watchFile(file: string, onChange: () => void, options: WatchOptions): Disposable {
  const watcher = new FileWatch(file, onChange, options);
  return toDisposable(() => watcher.dispose());
}

class FileWatch {
  readonly #file: string;
  readonly #onChange: () => void;
  readonly #options: Required<WatchOptions>;
  #watcher: { readonly identity: string; readonly close: () => void } | undefined;
  #settling: { readonly timer: Disposable; readonly since: number } | undefined;
  #polling: Disposable | undefined;
  #signature: string | undefined;
  #disposed = false;

  constructor(file: string, onChange: () => void, options: WatchOptions) {
    this.#file = file;
    this.#onChange = onChange;
    this.#options = { settle: limits.config.settle, poll: limits.config.poll, ...options };
    void this.#look();
  }

  dispose(): void {
    this.#disposed = true;
    this.#watcher?.close();
    this.#settling?.timer.dispose();
    this.#polling?.dispose();
  }

  /** Compares the file with the last look, sees to the watch, and comes again later. */
  async #look(): Promise<void> {
    const signature = await signatureOf(this.#file);
    const folder = await nearestFolder(dirname(this.#file));
    if (this.#disposed) return;
    if (this.#signature !== undefined && this.#signature !== signature) this.#notice();
    this.#signature = signature;
    if (this.#watcher?.identity !== folder.identity) {
      this.#watch(folder.path, folder.identity);
      // What happened before the watch stood is seen by this second look, which finds the watch in place.
      if (this.#watcher !== undefined) return this.#look();
    }
    this.#polling?.dispose();
    this.#polling = this.#options.clock.after(this.#options.poll, () => void this.#look());
  }

  #watch(folder: string, identity: string): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    const awaited = nextName(folder, this.#file);
    let system: FSWatcher;
    try {
      system = watch(folder, { persistent: false });
    } catch {
      return; // The slow look remains.
    }
    const watcher = { identity, close: () => system.close() };
    this.#watcher = watcher;
    const drop = (): void => {
      system.close();
      if (this.#watcher === watcher) this.#watcher = undefined;
    };
    system.on('error', () => {
      drop();
      this.#notice();
    });
    system.on('change', (kind, name) => {
      const changed = typeof name === 'string' ? name : undefined;
      // A folder that is itself moved or removed reports its own name.
      if (kind === 'rename' && changed === basename(folder)) drop();
      else if (changed !== undefined && changed !== awaited) return;
      this.#notice();
    });
  }

  /** Something happened; after the pause it is told, and the watch moves to where the file's folder is now. */
  #notice(): void {
    if (this.#disposed) return;
    const { clock, settle } = this.#options;
    const since = this.#settling?.since ?? clock.now();
    // A file that never comes to rest is told of all the same.
    if (clock.now() - since > 10 * settle) return;
    this.#settling?.timer.dispose();
    const timer = clock.after(settle, () => {
      this.#settling = undefined;
      void this.#tell();
    });
    this.#settling = { timer, since };
  }

  async #tell(): Promise<void> {
    // Taken before anyone reads, so that a change after this is seen by the next look at the latest.
    const signature = await signatureOf(this.#file);
    if (this.#disposed) return;
    this.#signature = signature;
    this.#onChange();
    await this.#look();
  }
}

/** What a change of content, replacement or removal alters. */
async function signatureOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return 'none';
  }
}

/** The nearest folder that exists; `identity` tells it from a later one at the same place. */
async function nearestFolder(path: string): Promise<{ path: string; identity: string }> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  const parent = dirname(path);
  if (stats?.isDirectory() === true || parent === path) return { path, identity: `${stats?.ino ?? 0n} ${path}` };
  return nearestFolder(parent);
}

/** The entry of `folder` that leads to the file. */
function nextName(folder: string, file: string): string {
  let path = file;
  while (dirname(path) !== folder && dirname(path) !== path) path = dirname(path);
  return path === join(folder, basename(path)) ? basename(path) : basename(file);
}
