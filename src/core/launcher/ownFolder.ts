import { chmod, lstat, mkdir } from 'node:fs/promises';

/**
 * Makes a folder that the person alone may look into, or takes the one that is there where it is theirs: no link, and no
 * other person's. Its parent must be there. Fails with an error that says what is wrong.
 */
export async function ownFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  const stats = await lstat(path);
  if (!stats.isDirectory()) throw new Error(`${path} is no folder`);
  // Windows has no such owners and bits: there the person's profile keeps others out.
  const own = process.getuid?.();
  if (own === undefined) return;
  if (stats.uid !== own) throw new Error(`${path} belongs to somebody else`);
  if ((stats.mode & 0o777) !== 0o700) await chmod(path, 0o700);
}
