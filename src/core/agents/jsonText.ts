// Client files in JSON, with comments and trailing commas where their client takes them. An empty file is an object
// without keys: many clients make one before they write to it.
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { isJsonObject } from '../../contract/json.ts';
import { byteOrderMark, parseDocument } from '../config/configDocument.ts';
import { editConfigText } from '../config/editConfigText.ts';
import type { EntryEdit } from './clientFile.ts';
import { NotEditable, type ParsedText, type TextPlace } from './parsedText.ts';

export function parseJson(text: string): ParsedText {
  if (isBlank(text)) return { kind: 'parsed', value: {}, textOf: () => undefined };
  const document = parseDocument(text);
  if (document.kind === 'malformed') return document;
  const { root, value } = document;
  if (!isJsonObject(value)) return { kind: 'malformed', detail: 'an object is expected', offset: root.offset };
  return { kind: 'parsed', value, textOf: (path) => placeOf(text, root, path) };
}

/** `exact` is the text for the entry's value. */
export function editJson(text: string, keyPath: readonly string[], edit: EntryEdit, exact?: string): string {
  const path = [...keyPath, edit.name, ...(edit.kind === 'setField' ? [edit.field] : [])];
  const value = edit.kind === 'remove' ? undefined : edit.value;
  const from = isBlank(text) ? `${text.startsWith(byteOrderMark) ? byteOrderMark : ''}{\n}\n` : text;
  let after: string;
  try {
    after = editConfigText(from, [{ path, value }]);
  } catch {
    throw new NotEditable('something on the way to the entry is no object');
  }
  return exact === undefined ? after : replaced(after, path, exact);
}

/** The text without the empty object at a path; as it is, where that is not one. */
export function withoutEmptyObject(text: string, path: readonly string[]): string {
  const document = parseDocument(text);
  if (document.kind === 'malformed') return text;
  const node = findNodeAtLocation(document.root, [...path]);
  if (node?.type !== 'object' || (node.children ?? []).length > 0) return text;
  // A comment that somebody left in it is theirs.
  if (!/^\{\s*\}$/.test(text.slice(node.offset, node.offset + node.length))) return text;
  return editConfigText(text, [{ path, value: undefined }]);
}

function replaced(text: string, path: readonly string[], exact: string): string {
  const document = parseDocument(text);
  const node = document.kind === 'malformed' ? undefined : findNodeAtLocation(document.root, [...path]);
  if (node === undefined) return text;
  return text.slice(0, node.offset) + exact + text.slice(node.offset + node.length);
}

function placeOf(text: string, root: Node, path: readonly string[]): TextPlace | undefined {
  const node = findNodeAtLocation(root, [...path]);
  return node && { text: text.slice(node.offset, node.offset + node.length), offset: node.offset };
}

function isBlank(text: string): boolean {
  return text.replace(byteOrderMark, '').trim() === '';
}
