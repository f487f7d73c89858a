// What the person knows of each server's tools, a file a server in the extension's storage (product POL-2): of all
// workspaces, since a definition that was seen in one window is known in every other. Trouble with a file is no failure:
// one that cannot be read back, or is gone, makes its server's tools be asked about, one that cannot be written is asked about again.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { SerialQueue } from '../../base/serialQueue.ts';
import { limits } from '../../core/limits.ts';
import type { KnownToolFiles } from '../../core/policy/knownTools.ts';

export class StoredKnownTools implements KnownToolFiles {
  readonly #folder: string;
  readonly #state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly #most: number;
  readonly #writes = new SerialQueue();
  #drafts = 0;

  /** `state`: where it is remembered which servers were seen, out of the reach of those who can write files. */
  constructor(
    storage: string,
    state: Pick<vscode.Memento, 'get' | 'update'>,
    most: number = limits.knownTools.servers,
  ) {
    this.#folder = join(storage, 'tools');
    this.#state = state;
    this.#most = most;
  }

  async read(key: string): Promise<string | undefined> {
    await this.settled(); // What this window wrote last is part of it.
    const file = this.#fileOf(key);
    try {
      if ((await stat(file)).size > 2 * limits.knownTools.bytes) throw new RangeError('too large to be ours');
      const text = await readFile(file, 'utf8');
      const now = new Date();
      await utimes(file, now, now).catch(() => undefined); // What is in use is not the oldest.
      return text;
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (isMissing && this.#state.get(seen + nameOf(key)) === undefined) return undefined;
      throw error;
    }
  }

  write(key: string, text: string): void {
    const mark = seen + nameOf(key);
    if (this.#state.get(mark) === undefined) void this.#state.update(mark, true);
    void this.#writes.run(() => this.#replace(this.#fileOf(key), text)).catch(() => undefined);
  }

  /** Everything is on the disk, or failed to get there. */
  settled(): Promise<void> {
    return this.#writes.run(() => Promise.resolve());
  }

  /** A key names folders of the person: its hash is enough to find it again. */
  #fileOf(key: string): string {
    return join(this.#folder, `${nameOf(key)}.json`);
  }

  async #replace(file: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}.${(this.#drafts += 1)}`;
    try {
      await writeFile(draft, text, { mode: 0o600 });
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await this.#dropOldest();
  }

  async #dropOldest(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.json'));
    if (names.length <= this.#most) return;
    const files = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(this.#folder, name))).mtimeMs })),
    );
    files.sort((a, b) => a.at - b.at);
    for (const { name } of files.slice(0, names.length - this.#most)) {
      await rm(join(this.#folder, name), { force: true });
    }
  }
}

const seen = 'toolsSeen:';

function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
