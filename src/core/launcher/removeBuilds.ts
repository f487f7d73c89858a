// Takes away what is left in the folder of launchers: builds that no living process uses, drafts of windows that died.
// A build goes in one step (it is renamed first), so that none is ever there in part. Must run under the lock.
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessFacts, systemFacts } from '../config/processIdentity.ts';
import { isBuildName } from './buildManifest.ts';
import { isLeftOverName, leftOverName } from './installBuild.ts';
import { isUsed } from './useMark.ts';

/** All but `keep`. Answers the builds that stay because somebody uses them. */
export async function removeBuilds(
  folder: string,
  keep: string | undefined,
  facts: ProcessFacts = systemFacts,
): Promise<readonly string[]> {
  const names = await readdir(folder);
  const old = names.filter((name) => isBuildName(name) && name !== keep);
  const stay: string[] = [];
  const left = names.filter(isLeftOverName);
  for (const name of old) {
    if (await isUsed(join(folder, name), facts)) {
      stay.push(name);
      continue;
    }
    const aside = leftOverName();
    await rename(join(folder, name), join(folder, aside));
    left.push(aside);
  }
  for (const name of left) {
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  }
  return stay;
}
