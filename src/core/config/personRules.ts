// The person's rules for tools, out of their own file: by server id, of both places where they may stand in it (POL-1).
// Pure. Where several files or places speak of an id, for each tool the strictest holds.
import type { ToolPolicies } from '../../contract/serverConfig.ts';
import { type PolicySource, strictestOf } from '../policy/decide.ts';
import type { ConfigFile } from './model.ts';

type Rules = Pick<ConfigFile, 'toolPolicies'>;

/** Of the entries, under `toolPolicies` at the top, and of what else is given; nothing where there are no rules at all. */
export function personRules(
  { servers, toolPolicies }: Pick<ConfigFile, 'servers' | 'toolPolicies'>,
  more: Rules = {},
): Rules {
  const entries = Object.fromEntries(servers.map(({ id, definition }) => [id as string, definition.toolPolicies]));
  const sources: readonly ToolPolicies[] = [toolPolicies ?? {}, entries, more.toolPolicies ?? {}];
  const ids = new Set(sources.flatMap((source) => Object.keys(source)));
  const rules = [...ids].flatMap((id): [string, PolicySource][] => {
    const said = sources.map((source) => (Object.hasOwn(source, id) ? source[id] : undefined));
    const strictest = strictestOf(said.filter((source) => source !== undefined));
    return strictest === undefined || Object.keys(strictest).length === 0 ? [] : [[id, strictest]];
  });
  return rules.length === 0 ? {} : { toolPolicies: Object.fromEntries(rules) };
}
