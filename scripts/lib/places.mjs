// Where things are: the repository, and the cache outside of it that keeps what is expensive to set up.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The repository's root, absolute. */
export const repository = resolve(import.meta.dirname, '..', '..');

/**
 * The cache folder, shared by all clones: ROUNDHOUSE_CACHE_DIR, else mcp-roundhouse in the platform's cache folder.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string}
 */
export function cacheFolder(env = process.env) {
  const named = env['ROUNDHOUSE_CACHE_DIR'];
  if (named) return resolve(named);
  const base =
    env['XDG_CACHE_HOME'] || (process.platform === 'win32' && env['LOCALAPPDATA']) || join(homedir(), '.cache');
  return join(base, 'mcp-roundhouse');
}
