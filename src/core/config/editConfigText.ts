// Minimal edits of a configuration text, purely (CFG-8). Only the text of the changed value and its own separators is
// touched: comments outside it, order, indentation, line ends, byte order mark and unknown keys stay as they are.
// Written here because jsonc-parser's own removal takes the comments between two properties with it.
import type { Node } from 'jsonc-parser';
import { currentConfigVersion } from '../../contract/configMigrations.ts';
import { isJsonObject, type JsonValue } from '../../contract/json.ts';
import { type JsonPath, parseDocument } from './configDocument.ts';
import { insertProperty, removeItem, replaceValue, styleOf } from './textEdits.ts';

/** Sets the value at a path, making the objects on the way; `undefined` removes it. */
export interface ConfigEdit {
  readonly path: JsonPath;
  readonly value: JsonValue | undefined;
}

/** The text of a file that did not exist. */
export const emptyConfigText = `{\n  "version": ${currentConfigVersion},\n  "mcpServers": {}\n}\n`;

/** Applies edits in order; an edit that changes nothing leaves the text alone. Throws on a text that is not valid JSON. */
export function editConfigText(text: string, edits: readonly ConfigEdit[]): string {
  return edits.reduce((current, { path, value }) => applyEdit(current, path, value), text);
}

/** Writes the current version into the file; the meaning of its entries is the same in all versions (CFG-3). */
export function withCurrentVersion(text: string): string {
  return applyEdit(text, ['version'], currentConfigVersion, { first: true });
}

function applyEdit(
  text: string,
  path: JsonPath,
  value: JsonValue | undefined,
  options: { first?: boolean } = {},
): string {
  const document = parseDocument(text);
  if (document.kind === 'malformed') throw new Error('Only a valid file can be edited.');
  let node: Node = document.root;
  for (const [depth, key] of path.entries()) {
    const child = childOf(node, key);
    if (child !== undefined) {
      node = child;
      continue;
    }
    if (value === undefined) return text;
    if (node.type !== 'object' || typeof key !== 'string') throw new Error('Only objects can get new properties.');
    const nested = path.slice(depth + 1).reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);
    return insertProperty(text, node, key, nested, { ...styleOf(text), ...options });
  }
  if (value === undefined) return removeItem(text, node);
  return sameValue(node, value) ? text : replaceValue(text, node, value, styleOf(text));
}

function childOf(node: Node, key: string | number): Node | undefined {
  if (typeof key === 'number') return node.type === 'array' ? node.children?.[key] : undefined;
  if (node.type !== 'object') return undefined;
  return node.children?.find((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/** Whether the text already says this; the order of an object's keys does not count. */
function sameValue(node: Node, value: JsonValue): boolean {
  if (Array.isArray(value)) {
    const items = node.children ?? [];
    const wanted: readonly JsonValue[] = value;
    return (
      node.type === 'array' &&
      items.length === wanted.length &&
      items.every((item, index) => sameValue(item, wanted[index] ?? null))
    );
  }
  if (isJsonObject(value)) {
    const wanted = Object.entries(value).filter(([, field]) => field !== undefined);
    return (
      node.type === 'object' &&
      (node.children ?? []).length === wanted.length &&
      wanted.every(([key, field]) => {
        const child = childOf(node, key);
        return child !== undefined && sameValue(child, field ?? null);
      })
    );
  }
  return node.type !== 'array' && node.type !== 'object' && node.value === value;
}
