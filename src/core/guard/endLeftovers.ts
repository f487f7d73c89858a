// Ends what dead owners left, by the same way down as a server's own stop: asked first, killed then, until two listings
// say that nothing is left (KEEP-5). Used by the guard of one owner, and by the next owner for all. Two that do it at once
// do no harm.
import { unlink } from 'node:fs/promises';
import type { Clock } from '../../base/clock.ts';
import { judge, type ProcessFacts, systemFacts } from '../config/processIdentity.ts';
import { limits } from '../limits.ts';
import { marksIn } from '../transport/environment.ts';
import { type MarkOwner, ownerOfMark } from '../transport/ownerMark.ts';
import type { ProcessInfo, ProcessTable } from '../transport/processTable.ts';
import type { TreeRoot } from '../transport/selectTree.ts';
import { stopTree } from '../transport/shutdownLadder.ts';
import { deadOwners, pidExists } from './deadOwners.ts';
import { isMarkedBy, OwnedTree } from './ownedTree.ts';
import { type FoundLedger, readLedgers } from './ownerLedger.ts';

/** What was found of dead owners, and what of it could not be ended. */
export interface Ended {
  readonly found: number;
  readonly left: readonly ProcessInfo[];
}

export interface LeftBehind {
  readonly owners: readonly MarkOwner[];
  readonly roots: readonly TreeRoot[];
  readonly fresh: boolean;
}

/** Never fails; ends within `limits.guard`. */
export async function endLeftovers(left: LeftBehind, table: ProcessTable, clock: Clock): Promise<Ended> {
  const { toTerminate, toKill, sweep } = limits.guard;
  for (let attempt = 1; ; attempt += 1) {
    const tree = new OwnedTree({ table, ...left });
    const outcome = await stopTree({
      tree,
      clock,
      times: { toTerminate, toKill, sweep },
      // They broke with their owner, and nobody holds a handle of their start.
      endStdin: () => undefined,
      killRoot: () => undefined,
      rootEnded: Promise.resolve(),
    });
    if (!tree.blind || attempt === mostAttempts) return { found: tree.found, left: outcome.left };
  }
}

const mostAttempts = 3;

export interface NextStart {
  readonly table: ProcessTable;
  readonly clock: Clock;
  /** The product's folder. */
  readonly home: string;
  /** Our own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly facts?: ProcessFacts;
  readonly exists?: (pid: number) => boolean;
}

/**
 * What the next owner does once: ends all that dead owners left. Owners that our own environment is marked by are spared:
 * we are one of what they left, and would end ourselves. Fails where the system shows no processes.
 */
export async function endLeftoversOfAll(options: NextStart): Promise<Ended> {
  const { table, clock, home, env = process.env, facts = systemFacts, exists = pidExists } = options;
  const own = marksIn(Object.entries(env).map(([name, value]) => `${name}=${value ?? ''}`));
  const spared = own.flatMap((mark) => ownerOfMark(mark) ?? []);
  const ledgers = (await goneLedgers(await readLedgers(home), facts)).filter(
    ({ children }) => !children.some(({ mark }) => isMarkedBy([mark], spared)),
  );
  const roots = ledgers.flatMap(({ children }) => children.map((child) => ({ ...child, end: undefined })));
  const owners = await markedByDead(table, spared, exists);
  const ended =
    owners.length + roots.length === 0 ? nothing : await endLeftovers({ owners, roots, fresh: false }, table, clock);
  if (ended.left.length === 0) await Promise.all(ledgers.map(({ file }) => unlink(file).catch(() => undefined)));
  return ended;
}

const nothing: Ended = { found: 0, left: [] };

async function markedByDead(
  table: ProcessTable,
  spared: readonly MarkOwner[],
  exists: (pid: number) => boolean,
): Promise<readonly MarkOwner[]> {
  // There environments cannot be read.
  if (table.keepsParents) return [];
  const processes = await table.list();
  const readable = processes.filter(({ pid, zombie }) => !zombie && pid > 1 && pid !== table.own.pid);
  const marks = await table.marks(readable);
  return deadOwners(marks.values(), spared, { processes, table, exists });
}

/**
 * Those of owners that are certainly dead. What ran before this machine started again is gone with it: such a file is
 * taken away, and so is an old one of another machine or container, which nobody here can judge.
 */
async function goneLedgers(ledgers: readonly FoundLedger[], facts: ProcessFacts): Promise<readonly FoundLedger[]> {
  const boot = await facts.boot();
  const judged = await Promise.all(
    ledgers.map(async (ledger) => {
      const standing = await judge(ledger.owner, facts);
      const isOld = standing === 'unknown' && Date.now() - ledger.written > limits.guard.foreign;
      const isOver = isOld || (standing === 'gone' && ledger.owner.boot !== boot);
      if (isOver) await unlink(ledger.file).catch(() => undefined);
      return standing === 'gone' && !isOver ? ledger : undefined;
    }),
  );
  return judged.flatMap((ledger) => ledger ?? []);
}
