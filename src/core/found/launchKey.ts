// Whether two definitions run or reach the same, though one of them keeps a secret elsewhere (GATE-9). Pure. What only says
// how a connection is made does not count, and neither does what a secret is. Thought through once for each definition.
import { canonicalJson } from '../../base/canonicalJson.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { ServerDefinition } from '../../contract/serverConfig.ts';
import { limits } from '../limits.ts';
import { isCredentialHeader } from '../secrets/credentialHeader.ts';
import { extractSecrets } from './extractSecrets.ts';

export function launchKey(definition: ServerDefinition): string {
  const known = keys.get(definition);
  if (known !== undefined) return known;
  const launch = launchOf(definition);
  // Longer than any entry that can be taken over: it need only be told from those.
  const isLong = JSON.stringify(launch).length > longest;
  const key = canonicalJson(isLong ? launch : withoutReferences(extractSecrets(launch, () => hidden).entry));
  keys.set(definition, key);
  return key;
}

/** Definitions never change, and a file that is read again has new ones. */
const keys = new WeakMap<ServerDefinition, string>();
/** An entry of another client becomes longer where what looks like a variable here is text there. */
const longest = 4 * limits.found.entry;

const hidden = '${secret:-}';

function launchOf(definition: ServerDefinition): JsonObject {
  if (definition.kind === 'remote') {
    const headers = Object.entries(definition.headers).filter(([name]) => !isCredentialHeader(name));
    return { url: definition.url, headers: Object.fromEntries(headers) };
  }
  const { command, args, env, envFile, cwd } = definition;
  return { command, args, env: { ...env }, envFile: envFile ?? '', cwd: cwd ?? '' };
}

function withoutReferences(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\$\{(?:secret|input):[^}]*\}/g, hidden);
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withoutReferences(field)]));
}
