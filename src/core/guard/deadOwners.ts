// Of whom the marks of running processes are, and which of these are certainly dead (KEEP-5): pure. Prefers to leave a
// process alone: an owner of another container cannot be judged, nor one whose start the platform does not tell exactly.
import { isSameOwner, type MarkOwner, ownerOfMark } from '../transport/ownerMark.ts';
import type { ProcessInfo, ProcessTable } from '../transport/processTable.ts';

export interface OwnerJudge {
  readonly processes: readonly ProcessInfo[];
  readonly table: Pick<ProcessTable, 'namespace' | 'knowsOwnStart'>;
  /** Whether there is a process with this pid, also one that the list does not show. */
  readonly exists: (pid: number) => boolean;
}

export function isDeadOwner(owner: MarkOwner, { processes, table, exists }: OwnerJudge): boolean {
  if (owner.namespace !== table.namespace) return false;
  const now = processes.find(({ pid }) => pid === owner.pid);
  if (now === undefined) return !exists(owner.pid);
  // A zombie with its pid has at least ended, and the pid is nobody else's meanwhile.
  return now.zombie || (table.knowsOwnStart && now.start !== owner.start);
}

/** The owners of these marks that are dead, each once, without those that are spared. */
export function deadOwners(
  marks: Iterable<readonly string[]>,
  spared: readonly MarkOwner[],
  judge: OwnerJudge,
): readonly MarkOwner[] {
  const owners: MarkOwner[] = [];
  for (const mark of [...marks].flat()) {
    const owner = ownerOfMark(mark);
    if (owner === undefined || [...owners, ...spared].some((one) => isSameOwner(one, owner))) continue;
    owners.push(owner);
  }
  return owners.filter((owner) => isDeadOwner(owner, judge));
}

/** Signal 0: one that we may not signal exists as well. */
export function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
