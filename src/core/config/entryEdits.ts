// Turns a whole entry into the fewest edits that make the file say it (CFG-2, CFG-8), purely.
import { entryKeys, oauthKeys, timeoutKeys } from '../../contract/configKeys.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import { adjustableFields } from './configFingerprint.ts';
import type { ConfigEdit } from './editConfigText.ts';

/**
 * Edits that make `id` mean `entry`. Known keys that the new entry lacks go; unknown ones stay, and so do toggles, policies
 * and time-outs, since a rule that somebody set must not be lost by changing a command. An entry that names no
 * protocol gets an explicit one: what it had before (omitted was legacy), else `auto` for a URL and `legacy` otherwise.
 */
export function entryEdits(id: string, entry: JsonObject, existing: JsonObject | undefined): readonly ConfigEdit[] {
  const wanted: JsonObject = Object.hasOwn(entry, 'protocol')
    ? entry
    : { ...entry, protocol: explicitProtocol(entry, existing) };
  const path = ['mcpServers', id];
  if (existing === undefined) return [{ path, value: wanted }];
  const gone = entryKeys.filter(
    (key) => Object.hasOwn(existing, key) && wanted[key] === undefined && !adjustableFields.has(key),
  );
  return [
    ...gone.map((key) => ({ path: [...path, key], value: undefined })),
    ...Object.keys(wanted).flatMap((key) => fieldEdits([...path, key], existing[key], wanted[key])),
  ];
}

/** Settings with keys of their own; the maps (env, headers, toolPolicies) consist of nothing but what is written. */
const knownParts: Readonly<Record<string, readonly string[]>> = { timeouts: timeoutKeys, oauth: oauthKeys };

function explicitProtocol(entry: JsonObject, existing: JsonObject | undefined): JsonValue {
  if (entry['transport'] === 'sse') return 'legacy';
  const sameKind = existing !== undefined && Object.hasOwn(existing, 'url') === Object.hasOwn(entry, 'url');
  if (sameKind) return existing['protocol'] ?? 'legacy';
  return Object.hasOwn(entry, 'url') ? 'auto' : 'legacy';
}

/** Maps are edited by key, so that comments between their lines stay; everything else is set as a whole. */
function fieldEdits(path: readonly string[], old: JsonValue | undefined, value: JsonValue | undefined): ConfigEdit[] {
  if (value === undefined) return [];
  if (!isJsonObject(old) || !isJsonObject(value)) return [{ path, value }];
  const known = knownParts[path.at(-1) ?? ''];
  const gone = Object.keys(old).filter((key) => value[key] === undefined && known?.includes(key) !== false);
  return [
    ...gone.map((key) => ({ path: [...path, key], value: undefined })),
    ...Object.keys(value).flatMap((key) => fieldEdits([...path, key], old[key], value[key])),
  ];
}
