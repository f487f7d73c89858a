// Who a process is, so that a lock's holder can be told from a later process with the same id. Answers "gone" only when
// that is certain: another machine, container or an unreadable start time is "unknown", which counts as alive.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { win32 } from 'node:path';
import { promisify } from 'node:util';

export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own terms; empty where it cannot be read. */
  readonly start: string;
  /** Since when the machine runs; empty where `start` is absolute and needs none. */
  readonly boot: string;
  /** Where its pid means something: host name, and on Linux the pid namespace. */
  readonly host: string;
  readonly namespace: string;
}

/** What can be found out about processes here; tests bring their own. */
export interface ProcessFacts {
  readonly pid: number;
  readonly host: string;
  boot(): Promise<string>;
  namespace(): Promise<string>;
  /** Whether there is a process with this id at all, a zombie included. */
  exists(pid: number): boolean;
  /** `zombie` for a process that has ended and was not collected. */
  start(pid: number): Promise<{ readonly start: string; readonly zombie: boolean } | undefined>;
}

export async function ownIdentity(facts: ProcessFacts = systemFacts): Promise<ProcessIdentity> {
  const [boot, namespace, started] = await Promise.all([facts.boot(), facts.namespace(), facts.start(facts.pid)]);
  return { pid: facts.pid, start: started?.start ?? '', boot, host: facts.host, namespace };
}

/** A short name for a file: no two processes have the same one, of another machine, container or life neither. */
export function identityName({ pid, start, boot, host, namespace }: ProcessIdentity): string {
  const rest = createHash('sha256').update(JSON.stringify([start, boot, host, namespace]));
  return `${pid}-${rest.digest('hex').slice(0, 12)}`;
}

/** Whether a process still runs. */
export type ProcessStanding = 'alive' | 'gone' | 'unknown';

export async function judge(who: ProcessIdentity, facts: ProcessFacts = systemFacts): Promise<ProcessStanding> {
  if (who.host !== facts.host) return 'unknown';
  if (who.boot !== (await facts.boot())) return 'gone';
  if (who.namespace !== (await facts.namespace())) return 'unknown';
  if (!facts.exists(who.pid)) return 'gone';
  const now = await facts.start(who.pid);
  if (now === undefined || who.start === '') return facts.exists(who.pid) ? 'unknown' : 'gone';
  return now.zombie || now.start !== who.start ? 'gone' : 'alive';
}

const execute = promisify(execFile);

/** Answers what a program printed; `program` is a full path, as a file of that name may stand in a project's folder. */
type Run = (program: string, args: readonly string[]) => Promise<string>;

const run: Run = async (program, args) => (await execute(program, args, options)).stdout;

/** The facts of this machine. Starting a tool happens at most once for ourselves and once for each suspicion. */
export const systemFacts: ProcessFacts = {
  pid: process.pid,
  host: hostname(),
  boot: once(() =>
    process.platform === 'linux' ? readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(trim, nothing) : nothing(),
  ),
  namespace: once(() => (process.platform === 'linux' ? readlink('/proc/self/ns/pid').catch(nothing) : nothing())),
  exists: (pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ESRCH';
    }
  },
  start: (pid) => startOf(pid, process.platform),
};

/** When a process of this platform started; undefined where that cannot be read. */
export async function startOf(
  pid: number,
  platform: NodeJS.Platform,
  ask: Run = run,
): ReturnType<ProcessFacts['start']> {
  try {
    if (platform === 'linux') return startFromStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
    if (platform === 'win32') {
      const script = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
      const system = win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32');
      const powershell = win32.join(system, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
      const start = (await ask(powershell, ['-NoProfile', '-NonInteractive', '-Command', script])).trim();
      return start === '' ? undefined : { start, zombie: false };
    }
    return startFromPs(await ask('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)]));
  } catch {
    return undefined;
  }
}

const options = { timeout: 5_000, windowsHide: true, env: { ...process.env, LC_ALL: 'C' } };

/** Fields of /proc/PID/stat behind the name, which may itself hold spaces and brackets: state first, start as 20th. */
export function startFromStat(stat: string): { start: string; zombie: boolean } | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const start = fields[19];
  return start === undefined ? undefined : { start, zombie: fields[0] === 'Z' || fields[0] === 'X' };
}

/** `S+   Sat Nov 29 21:03:11 2026` of ps. */
export function startFromPs(line: string): { start: string; zombie: boolean } | undefined {
  const match = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(line);
  return match?.[1] === undefined || match[2] === undefined
    ? undefined
    : { start: match[2], zombie: match[1].startsWith('Z') };
}

function once(read: () => Promise<string>): () => Promise<string> {
  let known: Promise<string> | undefined;
  return () => (known ??= read());
}

function trim(text: string): string {
  return text.trim();
}

function nothing(): Promise<string> {
  return Promise.resolve('');
}
