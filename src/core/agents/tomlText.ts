// Client files in TOML. Reading makes plain values of them (dates are text); edits touch the lines of one entry, in
// whichever of TOML's three ways it is written: tables of its own, dotted keys, or within an inline table.
import { ParseError, parseTOML, type AST } from 'toml-eslint-parser';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { byteOrderMark } from '../config/configDocument.ts';
import { limits } from '../limits.ts';
import type { EntryEdit } from './clientFile.ts';
import { NotEditable, type ParsedText } from './parsedText.ts';
import { tomlBlock, tomlInline, tomlKey } from './tomlWrite.ts';

export function parseToml(text: string): ParsedText {
  if (text.length > limits.agents.tomlLength) return { kind: 'malformed', detail: 'the file is too large', offset: 0 };
  try {
    const body = bodyOf(text);
    const value = valueOf(body);
    return {
      kind: 'parsed',
      value,
      textOf: (path) => {
        const pieces = piecesOf(body, path);
        const first = pieces[0];
        if (first === undefined) return undefined;
        return {
          text: pieces.map(({ start, end }) => text.slice(start, end)).join(lineEndOf(text)),
          offset: first.start,
        };
      },
    };
  } catch (error) {
    if (error instanceof ParseError) return { kind: 'malformed', detail: detailOf(error), offset: error.index };
    // Its parser goes down into what is nested.
    if (error instanceof RangeError) return { kind: 'malformed', detail: 'the nesting is too deep', offset: 0 };
    throw error;
  }
}

/** `exact` is the text of the whole entry, as `textOf` gave it. The text must be well-formed. */
export function editToml(text: string, keyPath: readonly string[], edit: EntryEdit, exact?: string): string {
  const body = bodyOf(text);
  const path = [...keyPath, edit.name];
  const pieces = piecesOf(body, path);
  switch (edit.kind) {
    case 'remove':
      return cut(text, pieces);
    case 'setField':
      return setField(text, body, path, edit.field, edit.value);
    case 'set': {
      const inline = pieces.find((piece) => piece.kind === 'inline' || piece.kind === 'value');
      if (inline?.valueStart !== undefined) {
        return text.slice(0, inline.valueStart) + tomlInline(edit.value) + text.slice(inline.end);
      }
      const lineEnd = lineEndOf(text);
      const block = exact ?? tomlBlock(path, edit.value).join(lineEnd);
      const [first, ...others] = pieces;
      if (first?.kind === 'table') {
        const rest = cut(text, others);
        return rest.slice(0, first.start) + block + rest.slice(first.end);
      }
      const home = inlineHome(body, keyPath);
      if (home !== undefined) return insertInline(text, home, edit.name, edit.value);
      return append(cut(text, pieces), block, lineEnd);
    }
  }
}

type Item = AST.TOMLKeyValue | AST.TOMLTable;

/** A stretch of text that belongs to an entry; `value`: the whole of it, as an inline table that is a line of its own. */
interface Piece {
  readonly kind: 'table' | 'dotted' | 'value' | 'inline';
  readonly start: number;
  readonly end: number;
  /** Of the inline table, where it is one. */
  readonly valueStart?: number;
  /** What else stands in the inline table around it. */
  readonly around?: AST.TOMLInlineTable;
}

function bodyOf(text: string): readonly Item[] {
  const plain = text.startsWith(byteOrderMark) ? ` ${text.slice(1)}` : text;
  return parseTOML(plain).body[0].body;
}

function valueOf(body: readonly Item[]): JsonObject {
  const root = bare();
  for (const item of body) {
    if (item.type === 'TOMLKeyValue') setAt(root, keysOf(item.key), plainOf(item.value));
    else {
      // A table of its own shows even where it holds nothing.
      const table = walkTo(root, item.resolvedKey);
      for (const pair of item.body) setAt(table, keysOf(pair.key), plainOf(pair.value));
    }
  }
  return root;
}

type Bare = Record<string, JsonValue>;

function bare(): Bare {
  return Object.create(null) as Bare;
}

function setAt(table: Bare, keys: readonly string[], value: JsonValue): void {
  const last = keys.at(-1);
  if (last === undefined) return;
  walkTo(table, keys.slice(0, -1))[last] = value;
}

