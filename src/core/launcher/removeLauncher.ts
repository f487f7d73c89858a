// Takes the command line and its launcher out of the product's folder, when the extension goes (GATE-8). A build that a
// living process uses stays: its agent would lose the server in the middle of its work.
import { readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '../config/fileLock.ts';
import { type ProcessFacts, systemFacts } from '../config/processIdentity.ts';
import { binPaths } from './binPaths.ts';
import { lockName } from './installLauncher.ts';
import { removeBuilds } from './removeBuilds.ts';

export interface RemoveOptions {
  readonly platform: NodeJS.Platform;
  readonly facts?: ProcessFacts;
}

/**
 * `home` is the product's folder. Answers the paths that stay because a process uses them; does nothing where there is no
 * such folder. Fails with an error of the system, or `configLocked`.
 */
export async function removeLauncher(
  home: string,
  { platform, facts = systemFacts }: RemoveOptions,
): Promise<readonly string[]> {
  const { folder, launcher, runtimes } = binPaths(home, platform);
  const there = await readdir(folder).catch(() => undefined);
  if (there === undefined) return [];
  const stay = await withFileLock(
    join(folder, lockName),
    async () => {
      for (const path of [launcher, runtimes]) {
        await unlink(path).catch((error: unknown) => {
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        });
      }
      return removeBuilds(folder, undefined, facts);
    },
    { facts },
  );
  await rmdir(folder).catch(() => undefined); // Something else is in it.
  return stay.map((name) => join(folder, name));
}
