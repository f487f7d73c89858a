// Decides, purely, which definition of an id owns its one connection (CFG-9). The first folder that defines an id owns
// it among the folders, whether or not it may run: a second folder never takes over by being approved first.
import type { ConfigSnapshot, ConfiguredServer, ServerKey } from './model.ts';

/**
 * The part a definition plays for its id (CFG-9): `serving` owns the id's one connection, `overridden` stands behind
 * a project's definition, `standIn` is a user's definition that serves because the project's one may not,
 * `waiting` is that project's one, `shared` is an equal definition of a second folder, `conflict` a differing one.
 */
export type ServerRole = 'serving' | 'standIn' | 'overridden' | 'waiting' | 'shared' | 'conflict';

/**
 * `mayServe` answers for a project's definition: trusted, approved and not refused, also where it is turned off. One that
 * may not serve is `waiting` only where the user's one stands in; otherwise it is `serving`, and its state says why it does
 * not run.
 */
export function resolveRoles(
  config: ConfigSnapshot,
  mayServe: (server: ConfiguredServer) => boolean,
): ReadonlyMap<ServerKey, ServerRole> {
  const roles = new Map<ServerKey, ServerRole>();
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
