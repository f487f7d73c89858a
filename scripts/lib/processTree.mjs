// Reads Linux's process table: who descends from a process, and who carries a mark in its environment.
// Descent alone misses what was orphaned, the mark alone misses what was started with a clean environment.
import { readFileSync, readdirSync } from 'node:fs';

/**
 * @typedef {object} ProcessEntry
 * @property {number} pid
 * @property {number} parent
 * @property {string} started start time in clock ticks after boot: with the pid, a process's identity
 * @property {string} command the whole command line, or the name in brackets where there is none
 */

/**
 * The living processes (zombies are not) that descend from one of the roots or carry the mark; roots themselves excluded.
 * Empty where there is no /proc.
 * @param {readonly number[]} roots
 * @param {string} [mark] NAME=VALUE as it stands in the environment
 * @returns {ProcessEntry[]}
 */
export function processesBelow(roots, mark) {
  const all = processTable();
  const found = new Set(roots);
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const entry of all) if (found.has(entry.parent)) found.add(entry.pid);
  }
  return all.filter(
    ({ pid }) =>
      !roots.includes(pid) && pid !== process.pid && (found.has(pid) || (mark !== undefined && carries(pid, mark))),
  );
}

/**
 * Every living process.
 * @returns {ProcessEntry[]}
 */
export function processTable() {
  /** @type {string[]} */
  let names;
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.filter((name) => /^\d+$/.test(name)).flatMap((name) => readEntry(Number(name)));
}

/**
 * Whether that very process still lives: same pid and start time, not a zombie.
 * @param {ProcessEntry} entry
 */
export function stillRuns(entry) {
  return readEntry(entry.pid).some((now) => now.started === entry.started);
}

/**
 * @param {number} pid
 * @returns {ProcessEntry[]} one entry, or none when it is gone
 */
function readEntry(pid) {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    // The name, in brackets, may hold spaces and brackets: the fixed fields start after the last one.
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return [];
    const line = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8')
      .replaceAll('\0', ' ')
      .trimEnd();
    const command = line || `[${stat.slice(stat.indexOf('(') + 1, end)}]`;
    return [{ pid, parent: Number(fields[1]), started: String(fields[19]), command }];
  } catch {
    return [];
  }
}

/**
 * @param {number} pid
 * @param {string} mark
 */
function carries(pid, mark) {
  try {
    return readFileSync(`/proc/${String(pid)}/environ`, 'utf8')
      .split('\0')
      .includes(mark);
  } catch {
    return false;
  }
}
