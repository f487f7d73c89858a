// What a suite left behind: entries of the temporary folder that was its own, and processes that still have that folder,
// or one in it, as theirs (told on Linux only). A clean run leaves neither.
import { readdirSync, readFileSync } from 'node:fs';

/** Caches of tools, which are theirs to keep. */
const others = /^(tsx-\d+|node-compile-cache|v8-compile-cache-\d+)$/;

/**
 * @param {string} folder absolute path of the temporary folder
 * @returns {readonly string[]} names of entries, and `process PID COMMAND`
 */
export function leftovers(folder) {
  const entries = readdirSync(folder).filter((name) => !others.test(name));
  return [...entries, ...processesOf(folder)];
}

/**
 * @param {string} folder
 * @returns {readonly string[]}
 */
function processesOf(folder) {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (!variables.some((text) => `${text}/`.startsWith(`TMPDIR=${folder}/`))) return [];
      return [`process ${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200)}`];
    } catch {
      return []; // It has ended, or is another person's.
    }
  });
}
