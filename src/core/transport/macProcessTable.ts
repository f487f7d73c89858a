// Processes as `ps` of macOS shows them. Start times are whole seconds there; that and the pid name a process well
// enough, since the system takes far longer to come back to the same pid.
import { marksIn } from './environment.ts';
import { signalProcesses } from './posixSignal.ts';
import { type ProcessInfo, type ProcessTable, withOwn } from './processTable.ts';
import { systemCommand } from './systemCommand.ts';

export function macProcessTable(run: typeof systemCommand = systemCommand): ProcessTable {
  const ps = (...args: readonly string[]): Promise<string> => run('/bin/ps', args);
  const own = { pid: process.pid, start: wholeSecond(Date.now() - process.uptime() * 1000) };
  let ownGroup = own.pid;
  const alive = async (targets: readonly ProcessInfo[]): Promise<readonly ProcessInfo[]> => {
    if (targets.length === 0) return [];
    const now = withOwn(parseList(await ps('-o', columns, '-p', pidList([...targets, own]))), own);
    ownGroup = now.find(({ pid }) => pid === own.pid)?.group ?? ownGroup;
    const starts = new Map(targets.map(({ pid, start }) => [pid, start]));
    return now.filter(({ pid, start, zombie }) => !zombie && starts.get(pid) === start);
  };
  return {
    keepsParents: false,
    own,
    namespace: 0,
    // Reckoned from how long we have run, which a pause of the machine may fall into.
    knowsOwnStart: false,
    // Two seconds earlier: the clock of the machine may be set back a little while it runs.
    now: () => wholeSecond(Date.now()) - 2_000,
    latest: () => wholeSecond(Date.now()) + 1_000,
    list: async () => withOwn(parseList(await ps('-A', '-o', columns)), own),
    marked: async (candidates, mark) =>
      parseMarked(await ps('-E', '-ww', '-o', 'pid=,command=', '-p', pidList(candidates)), mark),
    marks: async (candidates) =>
      candidates.length === 0
        ? new Map()
        : parseMarks(await ps('-E', '-ww', '-o', 'pid=,command=', '-p', pidList(candidates))),
    alive,
    signal: async (targets, signal) => signalProcesses(await alive(targets).catch(() => targets), signal, ownGroup),
  };
}

/** Lines of pid, ppid, pgid, state and start (`Sat Nov 29 21:03:00 2026`, in UTC). */
export function parseList(output: string): readonly ProcessInfo[] {
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
    const start = Date.parse(`${match?.[5] ?? ''} UTC`);
    if (!match || Number.isNaN(start)) return [];
    const [pid, ppid, group] = match.slice(1, 4).map(Number) as [number, number, number];
    return [{ pid, ppid, group, session: undefined, start, zombie: match[4]?.startsWith('Z') === true }];
  });
}

/** Lines of pid and command with its environment behind it. */
export function parseMarked(output: string, mark: string): ReadonlySet<number> {
  const lines = output.split('\n').filter((line) => line.includes(mark));
  return new Set(lines.map((line) => Number.parseInt(line, 10)).filter(Number.isSafeInteger));
}

/** The same lines. A program's words come first and may be anything; what is last is its environment. */
export function parseMarks(output: string): ReadonlyMap<number, readonly string[]> {
  const lines = output.split('\n').map((line) => [Number.parseInt(line, 10), marksIn(line.split(' '))] as const);
  return new Map(lines.filter(([pid]) => Number.isSafeInteger(pid)));
}

const columns = 'pid=,ppid=,pgid=,stat=,lstart=';

function pidList(processes: readonly Pick<ProcessInfo, 'pid'>[]): string {
  return processes.map((process) => process.pid).join(',');
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
