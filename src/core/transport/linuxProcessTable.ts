// Processes read from /proc, synchronously: a listing takes one or two milliseconds per hundred processes, and nothing can
// happen in this process between the check of a start time and the signal.
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, statSync } from 'node:fs';
import { marksIn } from './environment.ts';
import { signalProcesses } from './posixSignal.ts';
import { type ProcessIdentity, type ProcessInfo, type ProcessTable, withOwn } from './processTable.ts';

export function linuxProcessTable(): ProcessTable {
  return {
    keepsParents: false,
    own: { pid: process.pid, start: readProcess(process.pid)?.start ?? 0 },
    namespace: pidNamespace(),
    knowsOwnStart: true,
    now: () => ticksSinceBoot(),
    // The two clocks may be rounded apart.
    latest: () => ticksSinceBoot() + 2,
    // eslint-disable-next-line @typescript-eslint/require-await -- what it fails with has to reject
    list: async () => withOwn(processes(), process),
    marked: (candidates, mark) => Promise.resolve(marked(candidates, mark)),
    marks,
    alive: (targets) => Promise.resolve(living(targets)),
    signal: (targets, signal) => {
      signalProcesses(living(targets), signal, readProcess(process.pid)?.group ?? 0);
      return Promise.resolve();
    },
  };
}

/** One line of /proc/PID/stat (proc_pid_stat(5)); the name in parentheses may hold anything, parentheses too. */
export function parseStat(line: string): ProcessInfo | undefined {
  const [state, ppid, group, session, ...rest] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const info = {
    pid: Number.parseInt(line, 10),
    ppid: Number(ppid),
    group: Number(group),
    session: Number(session),
    start: Number(rest[15]),
    // A process whose first thread has ended shows as a zombie while its other threads still run.
    zombie: (state === 'Z' || state === 'X') && Number(rest[13]) <= 1,
  };
  return Number.isSafeInteger(info.pid) && Number.isSafeInteger(info.start) ? info : undefined;
}

/**
 * A process may start another and end between the listing of the folder and its own reading; the other one would escape.
 * So the folder is listed again for what is new, until everything that was listed could be read.
 */
function processes(): readonly ProcessInfo[] {
  const seen = new Set<string>();
  const found: ProcessInfo[] = [];
  for (let round = 0; round < mostRounds; round += 1) {
    // The newest first: they are the likeliest to end before they are read.
    const pids = entries('/proc')
      .filter((name) => /^\d+$/.test(name) && !seen.has(name))
      .reverse();
    const read = pids.flatMap((pid) => readProcess(pid) ?? []);
    found.push(...read);
    if (read.length === pids.length) break;
    for (const pid of pids) seen.add(pid);
  }
  return found;
}

const mostRounds = 8;

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A third of the system calls of readFileSync, which would also ask for a size that is not known. */
function readProcess(pid: string | number): ProcessInfo | undefined {
  try {
    const file = openSync(`/proc/${pid}/stat`, 'r');
    try {
      return parseStat(statLine.toString('latin1', 0, readSync(file, statLine, 0, statLine.length, 0)));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined; // It has ended.
  }
}

/** Longer than any line of stat. */
const statLine = Buffer.alloc(2048);

/** These processes as they are now, without those that ended or whose pid is another's. */
function living(targets: readonly ProcessIdentity[]): readonly ProcessInfo[] {
  return targets
    .map(({ pid, start }) => ({ now: readProcess(pid), start }))
    .flatMap(({ now, start }) => (now?.start === start && !now.zombie ? [now] : []));
}

function marked(candidates: readonly ProcessInfo[], mark: string): ReadonlySet<number> {
  return new Set([...environments(candidates)].flatMap(([pid, text]) => (text.includes(mark) ? [pid] : [])));
}

/** Of a whole machine: others get their turn in between. */
async function marks(candidates: readonly ProcessInfo[]): Promise<ReadonlyMap<number, readonly string[]>> {
  const found = new Map<number, readonly string[]>();
  for (let at = 0; at < candidates.length; at += atOnce) {
    for (const [pid, text] of environments(candidates.slice(at, at + atOnce))) {
      found.set(pid, marksIn(text.split('\0')));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

const atOnce = 32;

/** The environment is as it was when the program started; one of another user may not be read. */
function* environments(candidates: readonly ProcessInfo[]): Generator<readonly [pid: number, text: string]> {
  const uid = process.getuid?.();
  for (const { pid } of candidates) {
    try {
      if (statSync(`/proc/${pid}`).uid === uid) yield [pid, readFileSync(`/proc/${pid}/environ`, 'latin1')];
    } catch {
      // It has ended, or it may not be read.
    }
  }
}

/** The number in `pid:[4026531836]`. */
function pidNamespace(): number {
  try {
    return Number(/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? 0);
  } catch {
    return 0;
  }
}

/** In the clock ticks of /proc/PID/stat: 100 a second on every architecture of today. */
function ticksSinceBoot(): number {
  try {
    return Math.floor(Number.parseFloat(readFileSync('/proc/uptime', 'latin1')) * 100) || 0;
  } catch {
    return 0;
  }
}
