// Taking one recorded edit back from a file as it is now, purely: the entry becomes what it was, and everything that was
// changed since stays. An entry that somebody changed after us is left alone.
import type { JsonObject } from '../../contract/json.ts';
import { editText, entryIn, parseText, sameValue, says, withEdit, withoutEmpty } from './clientText.ts';
import type { EditRecord } from './editRecord.ts';
import { withoutEmptyObject } from './jsonText.ts';
import { NotEditable } from './parsedText.ts';
import { takeBack } from './textHunk.ts';

export type UndoneText =
  | { readonly kind: 'text'; readonly after: string }
  /** We made the file, and nothing of anybody else is in it. */
  | { readonly kind: 'removeFile' }
  /** The entry is what it was before us already. */
  | { readonly kind: 'alreadyGone' }
  | { readonly kind: 'changedSince' }
  | { readonly kind: 'malformed'; readonly detail: string; readonly offset: number }
  | { readonly kind: 'notEditable'; readonly detail: string };

type Recorded = Pick<EditRecord, 'format' | 'keyPath' | 'name' | 'before' | 'after' | 'hunk' | 'madeFile' | 'madeKeys'>;

/** `text` is undefined where there is no file any more. */
export function undoneText(text: string | undefined, record: Recorded): UndoneText {
  if (text === undefined) return { kind: 'alreadyGone' };
  const { format, keyPath, name, before, after, hunk } = record;
  const parsed = parseText(format, text);
  if (parsed.kind === 'malformed') return parsed;
  const now = entryIn(parsed, keyPath, name)?.raw;
  if (sameValue(now, before?.raw)) return { kind: 'alreadyGone' };
  if (!sameValue(now, after?.raw)) return { kind: 'changedSince' };
  let wanted: JsonObject;
  let structural: string;
  try {
    const edit =
      before === undefined ? { kind: 'remove' as const, name } : { kind: 'set' as const, name, value: before.raw };
    wanted = withEdit(parsed.value, keyPath, edit);
    structural = editText(format, text, keyPath, edit, before?.text);
  } catch (error) {
    if (error instanceof NotEditable) return { kind: 'notEditable', detail: error.message };
    throw error;
  }
  const bare = withoutEmpty(wanted, keyPath, record.madeKeys);
  if (record.madeFile && Object.keys(bare).length === 0 && !hasComment(format, structural))
    return { kind: 'removeFile' };
  // Taken back as it was put there, the text is exactly what it was; else only the entry is taken out.
  const exact = (hunk === undefined ? [] : takeBack(text, hunk)).find(
    (candidate) => says(format, candidate, bare) || says(format, candidate, wanted),
  );
  return { kind: 'text', after: exact ?? tidied(structural, bare, record) };
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
