// Processes of Windows: listed by a CIM query, ended by taskkill with their trees (CONN-8). Parent ids outlive their
// processes there, and environments cannot be read, so descent alone finds what a server has left behind.
import { win32 } from 'node:path';
import { type ProcessInfo, type ProcessTable, withOwn } from './processTable.ts';
import { systemCommand } from './systemCommand.ts';

export function windowsProcessTable(run: typeof systemCommand = systemCommand): ProcessTable {
  const system = win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32');
  const powershell = win32.join(system, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  const own = { pid: process.pid, start: Math.floor(Date.now() - process.uptime() * 1000) };
  const list = async (): Promise<readonly ProcessInfo[]> =>
    withOwn(parseList(await run(powershell, ['-NoProfile', '-NonInteractive', '-NoLogo', '-Command', query])), own);
  const alive = async (targets: readonly ProcessInfo[]): Promise<readonly ProcessInfo[]> => {
    const starts = new Map((await list()).map(({ pid, start }) => [pid, start]));
    return targets.filter((target) => starts.get(target.pid) === target.start);
  };
  return {
    keepsParents: true,
    own,
    namespace: 0,
    knowsOwnStart: false,
    now: () => Date.now(),
    // Its clock goes in steps of up to 16 ms.
    latest: () => Date.now() + 50,
    list,
    marked: () => Promise.resolve(new Set()),
    marks: () => Promise.resolve(new Map()),
    alive,
    signal: async (targets, signal) => {
      const living = await alive(targets).catch(() => targets);
      const pids = living.flatMap(({ pid }) => ['/PID', String(pid)]);
      const force = signal === 'kill' ? ['/F'] : [];
      if (pids.length === 0) return;
      await run(win32.join(system, 'taskkill.exe'), ['/T', ...force, ...pids]).catch(() => undefined);
    },
  };
}

/** Lines of pid, parent's pid and start in milliseconds since 1970. */
export function parseList(output: string): readonly ProcessInfo[] {
  return output.split(/\r?\n/).flatMap((line) => {
    const match = /^\s*(\d+) (\d+) (\d+)\s*$/.exec(line);
    if (!match) return [];
    const [pid, ppid, start] = match.slice(1, 4).map(Number) as [number, number, number];
    return [{ pid, ppid, start, group: undefined, session: undefined, zombie: false }];
  });
}

// The processes of the system itself have no creation date.
const query =
  'Get-CimInstance -ClassName Win32_Process -Property ProcessId,ParentProcessId,CreationDate | ' +
  'Where-Object { $_.CreationDate } | ForEach-Object { ' +
  "'{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, ([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds() }";
