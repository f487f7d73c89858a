// The processes of one server over time: remembers every member it has seen, so that one whose parent ended, or that
// left its group, is still found (CONN-8). Reads and signals through the process table only.
import type { ProcessIdentity, ProcessInfo, ProcessTable, StopSignal } from './processTable.ts';
import { type KnownProcess, markCandidates, selectTree, type TreeQuery } from './selectTree.ts';

export interface ProcessTreeOptions {
  readonly table: ProcessTable;
  /** The direct child; `start` is read from the table's `now()` right before the spawn. */
  readonly root: ProcessIdentity;
  /** A text that only the environments of this tree hold. */
  readonly mark: string;
  /** Our own pid. */
  readonly self: number;
}

export class ProcessTree {
  readonly #options: ProcessTreeOptions;
  #rootEnd: number | undefined;
  #members: readonly ProcessInfo[] = [];
  #signalled = false;
  readonly #known = new Map<number, KnownProcess>();
  /** Processes whose environment was read in vain: only a member can start one that has the mark. */
  readonly #foreign = new Set<string>();

  constructor(options: ProcessTreeOptions) {
    this.#options = options;
  }

  /** False where what a process has started can be found after its end only by a scan before it. */
  get findsOrphansLate(): boolean {
    return this.#options.table.keepsParents;
  }

  /** Whether any of it was ever sent a signal. */
  get signalled(): boolean {
    return this.#signalled;
  }

  /** To be called as soon as the exit of the direct child is seen: from then on its pid may become anyone's. */
  rootEnded(): void {
    this.#rootEnd ??= this.#options.table.now();
  }

  /**
   * Looks at the whole table and answers the living members. Where the table cannot be read those count that were known
   * last, or the direct child for its group: never nobody.
   */
  async scan(): Promise<readonly ProcessInfo[]> {
    try {
      for (let attempt = 1; ; attempt += 1) {
        const { members, conclusive } = await this.#look();
        if (!conclusive && attempt < mostAttempts) continue;
        this.#remember(members);
        return members;
      }
    } catch {
      return this.#presumed();
    }
  }

  /** The members of the last scan that still run; cheaper than a scan, and blind for new ones. */
  async alive(): Promise<readonly ProcessInfo[]> {
    if (this.#members.length === 0) return [];
    try {
      const members = await this.#options.table.alive(this.#members);
      this.#remember(members);
      return members;
    } catch {
      return this.#presumed();
    }
  }

  signal(members: readonly ProcessInfo[], signal: StopSignal): Promise<void> {
    if (members.length === 0) return Promise.resolve();
    this.#signalled = true;
    return this.#options.table.signal(members, signal);
  }

  #presumed(): readonly ProcessInfo[] {
    if (this.#members.length > 0) return this.#members;
    const { root, self, table } = this.#options;
    return [
      { ...root, ppid: self, group: table.keepsParents ? undefined : root.pid, session: undefined, zombie: false },
    ];
  }

  /** Inconclusive when a process ended before its environment was read: it may have started another one meanwhile. */
  async #look(): Promise<{ readonly members: readonly ProcessInfo[]; readonly conclusive: boolean }> {
    const { table, mark } = this.#options;
    const processes = await table.list();
    const members = selectTree(processes, this.#query(new Set()));
    // These are certain, whether or not the rest can be read.
    this.#remember(members);
    const candidates = markCandidates(processes, this.#query(new Set()), members).filter(
      (process) => !this.#foreign.has(nameOf(process)),
    );
    if (candidates.length === 0) return { members, conclusive: true };
    const marked = await table.marked(candidates, mark);
    const unmarked = candidates.filter((process) => !marked.has(process.pid));
    const foreign = await table.alive(unmarked);
    for (const process of foreign) this.#foreign.add(nameOf(process));
    return {
      members: marked.size === 0 ? members : selectTree(processes, this.#query(marked)),
      conclusive: foreign.length === unmarked.length,
    };
  }

  #remember(members: readonly ProcessInfo[]): void {
    this.#members = members;
    const end = this.#options.table.now();
    for (const { pid, start } of members) this.#known.set(pid, { pid, start, end });
  }

  #query(marked: ReadonlySet<number>): TreeQuery {
    const { root, self, table } = this.#options;
    return {
      roots: [{ ...root, end: this.#rootEnd }],
      since: root.start,
      known: this.#known,
      marked,
      self,
      keepsParents: table.keepsParents,
    };
  }
}

const mostAttempts = 5;

function nameOf({ pid, start }: ProcessInfo): string {
  return `${pid}:${start}`;
}
