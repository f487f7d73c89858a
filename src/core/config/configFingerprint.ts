// Hash of a normalised definition without what changes no connection: words, toggles, policies and time-outs (CFG-10).
// Order of keys and the difference between a default written out and left out do not count; order of args does.
import { createHash } from 'node:crypto';
import type { ConfigFingerprint, ServerDefinition } from '../../contract/serverConfig.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';

export function configFingerprint(definition: ServerDefinition): ConfigFingerprint {
  const what = Object.fromEntries(Object.entries(definition).filter(([key]) => !adjustableFields.has(key)));
  return createHash('sha256').update(canonicalJson(what)).digest('hex') as ConfigFingerprint;
}

/** Changing these touches no connection. */
export const adjustableFields: ReadonlySet<string> = new Set([
  'description',
  'enabled',
  'autostart',
  'toolPolicies',
  'timeouts',
]);
