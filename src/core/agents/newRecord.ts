// What is noted of a planned edit, purely. Over an older edit of ours at the same place it goes back to what was before both,
// where that can still be taken back; an older one that somebody changed since stays on the list beside it, so that
// nothing of the person's own is lost.
import { randomUUID } from 'node:crypto';
import type { PlannedEdit } from './clientFile.ts';
import { parseText } from './clientText.ts';
import { type EditPurpose, type EditRecord, missingKeys } from './editRecord.ts';
import { startsOurLauncher } from './ourEntry.ts';
import { hunkBetween } from './textHunk.ts';
import { undoneText } from './undoEdit.ts';

export interface NewRecord {
  readonly record: EditRecord;
  /** The older one whose place it takes on the list. */
  readonly replaced: EditRecord | undefined;
}

export interface NoteOptions {
  readonly purpose: EditPurpose;
  /** The take-over that it belongs to. */
  readonly takeOver?: string | undefined;
}

export function newRecord(
  plan: PlannedEdit,
  { purpose, takeOver }: NoteOptions,
  records: readonly EditRecord[],
): NewRecord {
  const { file, path, name, keyPath, before } = plan;
  const old = records.findLast((record) => record.purpose === purpose && isSamePlace(record, plan));
  const undone = old === undefined ? undefined : undoneText(before, old);
  const base = undone?.kind === 'text' ? undone.after : undone?.kind === 'removeFile' ? '' : undefined;
  // However it was changed since: what stands there is ours, not the person's own.
  const isOurs =
    purpose === 'connect' && plan.entryBefore !== undefined && startsOurLauncher(file.shape, plan.entryBefore.raw);
  const from = base !== undefined || (isOurs && undone?.kind !== 'alreadyGone') ? old : undefined;
  const parsed = parseText(file.format, before ?? '');
  const entryBefore = from !== undefined ? from.before : isOurs ? undefined : plan.entryBefore;
  const hunk = from === undefined ? plan.hunk : base === undefined ? undefined : hunkBetween(base, plan.after);
  const record: EditRecord = {
    id: randomUUID(),
    purpose,
    ...(takeOver !== undefined && { takeOver }),
    client: file.client,
    path: file.path,
    realPath: path,
    scope: file.scope,
    ...(file.onlyIn !== undefined && { onlyIn: file.onlyIn }),
    format: file.format,
    shape: file.shape,
    keyPath,
    name,
    ...(from === undefined && plan.field !== undefined && { field: plan.field }),
    ...(entryBefore !== undefined && { before: entryBefore }),
    ...(plan.entryAfter !== undefined && { after: plan.entryAfter }),
    ...(hunk !== undefined && { hunk }),
    madeFile: from?.madeFile ?? before === undefined,
    ...(from?.madeFolder !== undefined && { madeFolder: from.madeFolder }),
    madeKeys: from?.madeKeys ?? (parsed.kind === 'parsed' ? missingKeys(parsed.value, keyPath) : 0),
    ...(from?.backup !== undefined && { backup: from.backup }),
    at: Date.now(),
  };
  return { record, replaced: undone?.kind === 'alreadyGone' ? old : from };
}

function isSamePlace(record: EditRecord, plan: PlannedEdit): boolean {
  return (
    record.realPath === plan.path &&
    record.name === plan.name &&
    record.keyPath.length === plan.keyPath.length &&
    record.keyPath.every((key, index) => key === plan.keyPath[index])
  );
}
