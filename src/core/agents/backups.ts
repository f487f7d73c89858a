// Copies of other programs' files as they were before our edits, for the person to go back to by hand. They may hold
// secrets as the files do: they are for the person alone, few, and go when the edit is undone.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../limits.ts';

export class Backups {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Answers the copy's name. */
  async keep(text: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await chmod(this.#folder, 0o700);
    const name = randomUUID();
    await writeFile(join(this.#folder, name), text, { mode: 0o600, flag: 'wx' });
    return name;
  }

  async remove(name: string): Promise<void> {
    await unlink(join(this.#folder, name)).catch(() => undefined);
  }

  /** Removes the copies that belong to no edit, and the oldest ones beyond the limit. */
  async prune(used: readonly string[]): Promise<void> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => /^[0-9a-f-]{36}$/.test(name));
    const dated = await Promise.all(
      names.map(async (name) => ({
        name,
        at: (await stat(join(this.#folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    const newestFirst = dated.sort((a, b) => b.at - a.at);
    const kept = newestFirst.filter(({ name }) => used.includes(name)).slice(0, limits.agents.backups);
    for (const entry of dated) if (!kept.includes(entry)) await this.remove(entry.name);
  }
}
