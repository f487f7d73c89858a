// A small file by which a process of the person's is found by others of theirs: written whole and in one step, readable by
// them alone (0600 in 0700). Promises: nothing follows a link or waits on a pipe; what is somebody else's, readable by
// others, too large or of another form is as good as none.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { ProcessFacts, ProcessIdentity } from './processIdentity.ts';

/** In place of an older one. Fails with an error of the system; then nothing of it is left. */
export async function writeDescriptor(folder: string, name: string, value: object): Promise<void> {
  const draft = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(value)).finally(() => handle.close());
    await rename(draft, join(folder, name));
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}

/** Undefined for what is none. `most`: bytes. */
export async function readDescriptor<T extends z.ZodMiniType>(
  path: string,
  form: T,
  most: number,
): Promise<z.infer<T> | undefined> {
  try {
    // Windows has no such flags.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants> & { O_RDONLY: number };
    const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > most || !isOwnersAlone(stats)) return undefined;
      const parsed = z.safeParse(form, JSON.parse(await handle.readFile('utf8')));
      return parsed.success ? parsed.data : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined; // Replaced or taken away meanwhile, or not ours to read.
  }
}

/** Whether a process is of this machine and container: elsewhere its port is somebody else's. */
export async function isHere({ host, namespace }: ProcessIdentity, facts: ProcessFacts): Promise<boolean> {
  return host === facts.host && namespace === (await facts.namespace());
}

/** Windows has no such bits: there the person's own folder keeps others out. */
function isOwnersAlone({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  const own = process.getuid?.();
  return own === undefined || (uid === own && (mode & 0o077) === 0);
}
