// The text of a configuration file as a tree with places. Tolerant of comments, trailing commas and a byte order mark;
// refuses everything else that JSON refuses, repeated keys (two readers could choose differently) and excessive depth.
import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { limits } from '../limits.ts';
import type { FilePosition } from './model.ts';

export type JsonPath = readonly (string | number)[];

export type ParsedDocument =
  | { readonly kind: 'document'; readonly root: Node; readonly value: JsonValue }
  | { readonly kind: 'malformed'; readonly detail: string; readonly offset: number };

/** Parses a text. Never throws, whatever the text is. A byte order mark is white space to it, so offsets fit the text as given. */
export function parseDocument(text: string): ParsedDocument {
  const body = text.startsWith(byteOrderMark) ? ` ${text.slice(1)}` : text;
  const tooDeep = depthFault(body);
  if (tooDeep !== undefined) return { kind: 'malformed', detail: 'the nesting is too deep', offset: tooDeep };
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: true, allowEmptyContent: false });
  const error = errors[0];
  if (error !== undefined) return { kind: 'malformed', detail: wordsOf(error), offset: error.offset };
  if (root === undefined) return { kind: 'malformed', detail: 'the file is empty', offset: 0 };
  const repeat = repeatedKey(root);
  if (repeat !== undefined) {
    return { kind: 'malformed', detail: `the key "${String(repeat.value)}" is written twice`, offset: repeat.offset };
  }
  return { kind: 'document', root, value: valueOf(root) };
}

/** The place of a value, or of the nearest thing around it that is there; `atKey` points at the name of a property. */
export function offsetOf(root: Node, path: JsonPath, options: { atKey?: boolean } = {}): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = findNodeAtLocation(root, [...path.slice(0, length)]);
    if (node === undefined) continue;
    const property = node.parent?.type === 'property' ? node.parent : undefined;
    const whole = length === path.length && options.atKey !== true;
    // A missing field of an object is reported where the object's own name stands.
    return whole && !isContainer(node) ? node.offset : (property ?? node).offset;
  }
  return root.offset;
}

/** Answers line and column, as people count, for offsets of one text; a byte order mark takes no column. */
export function placesOf(text: string): (offset: number) => FilePosition {
  const starts = [text.startsWith(byteOrderMark) ? 1 : 0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    const at = Math.max(offset, starts[0] ?? 0);
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  };
}

export const byteOrderMark = '\uFEFF';

/** The value of a tree in objects without prototypes, so that no key of a file can reach one. */
function valueOf(node: Node): JsonValue {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value as string | number | boolean | null;
  const object = Object.create(null) as Record<string, JsonValue>;
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    object[key.value as string] = valueOf(value);
  }
  return object satisfies JsonObject;
}

function isContainer(node: Node): boolean {
  return node.type === 'object' || node.type === 'array';
}

/** The parser recurses, so depth is bounded before it runs. Token kinds: `{` 1, `}` 2, `[` 3, `]` 4, end of file 17. */
function depthFault(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== 17; token = scanner.scan()) {
    if (token === 1 || token === 3) depth += 1;
    else if (token === 2 || token === 4) depth -= 1;
    if (depth > limits.config.depth) return scanner.getTokenOffset();
  }
  return undefined;
}

function repeatedKey(root: Node): Node | undefined {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const seen = new Set<unknown>();
    for (const child of node.children ?? []) {
      waiting.push(child);
      if (child.type !== 'property') continue;
      const key = child.children?.[0];
      if (key === undefined) continue;
      if (seen.has(key.value)) return key;
      seen.add(key.value);
    }
  }
  return undefined;
}

const errorWords: Readonly<Record<string, string>> = {
  InvalidSymbol: 'there is something that is not JSON',
  InvalidNumberFormat: 'a number is malformed',
  PropertyNameExpected: 'a property name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace } is expected',
  CloseBracketExpected: 'a closing bracket ] is expected',
  EndOfFileExpected: 'the end of the file is expected',
  InvalidCommentToken: 'a comment is not allowed here',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed',
  UnexpectedEndOfNumber: 'a number is not complete',
  InvalidUnicode: 'a \\u escape is malformed',
  InvalidEscapeCharacter: 'an escape in a string is unknown',
  InvalidCharacter: 'a string holds a control character',
};

function wordsOf(error: ParseError): string {
  return errorWords[printParseErrorCode(error.error)] ?? 'it is malformed';
}
