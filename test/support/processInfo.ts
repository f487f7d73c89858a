import type { ProcessInfo } from '../../src/core/transport/processTable.ts';

/** A process that leads a group and a session of its own, unless the test says otherwise. */
export function processInfo(pid: number, ppid: number, start: number, changes: Partial<ProcessInfo> = {}): ProcessInfo {
  return { pid, ppid, start, group: pid, session: pid, zombie: false, ...changes };
}
