// Which processes run a build: each leaves a file with its identity in the build's folder for as long as it lives. Whoever
// cleans up asks who of them is alive (GATE-5). Promises: a process on this machine that may live counts as alive; a mark
// from another machine or container counts for as long as its process renews it.
import { readdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { identityName, judge, ownIdentity, type ProcessFacts, systemFacts } from '../config/processIdentity.ts';
import { limits } from '../limits.ts';
import { usedFolder } from './binPaths.ts';
import { textOrNothing } from './wholeFile.ts';

const mark = z.object({
  pid: z.int(),
  start: z.string(),
  boot: z.string(),
  host: z.string(),
  namespace: z.string(),
});

/**
 * Marks the build in this folder as used by this process until it ends. A folder that cannot be written to is left
 * unmarked: that is no reason not to run.
 */
export async function markUse(build: string, facts: ProcessFacts = systemFacts): Promise<void> {
  try {
    // Elsewhere a tool would have to be started to read when we started; without it a mark only lives longer.
    const cheap = process.platform === 'linux' ? facts : { ...facts, start: () => Promise.resolve(undefined) };
    const own = await ownIdentity(cheap);
    // Two containers with one home may each have a process with this id.
    const file = join(build, usedFolder, `${identityName(own)}.json`);
    await writeFile(file, JSON.stringify(own), { mode: 0o600 });
    process.on('exit', () => {
      try {
        unlinkSync(file);
      } catch {
        // Whoever cleans up sees that we are gone.
      }
    });
    const renew = (): void => {
      const now = new Date();
      void utimes(file, now, now).catch(() => undefined);
    };
    setInterval(renew, limits.launcher.renewMark).unref();
  } catch {
    // See above.
  }
}

/** Whether a process that may live runs the build in this folder; marks of those that are gone are taken away. */
export async function isUsed(build: string, facts: ProcessFacts = systemFacts): Promise<boolean> {
  const folder = join(build, usedFolder);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const used = await Promise.all(names.map((name) => isAlive(join(folder, name), facts)));
  return used.includes(true);
}

async function isAlive(file: string, facts: ProcessFacts): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  if (stats === undefined) return false;
  const age = Math.abs(Date.now() - stats.mtimeMs);
  const who = parsed(await textOrNothing(file, limits.launcher.mark));
  // One without a name may be being written just now.
  if (who === undefined) return age < limits.launcher.settle || (await gone(file));
  const standing = await judge(who, facts);
  if (standing === 'gone') return gone(file);
  if (standing === 'unknown' && who.host !== facts.host && age > limits.launcher.foreignMark) return gone(file);
  return true;
}

async function gone(file: string): Promise<false> {
  await unlink(file).catch(() => undefined);
  return false;
}

function parsed(text: string | undefined): z.infer<typeof mark> | undefined {
  try {
    const result = z.safeParse(mark, JSON.parse(text ?? ''));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}
