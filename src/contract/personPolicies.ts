// The person's rules for tools of servers that somebody else defined: `toolPolicies` at the top of their own file, by
// server id and tool (POL-1). A pull of a project cannot take them away. In a project's file nothing acts on them.
import { type ConfigFault, isServerId } from './configFile.ts';
import { policiesSchema } from './configSchemas.ts';
import { isJsonObject, type JsonValue } from './json.ts';
import type { ToolPolicies } from './serverConfig.ts';

export interface PersonPolicies {
  readonly policies: ToolPolicies;
  readonly faults: readonly ConfigFault[];
}

/** One fault refuses the whole file, as everywhere (CFG-5). Paths of faults start at the file. */
export function parsePersonPolicies(raw: JsonValue | undefined): PersonPolicies {
  const policies = Object.create(null) as Record<string, ToolPolicies[string]>;
  if (raw === undefined) return { policies, faults: [] };
  const at = ['toolPolicies'];
  if (!isJsonObject(raw)) return { policies, faults: [{ path: at, reason: 'it must be an object' }] };
  const faults: ConfigFault[] = [];
  for (const [id, rules] of Object.entries(raw)) {
    if (faults.length >= enoughFaults) break;
    const path = [...at, id];
    if (!isServerId(id)) {
      faults.push({ path, reason: 'it is no id of a server', atKey: true });
      continue;
    }
    const parsed = policiesSchema.safeParse(rules);
    if (!parsed.success) {
      faults.push(
        ...parsed.error.issues.slice(0, enoughFaults).map((issue) => ({
          path: [...path, ...issue.path.map(String)],
          reason: 'issues' in issue ? (issue.issues[0]?.message ?? issue.message) : issue.message,
          atKey: issue.code === 'invalid_key',
        })),
      );
    } else if (isJsonObject(rules) && Object.hasOwn(rules, '__proto__')) {
      faults.push({ path: [...path, '__proto__'], reason: 'the name is reserved', atKey: true });
    } else {
      policies[id] = Object.assign(Object.create(null) as ToolPolicies[string], parsed.data);
    }
  }
  return { policies, faults };
}

/** More than anybody reads at once. */
const enoughFaults = 100;
