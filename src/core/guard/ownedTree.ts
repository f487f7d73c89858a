// All that owners who are dead have left: what carries a mark of theirs, their direct children with all that those lead,
// and what descends from these (KEEP-5). Never a process that only has a name or a number like one of them.
import { isSameOwner, type MarkOwner, ownerOfMark } from '../transport/ownerMark.ts';
import type { ProcessInfo, ProcessTable, StopSignal } from '../transport/processTable.ts';
import { type KnownProcess, selectTree, type TreeRoot } from '../transport/selectTree.ts';
import type { LadderOptions } from '../transport/shutdownLadder.ts';

export interface OwnedTreeOptions {
  readonly table: ProcessTable;
  readonly owners: readonly MarkOwner[];
  /** Direct children of theirs that are written down. */
  readonly roots: readonly TreeRoot[];
  /** The owners died just now: where parents outlive their processes, what ended roots had started is theirs as well. */
  readonly fresh: boolean;
}

export class OwnedTree implements TreeOfLadder {
  readonly #options: OwnedTreeOptions;
  readonly #known = new Map<number, KnownProcess>();
  readonly #seen = new Set<string>();
  #members: readonly ProcessInfo[] = [];
  #blind = false;

  constructor(options: OwnedTreeOptions) {
    this.#options = options;
  }

  /** How many processes were found so far, those that ended since among them. */
  get found(): number {
    return this.#seen.size;
  }

  /** The last look failed: nothing is known, which is not the same as nothing. */
  get blind(): boolean {
    return this.#blind;
  }

  get findsOrphansLate(): boolean {
    return this.#options.table.keepsParents;
  }

  async scan(): Promise<readonly ProcessInfo[]> {
    try {
      for (let attempt = 1; ; attempt += 1) {
        const { members, conclusive } = await this.#look();
        this.#remember(members);
        this.#blind = false;
        if (conclusive || attempt === mostAttempts) return members;
      }
    } catch {
      this.#blind = true;
      return this.#members;
    }
  }

  async alive(): Promise<readonly ProcessInfo[]> {
    if (this.#members.length === 0) return [];
    try {
      this.#remember(await this.#options.table.alive(this.#members));
    } catch {
      this.#blind = true;
    }
    return this.#members;
  }

  signal(members: readonly ProcessInfo[], signal: StopSignal): Promise<void> {
    return members.length === 0 ? Promise.resolve() : this.#options.table.signal(members, signal);
  }

  /** Inconclusive when a process ended before its environment was read: it may have started another one meanwhile. */
  async #look(): Promise<{ readonly members: readonly ProcessInfo[]; readonly conclusive: boolean }> {
    const { table, owners } = this.#options;
    const processes = await table.list();
    const readable = processes.filter(({ zombie, pid }) => !zombie && pid > 1 && pid !== table.own.pid);
    const marks = await table.marks(readable);
    const marked = new Set([...marks].flatMap(([pid, found]) => (isMarkedBy(found, owners) ? [pid] : [])));
    const unread = readable.filter(({ pid }) => !marks.has(pid));
    const conclusive = marks.size === 0 || (await table.alive(unread)).length === unread.length;
    return { members: this.#select(processes, marked), conclusive };
  }

  #select(processes: readonly ProcessInfo[], marked: ReadonlySet<number>): readonly ProcessInfo[] {
    const { table, roots, fresh } = this.#options;
    const living = new Map(processes.map(({ pid, start }) => [pid, start]));
    const ended = (root: TreeRoot): boolean => {
      const start = living.get(root.pid);
      return start === undefined || start < root.start || start > (root.latest ?? Infinity);
    };
    return selectTree(processes, {
      roots:
        fresh && table.keepsParents ? roots.map((root) => (ended(root) ? { ...root, end: table.now() } : root)) : roots,
      since: 0,
      known: this.#known,
      marked,
      self: table.own.pid,
      keepsParents: table.keepsParents,
    });
  }

  #remember(members: readonly ProcessInfo[]): void {
    this.#members = members;
    const end = this.#options.table.now();
    for (const { pid, start } of members) {
      this.#known.set(pid, { pid, start, end });
      this.#seen.add(`${pid}:${start}`);
    }
  }
}

type TreeOfLadder = LadderOptions['tree'];

const mostAttempts = 5;

/** Whether one of these marks is of one of these owners. */
export function isMarkedBy(marks: readonly string[], owners: readonly MarkOwner[]): boolean {
  return marks.some((mark) => {
    const owner = ownerOfMark(mark);
    return owner !== undefined && owners.some((one) => isSameOwner(one, owner));
  });
}
