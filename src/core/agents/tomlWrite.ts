// Values as TOML text.
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';

/** The lines of a table with its header; objects within are tables of their own, below. */
export function tomlBlock(path: readonly string[], value: JsonObject): readonly string[] {
  const fields = Object.entries(value).filter((field): field is [string, JsonValue] => field[1] !== undefined);
  const plain = fields.filter(([, field]) => !isJsonObject(field));
  const tables = fields.filter((field): field is [string, JsonObject] => isJsonObject(field[1]));
  return [
    `[${path.map(tomlKey).join('.')}]`,
    ...plain.map(([key, field]) => `${tomlKey(key)} = ${tomlInline(field)}`),
    ...tables.flatMap(([key, field]) => ['', ...tomlBlock([...path, key], field)]),
  ];
}

/** On one line. What TOML has no word for (`null`) is left out of tables and lists. */
export function tomlInline(value: JsonValue): string {
  if (typeof value === 'string') return tomlString(value);
  if (typeof value === 'number') return Number.isInteger(value) ? value.toFixed(0) : String(value);
  if (typeof value === 'boolean') return String(value);
  if (value === null) return '""';
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).filter(isThere).map(tomlInline).join(', ')}]`;
  const fields = Object.entries(value as JsonObject).filter((field): field is [string, JsonValue] => isThere(field[1]));
  if (fields.length === 0) return '{}';
  return `{ ${fields.map(([key, field]) => `${tomlKey(key)} = ${tomlInline(field)}`).join(', ')} }`;
}

export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key);
}

/** TOML's basic strings take JSON's escapes, and want one more character escaped. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

function isThere(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}
