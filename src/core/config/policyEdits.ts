// Turns a rule for a tool into the fewest edits of one file (POL-1, CFG-8), purely. In a project's file a rule stands in
// the entry, for everybody who uses the folder. In the person's file it stands in the entry of that id where they have
// one, else under `toolPolicies` at the top; it is their one rule, so another of the same name goes from the other place.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import type { ConfigScope, PolicyWord, ServerId } from '../../contract/serverConfig.ts';
import type { ConfigEdit } from './editConfigText.ts';

export interface PolicyRule {
  readonly server: ServerId;
  /** Its own name, or `*` for all that have no rule of their own. */
  readonly tool: string;
  /** Undefined takes the rule away. */
  readonly word: PolicyWord | undefined;
}

/** Undefined where the file has no place for the rule: a project that does not define the server. */
export function policyEdits(
  raw: JsonObject,
  { server, tool, word }: PolicyRule,
  scope: ConfigScope['kind'],
): readonly ConfigEdit[] | undefined {
  const entry = partOf(raw, ['mcpServers', server]);
  const inEntry = ['mcpServers', server, 'toolPolicies'];
  const atTop = ['toolPolicies', server];
  if (scope === 'project') return entry === undefined ? undefined : ruleEdits(raw, inEntry, tool, word);
  if (entry === undefined) return ruleEdits(raw, atTop, tool, word);
  return [...ruleEdits(raw, inEntry, tool, word), ...ruleEdits(raw, atTop, tool, undefined)];
}

function ruleEdits(
  raw: JsonObject,
  map: readonly string[],
  tool: string,
  word: PolicyWord | undefined,
): readonly ConfigEdit[] {
  if (word !== undefined) return [{ path: [...map, tool], value: word }];
  if (partOf(raw, map)?.[tool] === undefined) return [];
  // A map that is left without rules goes as well, and what held nothing but it.
  let path = [...map, tool];
  for (let holder = map; isAlone(raw, holder) && isRuleMap(holder); holder = holder.slice(0, -1)) path = [...holder];
  return [{ path, value: undefined }];
}

function isAlone(raw: JsonObject, path: readonly string[]): boolean {
  const part = partOf(raw, path);
  return part !== undefined && Object.keys(part).length === 1;
}

function isRuleMap(path: readonly string[]): boolean {
  return path.includes('toolPolicies');
}

function partOf(raw: JsonObject, path: readonly string[]): JsonObject | undefined {
  let part: JsonObject = raw;
  for (const key of path) {
    const next = Object.hasOwn(part, key) ? part[key] : undefined;
    if (!isJsonObject(next)) return undefined;
    part = next;
  }
  return part;
}
