// What the person knows of each server's tools, a file a server in the extension's storage (product POL-2): of all
// workspaces, since a definition that was seen in one window is known in every other. Trouble with a file is no failure:
// one that cannot be read back makes its server's tools be asked about, one that cannot be written is asked about again.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SerialQueue } from '../../base/serialQueue.ts';
import { limits } from '../../core/limits.ts';
import type { KnownToolFiles } from '../../core/policy/knownTools.ts';

export class StoredKnownTools implements KnownToolFiles {
  readonly #folder: string;
  readonly #most: number;
  readonly #writes = new SerialQueue();
  #drafts = 0;

  constructor(storage: string, most: number = limits.knownTools.servers) {
    this.#folder = join(storage, 'tools');
    this.#most = most;
  }

  async read(key: string): Promise<string | undefined> {
    await this.settled(); // What this window wrote last is part of it.
    const file = this.#fileOf(key);
    try {
      if ((await stat(file)).size > 2 * limits.knownTools.bytes) throw new RangeError('too large to be ours');
      return await readFile(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  write(key: string, text: string): void {
    void this.#writes.run(() => this.#replace(this.#fileOf(key), text)).catch(() => undefined);
  }

  /** Everything is on the disk, or failed to get there. */
  settled(): Promise<void> {
    return this.#writes.run(() => Promise.resolve());
  }

  /** A key names folders of the person: its hash is enough to find it again. */
  #fileOf(key: string): string {
    return join(this.#folder, `${createHash('sha256').update(key).digest('hex')}.json`);
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
