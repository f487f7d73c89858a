// Three edits of JSON text with comments: replace a value, insert a property, remove an item. Each gives the new text.
import type { Node } from 'jsonc-parser';
import { isJsonObject, type JsonValue } from '../../contract/json.ts';
import { byteOrderMark } from './configDocument.ts';

/** How a file is laid out. */
export interface TextStyle {
  readonly indent: string;
  readonly lineEnd: string;
  /** A file of one line keeps being one. */
  readonly multiLine: boolean;
}

/** Reads the layout from the text itself; a text without lines gets none. */
export function styleOf(text: string): TextStyle {
  return {
    indent: /\n([ \t]+)["/]/.exec(text)?.[1] ?? '  ',
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
    multiLine: /[\r\n]/.test(text.trim()),
  };
}

export function replaceValue(text: string, node: Node, value: JsonValue, style: TextStyle): string {
  const written = write(value, indentAt(text, node.offset), style, isOnOneLine(text, node) ?? !style.multiLine);
  return splice(text, node.offset, node.offset + node.length, written);
}

/** Adds a property as the last one, or as the first one. The comments around keep their places. */
export function insertProperty(
  text: string,
  object: Node,
  key: string,
  value: JsonValue,
  style: TextStyle & { first?: boolean },
): string {
  const properties = object.children ?? [];
  const close = object.offset + object.length - 1;
  const last = properties.at(-1);
  const flat = isOnOneLine(text, object) ?? !style.multiLine;
  const outer = indentAt(text, object.offset);
  const inner = flat ? '' : last === undefined ? outer + style.indent : indentAt(text, (properties[0] ?? last).offset);
  const property = `${JSON.stringify(key)}: ${write(value, inner, style, flat)}`;
  const start = flat ? ' ' : style.lineEnd + inner;

  if (last !== undefined && style.first === true) {
    const at = object.offset + 1;
    const padded = flat && !/\s/.test(text[at] ?? '') ? `${property}, ` : `${start}${property},`;
    return splice(text, at, at, padded);
  }
  if (last !== undefined) {
    const end = last.offset + last.length;
    const comma = commaAfter(text, end);
    const at = endOfSameLine(text, comma === undefined ? end : comma + 1, close);
    const added = `${start}${property}${comma === undefined ? '' : ','}`;
    const closing = flat || startsNewLine(text, at, close) ? '' : style.lineEnd + outer;
    const withProperty = splice(text, at, at, added + closing);
    return comma === undefined ? splice(withProperty, end, end, ',') : withProperty;
  }
  // Empty but for comments: after the last of them, on a line of its own.
  const at = endOfContent(text, object.offset + 1, close);
  if (flat) return splice(text, at, close, `${at === object.offset + 1 ? '' : ' '}${property}`);
  const closing = startsNewLine(text, at, close) ? '' : style.lineEnd + outer;
  return splice(text, at, closing === '' ? at : close, start + property + closing);
}

/** Takes an item of an object or list out, with its comma, and its lines if nothing else stands on them. */
export function removeItem(text: string, value: Node): string {
  const item = value.parent?.type === 'property' ? value.parent : value;
  const siblings = item.parent?.children ?? [];
  const index = siblings.indexOf(item);
  const end = item.offset + item.length;
  const ownComma = commaAfter(text, end);
  const previous = siblings[index - 1];
  const before = previous === undefined ? undefined : commaAfter(text, previous.offset + previous.length);

  let result = text;
  if (ownComma !== undefined) result = splice(result, ownComma, ownComma + 1, '');
  result = cutLines(result, item.offset, end);
  // The last one without a comma of its own leaves the one before it without need of its comma.
  return ownComma === undefined && before !== undefined ? splice(result, before, before + 1, '') : result;
}

/** Removes a range; when it stood alone on its lines the lines go with it. */
function cutLines(text: string, start: number, end: number): string {
  const lead = /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  const trail = /^[ \t]*(\r\n|\r|\n)?/.exec(text.slice(end))?.[0] ?? '';
  const lineStart = start - lead;
  const atLineStart = lineStart === 0 || /[\r\n]/.test(text[lineStart - 1] ?? '');
  if (atLineStart && /[\r\n]/.test(trail)) return splice(text, lineStart, end + trail.length, '');
  return splice(text, /\S/.test(text[end] ?? ' ') ? start : lineStart, end, '');
}

function write(value: JsonValue, indent: string, style: TextStyle, flat: boolean): string {
  if (flat) return writeFlat(value);
  return JSON.stringify(value, undefined, style.indent).replaceAll('\n', style.lineEnd + indent);
}

function writeFlat(value: JsonValue): string {
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(writeFlat).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return '{}';
  return `{ ${fields.map(([key, field]) => `${JSON.stringify(key)}: ${writeFlat(field ?? null)}`).join(', ')} }`;
}

/** Whether a filled container is written on one line; undefined for anything else. */
function isOnOneLine(text: string, node: Node): boolean | undefined {
  if (node.type !== 'object' && node.type !== 'array') return undefined;
  if ((node.children ?? []).length === 0) return undefined;
  return !/[\r\n]/.test(text.slice(node.offset, node.offset + node.length));
}

/** White space at the start of the line on which a place stands. */
function indentAt(text: string, offset: number): string {
  const line =
    text
      .slice(0, offset)
      .split(/\r\n|\r|\n/)
      .at(-1) ?? '';
  return /^[ \t]*/.exec(line.startsWith(byteOrderMark) ? line.slice(1) : line)?.[0] ?? '';
}

/** The next comma with nothing but white space and comments before it. */
function commaAfter(text: string, offset: number): number | undefined {
  const at = skipTrivia(text, offset);
  return text[at] === ',' ? at : undefined;
}

const trivia = /(?:\s+|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/y;

function skipTrivia(text: string, offset: number): number {
  trivia.lastIndex = offset;
  trivia.test(text);
  return trivia.lastIndex;
}

/** Behind the comments that follow on the same line. */
function endOfSameLine(text: string, offset: number, close: number): number {
  const rest = /^(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[^]*?\*\/))*/.exec(text.slice(offset, close))?.[0] ?? '';
  return offset + rest.length;
}

/** Behind the last thing that is not white space. */
function endOfContent(text: string, offset: number, close: number): number {
  return offset + text.slice(offset, close).trimEnd().length;
}

function startsNewLine(text: string, offset: number, close: number): boolean {
  return /^[ \t]*[\r\n]/.test(text.slice(offset, close));
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
