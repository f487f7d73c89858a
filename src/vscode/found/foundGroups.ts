// Where found servers stand in the tree: by client and file, those of several clients together, each in one place. Pure.
import type { ClientFile } from '../../core/agents/clients.ts';
import type { FoundProblem, FoundServer, FoundView } from '../../core/found/foundView.ts';

export interface FoundGroup {
  readonly id: string;
  /** Absent for those that stand in several files. */
  readonly file?: ClientFile;
  readonly servers: readonly FoundServer[];
  readonly problem?: FoundProblem;
}

export function foundGroups({ servers, problems }: FoundView): readonly FoundGroup[] {
  const several = servers.filter(({ places }) => new Set(places.map(({ file }) => groupId(file))).size > 1);
  const groups = new Map<string, FoundGroup>();
  for (const server of servers) {
    if (several.includes(server)) continue;
    const { file } = server.places[0];
    const id = groupId(file);
    const group = groups.get(id) ?? { id, file, servers: [] };
    groups.set(id, { ...group, servers: [...group.servers, server] });
  }
  for (const problem of problems) {
    const id = groupId(problem.file);
    groups.set(id, { id, file: problem.file, servers: [], ...groups.get(id), problem });
  }
  return [...(several.length === 0 ? [] : [{ id: 'found/several', servers: several }]), ...groups.values()];
}

/** Of what may be taken over. */
export function isTakeable({ conversion, ours }: FoundServer): boolean {
  return conversion.kind === 'entry' && ours === undefined;
}

function groupId({ client, path, onlyIn }: ClientFile): string {
  return `found/${client}/${path}${onlyIn === undefined ? '' : `/${onlyIn}`}`;
}
