// The process table as /proc shows it: what a test counts to prove that nothing is left.
// A zombie whose parent is process 1 counts as gone: nobody here can reap it. A zombie of ours is a fault, and is reported.
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** R, S, D, T, Z, ... */
  readonly state: string;
  /** Clock ticks since boot: with the pid, the identity of a process. */
  readonly startTime: number;
  readonly command: readonly string[];
}

/** False where there is no /proc: tests that count processes skip themselves there. */
export const hasProcessTable = process.platform === 'linux';

/** Every process that counts as present. */
export function processTable(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((entry) => entry !== undefined)
    .filter((entry) => !isGone(entry));
}

/** Undefined when there is no such process or it counts as gone. */
export function findProcess(pid: number): ProcessEntry | undefined {
  const entry = readProcess(pid);
  return entry === undefined || isGone(entry) ? undefined : entry;
}

/** Those whose environment at their start held `NAME=value`, or any value when none is given. A zombie has no environment any more. */
export function processesWithEnvironment(name: string, value?: string): ProcessEntry[] {
  return processTable().filter(({ pid }) =>
    environmentOf(pid).some((pair) =>
      value === undefined ? pair.startsWith(`${name}=`) : pair === `${name}=${value}`,
    ),
  );
}

export function childrenOf(pid: number): ProcessEntry[] {
  return processTable().filter((entry) => entry.parent === pid);
}

/** Children, their children, and so on, without `pid` itself. */
export function descendantsOf(pid: number): ProcessEntry[] {
  const all = processTable();
  const found: ProcessEntry[] = [];
  const parents = [pid];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    const children = all.filter((entry) => entry.parent === parent);
    found.push(...children);
    parents.push(...children.map((child) => child.pid));
  }
  return found;
}

/**
 * Dead children that this process has not reaped: a fault. What was started before any test is left out: the compiler
 * behind the module loader belongs to a thread that reaps nothing while it waits.
 */
export function ownZombies(): ProcessEntry[] {
  return descendantsOf(process.pid).filter((entry) => entry.state === 'Z' && entry.startTime > loadedAt);
}

/** Clock ticks since boot. */
const loadedAt = hasProcessTable ? Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * 100 : 0;

/** Those of `pids` that are present; zombies of a living parent included. */
export function stillThere(pids: readonly number[]): ProcessEntry[] {
  return pids.map(findProcess).filter((entry) => entry !== undefined);
}

function isGone(entry: ProcessEntry): boolean {
  return entry.state === 'X' || (entry.state === 'Z' && entry.parent <= 1);
}

function readProcess(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0] ?? '?';
    const command = state === 'Z' ? [] : given(pid, 'cmdline').split('\0').slice(0, -1);
    return {
      pid,
      state,
      parent: Number(fields[1]),
      group: Number(fields[2]),
      session: Number(fields[3]),
      startTime: Number(fields[19]),
      command,
    };
  } catch {
    return undefined; // It ended while it was read.
  }
}

function environmentOf(pid: number): string[] {
  try {
    return given(pid, 'environ').split('\0');
  } catch {
    return []; // Ended, or another person's.
  }
}

/**
 * What a program was given at its start. For the moment in which it takes the place of another both files are empty, so
 * that it would be told from all others: read again then. Threads of the kernel never have any.
 */
function given(pid: number, name: 'cmdline' | 'environ'): string {
  for (let look = 0; ; look += 1) {
    const text = readFileSync(`/proc/${pid}/${name}`, 'utf8');
    if (text !== '' || look === 100 || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '') return text;
  }
}
