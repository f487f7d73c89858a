// The text of a client's file in any of its formats, as a value with the places of its entries, and edits of it. Pure, and
// safe with hostile text: nothing throws but what is said, and no key reaches a prototype.
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import type { EntryEdit, EntryState } from './clientFile.ts';
import type { FileFormat } from './clients.ts';
import { editJson, parseJson } from './jsonText.ts';
import { NotEditable, type ParsedText } from './parsedText.ts';
import { editToml, parseToml } from './tomlText.ts';
import { parseYaml } from './yamlText.ts';

export function parseText(format: FileFormat, text: string): ParsedText {
  switch (format) {
    case 'json':
    case 'jsonc':
      return parseJson(text);
    case 'toml':
      return parseToml(text);
    case 'yaml':
      return parseYaml(text);
  }
}

/**
 * The text with one entry changed, and nothing else: what came out was read again, and says what it should. Throws
 * `NotEditable`, and nothing else, for a text in which it cannot be done.
 */
export function editText(
  format: FileFormat,
  text: string,
  keyPath: readonly string[],
  edit: EntryEdit,
  /** The text to write for the entry, where it is to be exactly this one. */
  exact?: string,
): string {
  const before = parseText(format, text);
  if (before.kind === 'malformed') throw new NotEditable('the file is not well-formed');
  const wanted = withEdit(before.value, keyPath, edit);
  let after: string;
  switch (format) {
    case 'json':
    case 'jsonc':
      after = editJson(text, keyPath, edit, exact);
      break;
    case 'toml':
      after = editToml(text, keyPath, edit, exact);
      break;
    case 'yaml':
      throw new NotEditable('files of this format are only read');
  }
  // In TOML an object without entries may have no text of its own.
  const meant = edit.kind === 'remove' ? [wanted, withoutEmpty(wanted, keyPath)] : [wanted];
  if (!meant.some((value) => says(format, after, value)))
    throw new NotEditable('it is written in a way that cannot be edited safely');
  return after;
}

/** Whether a text reads as this value. */
export function says(format: FileFormat, text: string, value: JsonValue): boolean {
  const parsed = parseText(format, text);
  return parsed.kind === 'parsed' && sameValue(parsed.value, value);
}

/** The entry as it stands in a text. */
export function entryIn(
  parsed: ParsedText & { kind: 'parsed' },
  keyPath: readonly string[],
  name: string,
): EntryState | undefined {
  const raw = valueAt(parsed.value, [...keyPath, name]);
  if (!isJsonObject(raw)) return undefined;
  return { raw, text: parsed.textOf([...keyPath, name])?.text ?? '' };
}

export function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const key of path) {
    if (!isJsonObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** The same value, whatever the order of keys. */
export function sameValue(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return (a as readonly JsonValue[]).every((item, index) => sameValue(item, (b as readonly JsonValue[])[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const keys = Object.keys(a).filter((key) => a[key] !== undefined);
  if (keys.length !== Object.keys(b).filter((key) => b[key] !== undefined).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]));
}

/** The value after an edit. Objects on the way are made; where something else stands there, it throws `NotEditable`. */
export function withEdit(value: JsonObject, keyPath: readonly string[], edit: EntryEdit): JsonObject {
  const path = edit.kind === 'setField' ? [...keyPath, edit.name, edit.field] : [...keyPath, edit.name];
  if (edit.kind === 'setField' && !isJsonObject(valueAt(value, path.slice(0, -1)))) {
    throw new NotEditable(`there is no entry "${edit.name}"`);
  }
  return withValue(value, path, edit.kind === 'remove' ? undefined : edit.value);
}

/** The value without the objects on a path that have nothing in them, the innermost first; `most`: so many of them. */
export function withoutEmpty(value: JsonObject, path: readonly string[], most = path.length): JsonObject {
  let result = value;
  for (let length = path.length; length > path.length - most; length -= 1) {
    const at = valueAt(result, path.slice(0, length));
    if (!isJsonObject(at) || Object.keys(at).length > 0) break;
    result = withValue(result, path.slice(0, length), undefined);
  }
  return result;
}

/** The value with what is at a path set, or taken out. */
export function withValue(
  value: JsonObject,
  [key, ...rest]: readonly string[],
  set: JsonValue | undefined,
): JsonObject {
  if (key === undefined) return value;
  const copy = Object.assign(Object.create(null), value) as Record<string, JsonValue | undefined>;
  if (rest.length === 0) {
    if (set === undefined) Reflect.deleteProperty(copy, key);
    else copy[key] = set;
    return copy;
  }
  const inner = copy[key];
  if (inner === undefined && set === undefined) return value;
  if (inner !== undefined && !isJsonObject(inner)) throw new NotEditable(`"${key}" is no object`);
  copy[key] = withValue(inner ?? (Object.create(null) as JsonObject), rest, set);
  return copy;
}
