// One client's file on disk: reading what its servers are, planning one minimal edit over exactly these bytes, and
// writing it. Promises: nothing but the entry and its separators changes; a file that changed meanwhile is not written; what
// is not understood is refused with its place and never written over. A link of the person's own file is followed and its
// target is edited; in a project no link leads out of the folder.
import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { readConfigFile } from '../config/configDisk.ts';
import { placesOf } from '../config/configDocument.ts';
import type { ConfigProblem, FilePosition } from '../config/model.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { editText, entryIn, parseText, valueAt } from './clientText.ts';
import type { ClientFile } from './clients.ts';
import { NotEditable, type ParsedText } from './parsedText.ts';
import { hunkBetween, type TextHunk } from './textHunk.ts';

export interface FoundEntry {
  readonly name: string;
  /** As it stands in the file; its objects have no prototypes. */
  readonly raw: JsonObject;
  /** The text of its value; where it is written in several pieces (TOML), these one after the other. */
  readonly text: string;
  readonly position: FilePosition;
}

export type ClientReading =
  /** `path` is where the file would be made, links resolved. */
  | { readonly kind: 'missing'; readonly file: ClientFile; readonly path: string }
  | {
      readonly kind: 'read';
      readonly file: ClientFile;
      /** Links resolved. */
      readonly path: string;
      /** With its byte order mark. */
      readonly text: string;
      /** SHA-256 of the bytes, in hexadecimal digits. */
      readonly hash: string;
      /** Permission bits. */
      readonly mode: number;
      /** Where the servers stand in this very file. */
      readonly keyPath: readonly string[];
      readonly entries: readonly FoundEntry[];
    }
  | { readonly kind: 'refused'; readonly file: ClientFile; readonly problem: ConfigProblem };

export type EntryEdit =
  /** Adds the entry, or puts it in the place of the one of this name. */
  | { readonly kind: 'set'; readonly name: string; readonly value: JsonObject }
  /** Sets one field of the entry; undefined takes it out. */
  | {
      readonly kind: 'setField';
      readonly name: string;
      readonly field: string;
      readonly value: string | boolean | undefined;
    }
  | { readonly kind: 'remove'; readonly name: string };

/** What an entry was or is: value and text. */
export interface EntryState {
  readonly raw: JsonObject;
  readonly text: string;
}

/** An edit that was thought through and not made: `before` and `after` are what a preview shows. */
export interface PlannedEdit {
  readonly file: ClientFile;
  /** Links resolved. */
  readonly path: string;
  readonly name: string;
  readonly keyPath: readonly string[];
  /** The one field that is set; absent where the whole entry is written or taken out. */
  readonly field?: string;
  /** Whole texts; `before` is undefined where there is no file. */
  readonly before: string | undefined;
  readonly after: string;
  /** The precondition: hash of the bytes of `before`; undefined where there must be no file. */
  readonly hash: string | undefined;
  readonly mode: number | undefined;
  readonly entryBefore: EntryState | undefined;
  readonly entryAfter: EntryState | undefined;
  readonly hunk: TextHunk;
}

/** Reads one place of a file. What is wrong with it is an answer, never an exception. */
export async function readClientFile(file: ClientFile): Promise<ClientReading> {
  const disk = await readConfigFile({ file: file.path, scope: file.scope }, { most: limits.agents.fileBytes });
  if (disk.kind === 'missing') return { kind: 'missing', file, path: disk.path };
  if (disk.kind === 'refused') return { kind: 'refused', file, problem: disk.problem };
  const { text, path, mode } = disk;
  const parsed = parseText(file.format, text);
  if (parsed.kind === 'malformed') {
    const position = placesOf(text)(parsed.offset);
    const data = { file: file.path, detail: parsed.detail, ...position };
    return { kind: 'refused', file, problem: { file: file.path, code: 'agentFileMalformed', data, position } };
  }
  const keyPath = keyPathIn(file, parsed);
  return {
    kind: 'read',
    file,
    path,
    text,
    hash: hashOf(text),
    mode,
    keyPath,
    entries: entriesOf(file, text, parsed, keyPath),
  };
}

/**
 * Thinks an edit through over what was read; touches nothing. Throws `agentFileNotEditable`, or the problem of a file that
 * was refused.
 */
export function planEdit(reading: ClientReading, edit: EntryEdit): PlannedEdit {
  if (reading.kind === 'refused') throw new ManagerError(reading.problem.code, reading.problem.data);
  const { file, path } = reading;
  const before = reading.kind === 'read' ? reading.text : undefined;
  const keyPath = reading.kind === 'read' ? reading.keyPath : file.keyPath;
  const after = edited(file, before ?? '', keyPath, edit);
  return {
    file,
    path,
    name: edit.name,
    keyPath,
    ...(edit.kind === 'setField' && { field: edit.field }),
    before,
    after,
    hash: reading.kind === 'read' ? reading.hash : undefined,
    mode: reading.kind === 'read' ? reading.mode : undefined,
    entryBefore: entryOfText(file, before ?? '', keyPath, edit.name),
    entryAfter: entryOfText(file, after, keyPath, edit.name),
    hunk: hunkBetween(before ?? '', after),
  };
}

/** The hash that an edit's precondition is. The text has its byte order mark. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function edited(file: ClientFile, text: string, keyPath: readonly string[], edit: EntryEdit): string {
  try {
    return editText(file.format, text, keyPath, edit);
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error;
    throw new ManagerError('agentFileNotEditable', { file: file.path, detail: error.message }, { cause: error });
  }
}

function entryOfText(file: ClientFile, text: string, keyPath: readonly string[], name: string): EntryState | undefined {
  const parsed = parseText(file.format, text);
  return parsed.kind === 'parsed' ? entryIn(parsed, keyPath, name) : undefined;
}

/** A file with an object at the other place, which is no entry itself, has its servers there. */
function keyPathIn(file: ClientFile, parsed: ParsedText & { kind: 'parsed' }): readonly string[] {
  const { keyPath, otherKeyPath } = file;
  if (otherKeyPath === undefined) return keyPath;
  const other = valueAt(parsed.value, otherKeyPath);
  return isJsonObject(other) && typeof other['type'] !== 'string' ? otherKeyPath : keyPath;
}

function entriesOf(
  file: ClientFile,
  text: string,
  parsed: ParsedText & { kind: 'parsed' },
  keyPath: readonly string[],
): readonly FoundEntry[] {
  const servers = valueAt(parsed.value, keyPath);
  if (!isJsonObject(servers)) return [];
  const placeOf = placesOf(text);
  return Object.entries(servers)
    .slice(0, limits.agents.entries)
    .map(([name, raw]): FoundEntry => {
      const place = parsed.textOf([...keyPath, name]);
      return {
        name,
        raw: isJsonObject(raw) ? raw : {},
        text: place?.text ?? '',
        position: placeOf(place?.offset ?? 0),
      };
    });
}
