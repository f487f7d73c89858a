// What is left to do when the extension was uninstalled (GATE-8): every edit of ours in the files of other programs is
// undone. It runs without an editor and without programs of others, and never throws.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EditLedger } from './editLedger.ts';

/** `home` is the product's folder. Answers how many edits could not be undone; these stay on the list. */
export async function undoEverything({ home }: { readonly home: string }): Promise<number> {
  const ledger = new EditLedger({ home });
  let left = 0;
  const records = await ledger.records().catch(() => undefined);
  if (records === undefined) return 1;
  for (const { id } of [...records].reverse()) {
    // An entry that still starts our launcher would start nothing: that goes next.
    const outcome = await ledger.undo(id, { changed: 'removeOurs' }).catch(() => 'failed');
    if (outcome === 'changedSince' || outcome === 'failed') left += 1;
  }
  if (left === 0) await rm(join(home, 'agents'), { recursive: true, force: true }).catch(() => undefined);
  return left;
}
