// Client files in YAML (Continue): read only. Its servers are a list of objects with a name each; they are read as a map by
// name, the first of a name, so that all formats look alike. Aliases are bounded: a small file can mean a huge value.
import { isMap, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import { limits } from '../limits.ts';
import type { ParsedText, TextPlace } from './parsedText.ts';

export function parseYaml(text: string): ParsedText {
  if (text.length > limits.agents.yamlLength) return { kind: 'malformed', detail: 'the file is too large', offset: 0 };
  // Its parser goes down into what is nested, and can take the whole process with it.
  if (isDeep(text)) return { kind: 'malformed', detail: 'the nesting is too deep', offset: 0 };
  try {
    const document = parseDocument(text, {
      lineCounter: new LineCounter(),
      strict: true,
      uniqueKeys: true,
      logLevel: 'silent',
    });
    const [error] = document.errors;
    if (error !== undefined) return { kind: 'malformed', detail: wordsOf(error.message), offset: error.pos[0] };
    const raw = plainOf(document.toJS({ maxAliasCount: 100 }), 0);
    if (raw !== null && !isJsonObject(raw)) return { kind: 'malformed', detail: 'a map is expected', offset: 0 };
    const value = raw ?? (Object.create(null) as JsonObject);
    return {
      kind: 'parsed',
      value: byName(value),
      textOf: ([key = '', name = '']) => placeOf(text, document.get(key, true), name),
    };
  } catch {
    return { kind: 'malformed', detail: 'it means more than it holds, or is nested too deep', offset: 0 };
  }
}

/** Whether a text could be nested deeper than anything that people write; brackets in its strings count too. */
function isDeep(text: string): boolean {
  const most = limits.config.depth;
  let open = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = bracket === '[' || bracket === '{' ? open + 1 : Math.max(0, open - 1);
    if (open > most) return true;
  }
  const indents: number[] = [];
  for (const [, indent = '', marks = ''] of text.matchAll(/^([ \t]*)((?:[-?:][ \t]+)*)/gm)) {
    while ((indents.at(-1) ?? -1) >= indent.length) indents.pop();
    indents.push(indent.length);
    if (indents.length + marks.split(/[ \t]+/).length > most) return true;
  }
  return false;
}

/** Lists of named objects as maps. */
function byName(value: JsonObject): JsonObject {
  const result = Object.create(null) as Record<string, JsonValue>;
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) result[key] = Array.isArray(item) ? mapOf(item) : item;
  }
  return result;
}

function mapOf(list: readonly JsonValue[]): JsonValue {
  const named = Object.create(null) as Record<string, JsonValue>;
  for (const item of list) {
    if (!isJsonObject(item) || typeof item['name'] !== 'string') continue;
    named[item['name']] ??= item;
  }
  return Object.keys(named).length === 0 ? list : named;
}

function placeOf(text: string, list: unknown, name: string): TextPlace | undefined {
  if (!isSeq(list)) return undefined;
  const item = list.items.find((candidate) => isMap(candidate) && candidate.get('name') === name) as Node | undefined;
  const range = item?.range;
  return range ? { text: text.slice(range[0], range[1]), offset: range[0] } : undefined;
}

/** JSON's values in objects without prototypes; dates and such are text. */
function plainOf(value: unknown, depth: number): JsonValue {
  if (depth > limits.config.depth) throw new RangeError('too deep');
  if (Array.isArray(value)) return value.map((item) => plainOf(item, depth + 1));
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const result = Object.create(null) as Record<string, JsonValue>;
    for (const [key, item] of Object.entries(value)) result[key] = plainOf(item, depth + 1);
    return result;
  }
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' || typeof value === 'number' ? value.toString() : null;
}

/** The first line; what follows draws the place. */
function wordsOf(message: string): string {
  const words = (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
  return words.charAt(0).toLowerCase() + words.slice(1, 200);
}
