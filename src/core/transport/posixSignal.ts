// Signals to processes of a tree on POSIX systems. Whole groups are signalled, which is atomic: a member that forks and
// ends faster than it can be looked at is caught with its group.
import type { ProcessInfo, StopSignal } from './processTable.ts';

/**
 * Signals these processes and their groups. `living` was read right before: as long as one member is known to live, the
 * number of its group is not another's, and only descendants of the same root can have joined it (setpgid(2)).
 */
export function signalProcesses(living: readonly ProcessInfo[], signal: StopSignal, ownGroup: number): void {
  for (const target of signalTargets(living, ownGroup)) {
    try {
      process.kill(target, signal === 'terminate' ? 'SIGTERM' : 'SIGKILL');
    } catch {
      // It has ended just now, or it changed its user: it shows in the next listing.
    }
  }
}

/** Arguments of kill(2): a group once, as a negative number; a process by itself where its group is not its tree's. */
export function signalTargets(living: readonly ProcessInfo[], ownGroup: number): readonly number[] {
  const targets = living.map(({ pid, group }) =>
    group === undefined || group <= 1 || group === ownGroup ? pid : -group,
  );
  return [...new Set(targets)].filter((target) => target !== 1 && target !== 0);
}
