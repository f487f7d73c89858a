// Takes what looks like a secret out of an entry, purely: the entry then names references in its place, and the values are
// answered beside it, for the editor's secret storage and for nothing else (TRUST-6, GATE-9). The entry is looked through
// once, however many there are: it is the length of an entry that bounds the work (limits.found.entry, in convertEntry).
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import type { JsonPath } from '../config/configDocument.ts';
import { findSecrets, type FoundSecret } from '../secrets/findSecrets.ts';
import { keptValueOf } from '../secrets/withoutSecret.ts';

export interface ExtractedSecret {
  /** What stands in the entry instead, such as `${secret:name}`. */
  readonly reference: string;
  readonly value: string;
}

export interface ExtractedEntry {
  readonly entry: JsonObject;
  readonly secrets: readonly ExtractedSecret[];
}

/** `referenceFor` names the place of one; the same value may be asked about twice. */
export function extractSecrets(
  entry: JsonObject,
  referenceFor: (found: FoundSecret, value: string) => string,
  id = 'server',
): ExtractedEntry {
  const text = JSON.stringify({ mcpServers: { [id]: entry } });
  const secrets: ExtractedSecret[] = [];
  const edits = new Map<string, ValueEdit>();
  // In the order of their places: those of one value follow each other.
  for (const found of findSecrets(text, 'user', { every: true })) {
    const kept = keptValueOf(found);
    if (kept === undefined) continue;
    const reference = referenceFor(found, kept);
    secrets.push({ reference, value: kept });
    const key = JSON.stringify(found.path);
    const { written, end } = edits.get(key) ?? { written: '', end: 0 };
    const { path, value, secret } = found;
    const before = value.slice(end, secret.start);
    edits.set(key, { path: path.slice(2), value, written: written + before + reference, end: secret.end });
  }
  const copy = JSON.parse(JSON.stringify(entry)) as MutableJson;
  for (const { path, value, written, end } of edits.values()) put(copy, path, written + value.slice(end));
  return { entry: copy, secrets };
}

interface ValueEdit {
  /** Within the entry. */
  readonly path: JsonPath;
  /** As it is, and what is written in its place for all of it up to `end`. */
  readonly value: string;
  readonly written: string;
  readonly end: number;
}

interface MutableJson {
  [key: string | number]: JsonValue | MutableJson;
}

/** The value is there: a secret was found in it, so no key reaches a prototype. */
function put(container: MutableJson, path: JsonPath, text: string): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) container[key] = text;
  else put(container[key] as MutableJson, rest, text);
}
