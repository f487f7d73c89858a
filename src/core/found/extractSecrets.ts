// Takes what looks like a secret out of an entry, purely: the entry then names references in its place, and the values are
// answered beside it, for the editor's secret storage and for nothing else (TRUST-6, GATE-9).
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { parseDocument } from '../config/configDocument.ts';
import { findSecrets, type FoundSecret } from '../secrets/findSecrets.ts';
import { keptValueOf, withoutSecret } from '../secrets/withoutSecret.ts';

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
  let text = JSON.stringify({ mcpServers: { [id]: entry } });
  const secrets: ExtractedSecret[] = [];
  // Each turn takes one out, so an entry with more than this is not an entry that a person wrote.
  for (let turn = 0; turn < atMost; turn += 1) {
    const found = findSecrets(text, 'user').find((secret) => keptValueOf(secret) !== undefined);
    const value = found && keptValueOf(found);
    if (found === undefined || value === undefined) break;
    const reference = referenceFor(found, value);
    secrets.push({ reference, value });
    text = withoutSecret(text, found, reference);
  }
  const document = parseDocument(text);
  const servers =
    document.kind === 'document' && isJsonObject(document.value) ? document.value['mcpServers'] : undefined;
  const taken = isJsonObject(servers) ? servers[id] : undefined;
  return { entry: isJsonObject(taken) ? taken : entry, secrets };
}

const atMost = 100;