/** The table at a path, made where it is not there; numbers are places in lists of tables. */
function walkTo(root: Bare, path: readonly (string | number)[]): Bare {
  if (path.length > limits.config.depth) throw new RangeError('too deep');
  let current: Bare | JsonValue[] = root;
  for (const [index, key] of path.entries()) {
    const next = current as Record<string | number, Bare | JsonValue[]>;
    next[key] ??= typeof path[index + 1] === 'number' ? [] : bare();
    current = next[key];
  }
  return current as Bare;
}

function plainOf(node: AST.TOMLContentNode, depth = 0): JsonValue {
  if (depth > limits.config.depth) throw new RangeError('too deep');
  if (node.type === 'TOMLArray') return node.elements.map((element) => plainOf(element, depth + 1));
  if (node.type === 'TOMLInlineTable') {
    const table = bare();
    for (const pair of node.body) setAt(table, keysOf(pair.key), plainOf(pair.value, depth + 1));
    return table;
  }
  if (node.kind === 'string' || node.kind === 'boolean') return node.value;
  if (node.kind === 'integer') return Number.isSafeInteger(node.value) ? node.value : node.bigint.toString();
  if (node.kind === 'float') return Number.isFinite(node.value) ? node.value : node.number;
  return node.datetime;
}

function keysOf(key: AST.TOMLKey): readonly string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
}

/** Every stretch of text of the entry at a path, in the order of the text. */
function piecesOf(body: readonly Item[], path: readonly string[]): readonly Piece[] {
  return body.flatMap((item): readonly Piece[] => {
    if (item.type === 'TOMLKeyValue') return pairPieces(item, [], path);
    if (startsWith(item.resolvedKey, path)) return [{ kind: 'table', ...rangeOf(item) }];
    if (!startsWith(path, item.resolvedKey)) return [];
    return item.body.flatMap((pair) => pairPieces(pair, item.resolvedKey, path));
  });
}

function pairPieces(
  pair: AST.TOMLKeyValue,
  base: readonly (string | number)[],
  path: readonly string[],
  around?: AST.TOMLInlineTable,
): readonly Piece[] {
  const full = [...base, ...keysOf(pair.key)];
  const within = around === undefined ? {} : { around };
  if (startsWith(full, path)) {
    const range = rangeOf(pair);
    const whole = full.length === path.length && pair.value.type === 'TOMLInlineTable';
    const value = whole ? { valueStart: pair.value.range[0] } : {};
    if (around !== undefined) return [{ kind: 'inline', ...range, ...value, ...within }];
    return [{ kind: whole ? 'value' : 'dotted', ...range, ...value }];
  }
  const inner = pair.value;
  if (inner.type !== 'TOMLInlineTable' || !startsWith(path, full)) return [];
  return inner.body.flatMap((child) => pairPieces(child, full, path, inner));
}

function startsWith(long: readonly (string | number)[], short: readonly (string | number)[]): boolean {
  return short.length <= long.length && short.every((key, index) => long[index] === key);
}

function rangeOf({ range }: AST.TOMLNode): { readonly start: number; readonly end: number } {
  return { start: range[0], end: range[1] };
}

/** The inline table in which the servers stand, where they do. */
function inlineHome(body: readonly Item[], keyPath: readonly string[]): AST.TOMLInlineTable | undefined {
  for (const item of body) {
    const pairs = item.type === 'TOMLKeyValue' ? [item] : item.body;
    const base = item.type === 'TOMLKeyValue' ? [] : item.resolvedKey;
    for (const pair of pairs) {
      const full = [...base, ...keysOf(pair.key)];
      if (full.length === keyPath.length && startsWith(full, keyPath) && pair.value.type === 'TOMLInlineTable') {
        return pair.value;
      }
    }
  }
  return undefined;
}

function insertInline(text: string, home: AST.TOMLInlineTable, name: string, value: JsonObject): string {
  const written = `${tomlKey(name)} = ${tomlInline(value)}`;
  const last = home.body.at(-1);
  if (last === undefined) return `${text.slice(0, home.range[0])}{ ${written} }${text.slice(home.range[1])}`;
  return `${text.slice(0, last.range[1])}, ${written}${text.slice(last.range[1])}`;
}

/** At the end, with an empty line before it. */
function append(text: string, block: string, lineEnd: string): string {
  const content = text.replace(byteOrderMark, '');
  const gap = content.trim() === '' ? '' : /[\r\n]$/.test(text) ? lineEnd : lineEnd + lineEnd;
  return text + gap + block + lineEnd;
}

