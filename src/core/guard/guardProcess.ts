// The guard of one owner, a program of its own in one small file (KEEP-5). A shell becomes it once the owner's end of the
// pipe is closed, on Windows it waits for that itself. Ends all that the owner left, provided that the owner is dead.
// Arguments: the owner's pid, start and pid namespace, and its ledger. Says nothing: there is nobody to tell.
import { unlink } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../base/clock.ts';
import { limits } from '../limits.ts';
import type { MarkOwner } from '../transport/ownerMark.ts';
import type { ProcessTable } from '../transport/processTable.ts';
import { systemProcessTable } from '../transport/systemProcessTable.ts';
import { isDeadOwner, pidExists } from './deadOwners.ts';
import { endLeftovers } from './endLeftovers.ts';
import { readLedger } from './ownerLedger.ts';
import { wordOfOrder } from './guardWords.ts';

const [pid, start, namespace] = process.argv.slice(2, 5).map(Number) as [number, number, number];
const ledger = process.argv[5] ?? '';

if (!(await endedInOrder())) await guard({ pid, start, namespace }, systemProcessTable());

/** Waits for the end of stdin. */
async function endedInOrder(): Promise<boolean> {
  let text = '';
  process.stdin.setEncoding('utf8');
  try {
    for await (const piece of process.stdin) text = `${text}${String(piece)}`.slice(-64);
  } catch {
    // It broke with the owner.
  }
  return text.split('\n').includes(wordOfOrder);
}

async function guard(owner: MarkOwner, table: ProcessTable): Promise<void> {
  if (!(await isGone(owner, table))) return;
  const children = (await readLedger(ledger))?.children ?? [];
  const roots = children.map((child) => ({ ...child, end: undefined }));
  const { left } = await endLeftovers({ owners: [owner], roots, fresh: true }, table, systemClock());
  if (left.length === 0 && ledger !== '') await unlink(ledger).catch(() => undefined);
}

/** Files are closed a moment before a process is gone. One that closed the pipe and lives is left alone. */
async function isGone(owner: MarkOwner, table: ProcessTable): Promise<boolean> {
  const deadline = Date.now() + limits.guard.die;
  for (;;) {
    const processes = await table.list().catch(() => undefined);
    if (processes !== undefined && isDeadOwner(owner, { processes, table, exists: pidExists })) return true;
    if (Date.now() > deadline) return false;
    await pause(10);
  }
}
