// Debian packages, installed only when something is missing and this process may install it; else it says what to run.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder } from './places.mjs';
import { withLock } from './lock.mjs';
import { run } from './run.mjs';
import { SetupError, say } from './say.mjs';

/**
 * The program's full path, or undefined when PATH has none.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function findProgram(name, env = process.env) {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not here; the next folder may have it.
    }
  }
  return undefined;
}

/**
 * Installs packages with apt-get.
 * @param {readonly string[]} packages
 * @param {string} why what they are needed for; ends the sentence "... is needed for"
 * @throws {SetupError} when this machine has no apt-get or this user may not install
 */
export async function installDebianPackages(packages, why) {
  const names = packages.join(' ');
  if (!findProgram('apt-get'))
    throw new SetupError(`Missing for ${why}: ${names}. Install it with this system's package manager.`);
  if (process.getuid?.() !== 0)
    throw new SetupError(`Missing for ${why}: ${names}. Run: sudo apt-get install -y ${names}`);
  const log = join(cacheFolder(), 'logs', 'apt-get.log');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await withLock(join(cacheFolder(), 'apt-get.lock'), async () => {
    say('set-up', `installing ${names} with apt-get (log: ${log})`);
    const wait = ['-o', 'DPkg::Lock::Timeout=300'];
    // A source that cannot be reached fails this, while the packages may well come from another one.
    await run('apt-get', [...wait, 'update'], { env, log }).catch((/** @type {unknown} */ error) => {
      if (!(error instanceof SetupError)) throw error;
      say('set-up', 'the list of packages could not be read whole; trying with what there is');
    });
    await run('apt-get', [...wait, 'install', '-y', '--no-install-recommends', ...packages], {
      env,
      log,
      failure: `${names} could not be installed.`,
    });
  });
}