function setField(
  text: string,
  body: readonly Item[],
  path: readonly string[],
  field: string,
  value: string | boolean | undefined,
): string {
  const found = piecesOf(body, [...path, field]);
  const [first] = found;
  if (value === undefined) return cut(text, found);
  const written = typeof value === 'string' ? tomlInline(value) : String(value);
  const pair = first && pairAt(body, first.start);
  if (pair !== undefined) return text.slice(0, pair.value.range[0]) + written + text.slice(pair.value.range[1]);
  const table = body.find(
    (item): item is AST.TOMLTable => item.type === 'TOMLTable' && sameKeys(item.resolvedKey, path),
  );
  const line = `${tomlKey(field)} = ${written}`;
  if (table !== undefined) {
    const after = table.body.at(-1) ?? table.key;
    // Behind the bracket of a header that has nothing below it.
    const at = table.body.length === 0 ? table.range[1] : after.range[1];
    return `${text.slice(0, at)}${restOfLine(text, at)}${lineEndOf(text)}${line}${text.slice(at + restOfLine(text, at).length)}`;
  }
  const inline = piecesOf(body, path).find((piece) => piece.valueStart !== undefined);
  const inlineTable = inline?.valueStart === undefined ? undefined : inlineAt(body, inline.valueStart);
  const last = inlineTable?.body.at(-1);
  if (last === undefined) throw new NotEditable('the entry is written in a way that has no place for it');
  return `${text.slice(0, last.range[1])}, ${line}${text.slice(last.range[1])}`;
}

function sameKeys(a: readonly (string | number)[], b: readonly string[]): boolean {
  return a.length === b.length && startsWith(a, b);
}

function* allPairs(pairs: readonly AST.TOMLKeyValue[]): Generator<AST.TOMLKeyValue> {
  for (const pair of pairs) {
    yield pair;
    if (pair.value.type === 'TOMLInlineTable') yield* allPairs(pair.value.body);
  }
}

function pairAt(body: readonly Item[], start: number): AST.TOMLKeyValue | undefined {
  const pairs = body.flatMap((item) => (item.type === 'TOMLKeyValue' ? [item] : item.body));
  return [...allPairs(pairs)].find(({ range }) => range[0] === start);
}

function inlineAt(body: readonly Item[], start: number): AST.TOMLInlineTable | undefined {
  const pairs = body.flatMap((item) => (item.type === 'TOMLKeyValue' ? [item] : item.body));
  for (const { value } of allPairs(pairs)) {
    if (value.type === 'TOMLInlineTable' && value.range[0] === start) return value;
  }
  return undefined;
}

/** What is left of the line: white space and a comment. */
function restOfLine(text: string, offset: number): string {
  return /^[ \t]*(?:#[^\r\n]*)?/.exec(text.slice(offset))?.[0] ?? '';
}

/** Takes pieces out, the last first, with their lines, and the empty line before a table that ends the file. */
function cut(text: string, pieces: readonly Piece[]): string {
  return [...pieces].reverse().reduce((current, piece) => {
    if (piece.around !== undefined) return cutInline(current, piece, piece.around);
    const lead = /[ \t]*$/.exec(current.slice(0, piece.start))?.[0].length ?? 0;
    let start = piece.start - lead;
    const after = /^[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|$)/.exec(current.slice(piece.end))?.[0].length ?? 0;
    const end = piece.end + after;
    if (piece.kind === 'table' && (end === current.length || /^[ \t]*\r?\n/.test(current.slice(end)))) {
      const blank = /(?<=^|\n)[ \t]*\r?\n$/.exec(current.slice(0, start));
      if (blank !== null) start = blank.index;
    }
    return current.slice(0, start) + current.slice(end);
  }, text);
}

function cutInline(text: string, { start, end }: Piece, around: AST.TOMLInlineTable): string {
  const index = around.body.findIndex(({ range }) => range[0] === start);
  const previous = around.body[index - 1];
  const next = around.body[index + 1];
  if (previous !== undefined) return text.slice(0, previous.range[1]) + text.slice(end);
  if (next !== undefined) return text.slice(0, start) + text.slice(next.range[0]);
  return text.slice(0, around.range[0]) + '{}' + text.slice(around.range[1]);
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The parser's own words begin with a capital and end in a stop. */
function detailOf({ message }: ParseError): string {
  const words = message.replace(/\.$/, '');
  return words.charAt(0).toLowerCase() + words.slice(1, 200);
}
