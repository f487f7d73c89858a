// JSON with sorted keys, no spaces and no fields without a value: equal values, equal text. For hashes that do not
// depend on the order in which somebody wrote keys. What a server sent is written within bounds, and a value that
// exceeds them is refused before all of it was walked.

export interface CanonicalBounds {
  /** Longest text in UTF-16 units. */
  readonly length: number;
  /** Deepest nesting of arrays and objects. */
  readonly depth: number;
}

export type Canonical = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'tooLong' | 'tooDeep' };

/** `undefined` outside of objects is written as `null`. */
export function boundedCanonicalJson(value: unknown, bounds: CanonicalBounds): Canonical {
  const writer: Writer = { parts: [], length: 0, bounds, fault: undefined };
  write(writer, value, 0);
  return writer.fault === undefined ? { kind: 'text', text: writer.parts.join('') } : { kind: writer.fault };
}

/** The same text of a value whose size is known to be small: our own, or read within bounds. */
export function canonicalJson(value: unknown): string {
  const writer: Writer = { parts: [], length: 0, bounds: { length: Infinity, depth: Infinity }, fault: undefined };
  write(writer, value, 0);
  return writer.parts.join('');
}

interface Writer {
  readonly parts: string[];
  length: number;
  readonly bounds: CanonicalBounds;
  fault: 'tooLong' | 'tooDeep' | undefined;
}

function write(writer: Writer, value: unknown, depth: number): void {
  if (typeof value === 'string') put(writer, value.length > writer.bounds.length ? value : JSON.stringify(value));
  else if (typeof value !== 'object' || value === null) put(writer, JSON.stringify(value ?? null));
  else if (depth >= writer.bounds.depth) writer.fault ??= 'tooDeep';
  else if (Array.isArray(value)) writeArray(writer, value, depth + 1);
  else writeObject(writer, value, depth + 1);
}

function writeArray(writer: Writer, value: readonly unknown[], depth: number): void {
  put(writer, '[');
  for (const [index, element] of value.entries()) {
    if (writer.fault !== undefined) return;
    if (index > 0) put(writer, ',');
    write(writer, element, depth);
  }
  put(writer, ']');
}

function writeObject(writer: Writer, value: object, depth: number): void {
  put(writer, '{');
  const fields = value as Readonly<Record<string, unknown>>;
  let comma = '';
  for (const key of Object.keys(fields).sort()) {
    if (writer.fault !== undefined) return;
    if (fields[key] === undefined) continue;
    put(writer, `${comma}${JSON.stringify(key)}:`);
    write(writer, fields[key], depth);
    comma = ',';
  }
  put(writer, '}');
}

function put(writer: Writer, text: string): void {
  writer.length += text.length;
  if (writer.length > writer.bounds.length) writer.fault ??= 'tooLong';
  else writer.parts.push(text);
}
