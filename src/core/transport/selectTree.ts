// Which processes belong to a server (CONN-8): pure, over one listing of the machine's processes.
// Prefers to miss a process rather than to name a foreign one: whatever started before the server is never in its tree.
import type { ProcessIdentity, ProcessInfo } from './processTable.ts';

/** A process that was seen as a member; `end` is when it was last known to run, in the table's unit. */
export interface KnownProcess extends ProcessIdentity {
  readonly end: number;
}

/** A direct child. `end` is set once its exit was seen, from when its pid may be anyone's. */
export interface TreeRoot extends ProcessIdentity {
  /** When it started at the earliest, and at the latest where that is known. */
  readonly start: number;
  readonly latest?: number;
  readonly end: number | undefined;
}

export interface TreeQuery {
  readonly roots: readonly TreeRoot[];
  /** Nothing in the tree started before. */
  readonly since: number;
  /** Members found before, by pid; they count while their start time is the same. */
  readonly known: ReadonlyMap<number, KnownProcess>;
  /** Pids whose environment holds the mark of this tree. */
  readonly marked: ReadonlySet<number>;
  /** Never selected: ourselves. */
  readonly self: number;
  /** Parent ids outlive their processes (Windows). */
  readonly keepsParents: boolean;
}

/** The living members of the tree, zombies left out. */
export function selectTree(table: readonly ProcessInfo[], query: TreeQuery): readonly ProcessInfo[] {
  const candidates = table.filter((process) => isCandidate(process, query));
  const children = childrenOf(candidates);
  const members = new Map<number, ProcessInfo>();
  const waiting = [...candidates.filter(seedTest(table, query)), ...orphans(table, children, query)];
  for (let process = waiting.pop(); process; process = waiting.pop()) {
    if (members.has(process.pid)) continue;
    members.set(process.pid, process);
    const { start } = process;
    waiting.push(...(children.get(process.pid) ?? []).filter((child) => child.start >= start));
  }
  return [...members.values()].filter((process) => !process.zombie);
}

/** What could carry the mark and was not found by other means: only their environment has to be read. */
export function markCandidates(
  table: readonly ProcessInfo[],
  query: TreeQuery,
  members: readonly ProcessInfo[],
): readonly ProcessInfo[] {
  const found = new Set(members.map((process) => process.pid));
  return table.filter((process) => isCandidate(process, query) && !process.zombie && !found.has(process.pid));
}

function isCandidate({ pid, start }: ProcessInfo, { roots, since, self }: TreeQuery): boolean {
  if (pid === self || pid <= 1 || start < since) return false;
  return !roots.some((root) => root.pid === pid && root.end !== undefined);
}

function isRoot({ pid, start }: ProcessInfo, root: TreeRoot): boolean {
  return pid === root.pid && root.end === undefined && start >= root.start && start <= (root.latest ?? Infinity);
}

function childrenOf(processes: readonly ProcessInfo[]): ReadonlyMap<number, ProcessInfo[]> {
  const children = new Map<number, ProcessInfo[]>();
  for (const process of processes) {
    const siblings = children.get(process.ppid);
    if (siblings) siblings.push(process);
    else children.set(process.ppid, [process]);
  }
  return children;
}

function seedTest(table: readonly ProcessInfo[], query: TreeQuery): (process: ProcessInfo) => boolean {
  const { roots, known, marked } = query;
  // A root leads a group and a session. The system gives their number to no other process while a member lives; a
  // foreign process under it therefore means that no member is left.
  const leads = roots.filter((root) => !table.some((process) => process.pid === root.pid && !isRoot(process, root)));
  return (process) => {
    const { pid, start, group, session } = process;
    return (
      marked.has(pid) ||
      known.get(pid)?.start === start ||
      roots.some((root) => isRoot(process, root)) ||
      leads.some((root) => start >= root.start && (group === root.pid || session === root.pid))
    );
  };
}

/** Where parent ids outlive processes: what ended members had started, told from later users of their pids by time. */
function orphans(
  table: readonly ProcessInfo[],
  children: ReadonlyMap<number, readonly ProcessInfo[]>,
  { roots, known, keepsParents }: TreeQuery,
): readonly ProcessInfo[] {
  if (!keepsParents) return [];
  const living = new Map(table.map((process) => [process.pid, process.start]));
  const ended = [...known.values()].filter(({ pid, start }) => living.get(pid) !== start);
  for (const { pid, start, end } of roots) if (end !== undefined) ended.push({ pid, start, end });
  return ended.flatMap(({ pid, start, end }) =>
    (children.get(pid) ?? []).filter((child) => child.start >= start && child.start <= end),
  );
}
