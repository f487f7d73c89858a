// Tells a value that only claims to be JSON: what callers outside of TypeScript hand in as an entry. Pure. Written down,
// such a value would become another one in silence, or fail in the middle of an edit.
import { limits } from '../limits.ts';

export interface NotJson {
  readonly path: readonly string[];
  /** Continues the words "is not allowed:". */
  readonly reason: string;
}

/** The first place that is no JSON; a field that is undefined counts as absent. Never throws for plain data. */
export function notJson(value: unknown, path: readonly string[] = []): NotJson | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { path, reason: 'it is no finite number' };
  if (typeof value !== 'object') return { path, reason: `it must be a JSON value, not ${nameOf(value)}` };
  if (path.length > limits.config.depth) return { path: path.slice(0, 3), reason: 'it is nested too deep' };
  const plain =
    Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
  if (!plain) return { path, reason: 'it must be a JSON value, not an object of a class' };
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined && !Array.isArray(value)) continue;
    const found = notJson(item, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function nameOf(value: unknown): string {
  return value === undefined ? 'nothing' : `a ${typeof value}`;
}
