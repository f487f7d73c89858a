// One file of the journal, while this process writes it. Promises: it is the person's alone (0600, whatever the umask);
// what `append` has answered for is on the disk, and what it failed with is not in the file where that can still be
// helped. Follows no link, and notices when the file was removed, moved or replaced.
import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../config/configDisk.ts';

export class JournalFile {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #identity: Identity;
  #size = 0;

  private constructor(path: string, handle: FileHandle, identity: Identity) {
    this.path = path;
    this.#handle = handle;
    this.#identity = identity;
  }

  /** A new file; `name` is one that nothing has yet. It lasts from its first `append` on. */
  static async create(folder: string, name: string): Promise<JournalFile> {
    const path = join(folder, name);
    // 'ax': follows no link, and every write goes to the end.
    const handle = await open(path, 'ax', 0o600);
    try {
      await handle.chmod(0o600);
      const file = new JournalFile(path, handle, await handle.stat({ bigint: true }));
      await syncFolder(folder);
      return file;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** Whether what is written here can be found there: nobody removed, moved or replaced the file. */
  async isInPlace(): Promise<boolean> {
    const found = await lstat(this.path, { bigint: true }).catch(() => undefined);
    return found?.isFile() === true && found.dev === this.#identity.dev && found.ino === this.#identity.ino;
  }

  /** Answers when it is on the disk. After a failure the file must not be used any more. */
  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    try {
      await this.#handle.appendFile(bytes);
      await this.#handle.sync();
      this.#size += bytes.length;
    } catch (error) {
      await this.#handle.truncate(this.#size).catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
  }
}

type Identity = Pick<BigIntStats, 'dev' | 'ino'>;
