// Taking one recorded edit back from a file as it is now, purely: the entry becomes what it was, and everything that was
// changed since stays. An entry that somebody changed after us is left alone, unless the person says otherwise.
import type { JsonObject } from '../../contract/json.ts';
import type { EntryEdit } from './clientFile.ts';
import { editText, entryIn, parseText, sameValue, says, withEdit, withoutEmpty } from './clientText.ts';
import type { EditRecord } from './editRecord.ts';
import { withoutEmptyObject } from './jsonText.ts';
import { startsOurLauncher } from './ourEntry.ts';
import { NotEditable } from './parsedText.ts';
import { takeBack } from './textHunk.ts';

export type UndoneText =
  | { readonly kind: 'text'; readonly after: string }
  /** We made the file, and nothing of anybody else is in it. */
  | { readonly kind: 'removeFile' }
  /** Nothing of us is left, and nothing of before us is missing. */
  | { readonly kind: 'alreadyGone' }
  | { readonly kind: 'changedSince' }
  | { readonly kind: 'malformed'; readonly detail: string; readonly offset: number }
  | { readonly kind: 'notEditable'; readonly detail: string };

/**
 * What becomes of an entry that somebody changed after us. `removeOurs`: it goes where it still starts our launcher, which
 * goes too.
 */
export type ChangedEntry = 'leave' | 'remove' | 'removeOurs';

type Recorded = Pick<
  EditRecord,
  'purpose' | 'format' | 'shape' | 'keyPath' | 'name' | 'field' | 'before' | 'after' | 'hunk' | 'madeFile' | 'madeKeys'
>;

/** `text` is undefined where there is no file any more; it is made again where an entry is to be put back. */
export function undoneText(text: string | undefined, record: Recorded, changed: ChangedEntry = 'leave'): UndoneText {
  const { format, keyPath, name, before, hunk } = record;
  const current = text ?? '';
  const parsed = parseText(format, current);
  if (parsed.kind === 'malformed') return parsed;
  const edit = editBack(entryIn(parsed, keyPath, name)?.raw, record, changed);
  if (typeof edit === 'string') return { kind: edit };
  let wanted: JsonObject;
  let structural: string;
  try {
    wanted = withEdit(parsed.value, keyPath, edit);
    structural = editText(format, current, keyPath, edit, edit.kind === 'set' ? before?.text : undefined);
  } catch (error) {
    if (error instanceof NotEditable) return { kind: 'notEditable', detail: error.message };
    throw error;
  }
  const bare = withoutEmpty(wanted, keyPath, record.madeKeys);
  if (record.madeFile && Object.keys(bare).length === 0 && !hasComment(format, structural))
    return { kind: 'removeFile' };
  // Taken back as it was put there, the text is exactly what it was; else only the entry is taken out.
  const exact = (hunk === undefined ? [] : takeBack(current, hunk)).find(
    (candidate) => says(format, candidate, bare) || says(format, candidate, wanted),
  );
  return { kind: 'text', after: exact ?? tidied(structural, bare, record) };
}

/** The edit that takes ours back, or why there is none. */
function editBack(
  now: JsonObject | undefined,
  record: Recorded,
  changed: ChangedEntry,
): EntryEdit | 'alreadyGone' | 'changedSince' {
  const { purpose, shape, name, field, before, after } = record;
  if (sameValue(now, before?.raw)) return 'alreadyGone';
  const whole: EntryEdit = before === undefined ? { kind: 'remove', name } : { kind: 'set', name, value: before.raw };
  if (sameValue(now, after?.raw)) return whole;
  if (field !== undefined && now !== undefined && before !== undefined && after !== undefined) {
    // Only one field was ours; the rest of the entry is what its owner made of it meanwhile.
    const value = before.raw[field];
    if (sameValue(now[field], value)) return 'alreadyGone';
    const isSwitch = value === undefined || typeof value === 'boolean' || typeof value === 'string';
    if (isSwitch && sameValue(now[field], after.raw[field])) return { kind: 'setField', name, field, value };
  }
  const isOurs = purpose === 'connect' && now !== undefined && startsOurLauncher(shape, now);
  // Somebody put an entry of their own where ours was, and there was none before us.
  if (purpose === 'connect' && before === undefined && !isOurs) return 'alreadyGone';
  return changed === 'remove' || (changed === 'removeOurs' && isOurs) ? whole : 'changedSince';
}

function tidied(text: string, bare: JsonObject, { format, keyPath, madeKeys }: Recorded): string {
  if (format !== 'json' && format !== 'jsonc') return text;
  let result = text;
  for (let length = keyPath.length; length > keyPath.length - madeKeys; length -= 1) {
    result = withoutEmptyObject(result, keyPath.slice(0, length));
  }
  return says(format, result, bare) ? result : text;
}

/** Whether a text without any value still says something to people. */
function hasComment(format: EditRecord['format'], text: string): boolean {
  return format === 'toml' ? text.includes('#') : /\/[/*]/.test(text);
}
