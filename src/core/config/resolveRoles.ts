// Decides, purely, which definition of an id owns its one connection (CFG-9). The first folder that defines an id owns
// it among the folders, whether or not it may run: a second folder never takes over by being approved first.
import type { ConfigSnapshot, ConfiguredServer, ServerKey } from './model.ts';

/** The part a definition plays; core/manager/view.ts says what each means. */
export type ResolvedRole = 'serving' | 'standIn' | 'overridden' | 'waiting' | 'shared' | 'conflict';

/**
 * `mayServe` answers for a project's definition: trusted, approved and not refused. A disabled one may serve, that is,
 * it keeps the user's one away. A project's definition that may not serve is `waiting` only where the user's one
 * stands in; otherwise it is `serving`, and its state says why it does not run.
 */
export function resolveRoles(
  config: ConfigSnapshot,
  mayServe: (server: ConfiguredServer) => boolean,
): ReadonlyMap<ServerKey, ResolvedRole> {
  const roles = new Map<ServerKey, ResolvedRole>();
  for (const group of groupsOf(config)) {
    const user = group.find((server) => server.scope.kind === 'user');
    const [owner, ...others] = group.filter((server) => server.scope.kind === 'project');
    const ownerServes = owner !== undefined && (user === undefined || mayServe(owner));
    if (user !== undefined)
      roles.set(user.key, owner === undefined ? 'serving' : ownerServes ? 'overridden' : 'standIn');
    if (owner === undefined) continue;
    roles.set(owner.key, ownerServes ? 'serving' : 'waiting');
    for (const other of others) roles.set(other.key, other.fingerprint === owner.fingerprint ? 'shared' : 'conflict');
  }
  return roles;
}

/** The definitions of each id, in the order of their files. */
function groupsOf(config: ConfigSnapshot): Iterable<ConfiguredServer[]> {
  const groups = new Map<string, ConfiguredServer[]>();
  for (const server of config.files.flatMap((file) => file.servers)) {
    const group = groups.get(server.id);
    if (group === undefined) groups.set(server.id, [server]);
    else group.push(server);
  }
  return groups.values();
}
