// The machine's processes as the shutdown of a server needs them. One implementation per platform does the reading and
// the signalling; everything that is decided about a tree is decided in selectTree.ts.

export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  /** Process group; undefined where the platform has none. */
  readonly group: number | undefined;
  /** Session; undefined where the platform has none or does not tell. */
  readonly session: number | undefined;
  /** When it started, in the table's own unit; together with the pid it names a process for good. */
  readonly start: number;
  /** Ended, but its parent has not asked for its exit code yet. */
  readonly zombie: boolean;
}

/** What names one process. */
export type ProcessIdentity = Pick<ProcessInfo, 'pid' | 'start'>;

/** `terminate` asks, `kill` does not. */
export type StopSignal = 'terminate' | 'kill';

/** The system did not show its processes: nothing is known, which is not the same as none. */
export class CannotLook extends Error {
  override readonly name = 'CannotLook';
}

/** The listing, if it can be one: whoever lists processes is one of them. */
export function withOwn(list: readonly ProcessInfo[], own: Pick<ProcessInfo, 'pid'>): readonly ProcessInfo[] {
  if (list.some(({ pid }) => pid === own.pid)) return list;
  throw new CannotLook('The list of processes does not hold the one that asked for it.');
}

/** `list`, `marked`, `marks` and `alive` fail where the system does not answer in full and in time. */
export interface ProcessTable {
  /** Parent ids stay as they were when the parent ends (Windows): no snapshot is needed before. */
  readonly keepsParents: boolean;
  /** Ourselves. */
  readonly own: ProcessIdentity;
  /** Where pids mean what they mean to us: of two containers each has a number of its own. 0 where there is one such place only. */
  readonly namespace: number;
  /** `own.start` is exactly what the list says of us. */
  readonly knowsOwnStart: boolean;
  /** A start time that no child of ours started from now on lies before. */
  now(): number;
  /** A start time that no child of ours that runs by now lies behind. */
  latest(): number;
  /** Every process that can be seen. */
  list(): Promise<readonly ProcessInfo[]>;
  /** Those of `candidates` whose environment holds `mark`; those that may not be read do not count. */
  marked(candidates: readonly ProcessInfo[], mark: string): Promise<ReadonlySet<number>>;
  /** The marks in the environment of each of `candidates` that may be read; one that ended meanwhile is not among them. */
  marks(candidates: readonly ProcessInfo[]): Promise<ReadonlyMap<number, readonly string[]>>;
  /** Those of `processes` that still run as the same process. */
  alive(processes: readonly ProcessInfo[]): Promise<readonly ProcessInfo[]>;
  /**
   * Signals those of `targets` that still are the same process: pid and start time are read right before, and all of
   * them where that cannot be read. Never fails.
   */
  signal(targets: readonly ProcessInfo[], signal: StopSignal): Promise<void>;
}
