// JSON with sorted keys and no spaces, for hashes that do not depend on the order in which a server writes its keys.
// Refuses values that are too deep or too long before it has walked all of them: they come from servers.
import type { JsonValue } from '../../contract/json.ts';

export interface CanonicalBounds {
  /** Longest text in UTF-16 units. */
  readonly length: number;
  /** Deepest nesting of arrays and objects. */
  readonly depth: number;
}

export type Canonical = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'tooLong' | 'tooDeep' };

export function canonicalJson(value: JsonValue | undefined, bounds: CanonicalBounds): Canonical {
  const writer: Writer = { parts: [], length: 0, bounds, fault: undefined };
  write(writer, value, 0);
  return writer.fault === undefined ? { kind: 'text', text: writer.parts.join('') } : { kind: writer.fault };
}

interface Writer {
  readonly parts: string[];
  length: number;
  readonly bounds: CanonicalBounds;
  fault: 'tooLong' | 'tooDeep' | undefined;
}

function write(writer: Writer, value: JsonValue | undefined, depth: number): void {
  if (typeof value === 'string') put(writer, value.length > writer.bounds.length ? value : JSON.stringify(value));
  else if (typeof value !== 'object' || value === null) put(writer, value === undefined ? 'null' : String(value));
  else if (depth >= writer.bounds.depth) writer.fault ??= 'tooDeep';
  else if (isArray(value)) writeArray(writer, value, depth + 1);
  else writeObject(writer, value, depth + 1);
}

function writeArray(writer: Writer, value: readonly JsonValue[], depth: number): void {
  put(writer, '[');
  for (const [index, element] of value.entries()) {
    if (writer.fault !== undefined) return;
    if (index > 0) put(writer, ',');
    write(writer, element, depth);
  }
  put(writer, ']');
}

function writeObject(writer: Writer, value: Readonly<Record<string, JsonValue | undefined>>, depth: number): void {
  put(writer, '{');
  const keys = Object.keys(value).sort();
  for (const [index, key] of keys.entries()) {
    if (writer.fault !== undefined) return;
    put(writer, `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`);
    write(writer, value[key], depth);
  }
  put(writer, '}');
}

function put(writer: Writer, text: string): void {
  writer.length += text.length;
  if (writer.length > writer.bounds.length) writer.fault ??= 'tooLong';
  else writer.parts.push(text);
}

/** `Array.isArray` does not narrow a readonly array. */
function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
