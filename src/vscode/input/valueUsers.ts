// Which servers want a value of the person's, and in which of their fields, for those who are asked for it. Pure.
import type { ConfiguredServer } from '../../core/config/model.ts';
import type { StoredValue } from '../adapters/storedValue.ts';
import { shownLine, shownName } from '../shownText.ts';

/** As `hub (GITHUB_TOKEN)`, one after the other; empty where no server of this window wants it. */
export function valueUsers(
  { kind, name, scope, target }: StoredValue,
  servers: readonly Pick<ConfiguredServer, 'id' | 'scope' | 'definition'>[],
): string {
  if (target !== undefined) return `${shownName(target.server)} (${shownLine(name, 100)})`;
  const reference = `\${${kind}:${name}}`;
  return servers
    .filter((server) => sameScope(server.scope, scope))
    .flatMap(({ id, definition }) => {
      const fields = fieldsWith(reference, definition);
      return fields.length === 0 ? [] : [`${id} (${fields.map((field) => shownLine(field, 100)).join(', ')})`];
    })
    .join(', ');
}

function sameScope(one: StoredValue['scope'], other: StoredValue['scope']): boolean {
  return one.kind === 'project' && other.kind === 'project' ? one.folder === other.folder : one.kind === other.kind;
}

/** Names of variables and headers; else that of the field. */
function fieldsWith(reference: string, value: unknown, field = ''): readonly string[] {
  if (typeof value === 'string') return value.includes(reference) ? [field] : [];
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => fieldsWith(reference, item, field)))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => fieldsWith(reference, item, key));
}
