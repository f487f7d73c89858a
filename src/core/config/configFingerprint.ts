// Hash of a normalised definition without what changes no connection: words, toggles, policies and time-outs (CFG-10).
// What is asked for by the inputs that it uses counts, and so does the order of args; the order of keys does not, nor whether
// a default is written out.
import { createHash } from 'node:crypto';
import type { ConfigFingerprint, InputDefinition, ServerDefinition } from '../../contract/serverConfig.ts';
import { canonicalJson } from '../../base/canonicalJson.ts';

/** `inputs` are those that it uses. */
export function configFingerprint(
  definition: ServerDefinition,
  inputs: readonly InputDefinition[] = [],
): ConfigFingerprint {
  const fields = Object.entries(definition).filter(([key]) => !adjustableFields.has(key));
  const what = Object.fromEntries(inputs.length === 0 ? fields : [...fields, ['inputs', inputs]]);
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
