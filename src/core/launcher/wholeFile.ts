// Reads a file that nothing may stand in for: a file of its own, no link, of a known size at most.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import type { BuildFile } from './buildManifest.ts';

/** Fails with an error of the system, or one that says what is wrong. */
export async function wholeFile(path: string, most: number): Promise<Buffer> {
  // Windows has no such flags; a link there is seen by its name.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants> & { O_RDONLY: number };
  if (!(await lstat(path)).isFile()) throw new Error(`${path} is no ordinary file`);
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error(`${path} is no ordinary file`);
    if (stats.size > most) throw new Error(`${path} is larger than it may be`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** The content of a file of a build, which is exactly what the build made. */
export async function verifiedFile(path: string, { bytes, sha256 }: BuildFile): Promise<Buffer> {
  const content = await wholeFile(path, bytes);
  if (content.length === bytes && createHash('sha256').update(content).digest('hex') === sha256) return content;
  throw new Error(`${path} is not what was built`);
}

/** Undefined where there is no such file, or it is not what it should be. */
export async function textOrNothing(path: string, most: number): Promise<string | undefined> {
  return wholeFile(path, most).then(
    (content) => content.toString('utf8'),
    () => undefined,
  );
}
