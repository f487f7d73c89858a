// The servers of one configuration and the part that each plays for its id (CFG-9). Answers who serves, who stands for
// whom, and what there is to see of each; starts and ends nothing.
import type { ServerId } from '../../contract/serverConfig.ts';
import type { ConfigSnapshot, ConfiguredServer, ServerKey } from '../config/model.ts';
import { resolveRoles, type ServerRole } from '../config/resolveRoles.ts';
import type { ConnectionState } from '../connection/state.ts';
import { ManagerError } from '../errors.ts';
import { conflictWith, isUnapproved } from './bars.ts';
import type { ManagedServer } from './managedServer.ts';
import { type PolicyRules, strictestOf } from '../policy/decide.ts';
import { type EditorSettings, editorSource } from '../policy/editorSettings.ts';
import type { ServerView } from './view.ts';

export class ServerSet {
  readonly #config: ConfigSnapshot;
  readonly #servers: ReadonlyMap<ServerKey, ManagedServer>;
  readonly #byId = new Map<ServerId, readonly ManagedServer[]>();
  #roles: ReadonlyMap<ServerKey, ServerRole> = new Map();

  /** `find` gives the object that manages a definition. */
  constructor(config: ConfigSnapshot, find: (server: ConfiguredServer) => ManagedServer) {
    this.#config = config;
    const servers = config.files.flatMap((file) => file.servers);
    this.#servers = new Map(servers.map((server) => [server.key, find(server)]));
    for (const managed of this.all()) {
      const { id } = managed.server;
      this.#byId.set(id, [...(this.#byId.get(id) ?? []), managed]);
    }
  }

  /** Decides anew who serves each id; to be called whenever a bar changed. `mayServe` as in resolveRoles. */
  settle(mayServe: (managed: ManagedServer) => boolean): void {
    this.#roles = resolveRoles(this.#config, ({ key }) => mayServe(this.get(key)));
  }

  all(): readonly ManagedServer[] {
    return [...this.#servers.values()];
  }

  has(key: ServerKey): boolean {
    return this.#servers.has(key);
  }

  /** Fails with unknownServer. */
  get(key: ServerKey): ManagedServer {
    const managed = this.#servers.get(key);
    if (managed === undefined) throw new ManagerError('unknownServer', { server: key });
    return managed;
  }

  /** The definition that serves this id now; where none may, the one whose state says why. */
  keyOf(id: string): ServerKey | undefined {
    const named = this.all().filter(({ server }) => server.id === id);
    return (named.find((managed) => this.serves(managed)) ?? named[0])?.server.key;
  }

  /** The definition whose connection stands for this one: an equal one of another folder, or itself. */
  standsFor(key: ServerKey): ManagedServer {
    const managed = this.get(key);
    const owner = this.#roles.get(key) === 'shared' ? this.owner(managed.server.id) : undefined;
    return owner === undefined ? managed : this.get(owner.key);
  }

  /** Whether the id's one connection is this server's; never one that was removed meanwhile. */
  serves(managed: ManagedServer): boolean {
    const { key } = managed.server;
    const role = this.#roles.get(key);
    return this.#servers.get(key) === managed && (role === 'serving' || role === 'standIn');
  }

  /** The definitions that this one's connection stands for: its own, and equal ones of other folders. */
  carriedBy(managed: ManagedServer): readonly ServerKey[] {
    const { key, id } = managed.server;
    const others = this.all().filter((other) => other !== managed && other.server.id === id);
    const equal = others.map(({ server }) => server.key).filter((other) => this.standsFor(other) === managed);
    return [key, ...equal];
  }

  /** The folder's definition that owns an id before all others. */
  owner(id: ServerId): ConfiguredServer | undefined {
    const servers = this.all().map(({ server }) => server);
    return servers.find((server) => server.id === id && server.scope.kind === 'project');
  }

  /**
   * A definition that is not the one to run, whatever the person says of it: the owner's approval stands for an equal one
   * of a second folder, a differing one never runs, and a project's definition that may run takes the person's place.
   */
  isSetAside(key: ServerKey): boolean {
    const role = this.#roles.get(key);
    return role === 'shared' || role === 'conflict' || role === 'overridden';
  }

  viewOf(managed: ManagedServer, settings?: EditorSettings): ServerView {
    const { key } = managed.server;
    const { snapshot, kept, warnings, noiseCount } = this.standsFor(key);
    return {
      key,
      server: managed.server,
      role: this.#roles.get(key) ?? 'serving',
      state: this.#stateOf(managed),
      policies: this.#policiesOf(managed, settings),
      ...(snapshot !== undefined ? { snapshot } : kept === undefined ? {} : { kept }),
      warnings,
      noiseCount,
    };
  }

  /**
   * What the person says of an id's tools holds for a project's definition of that id too: it only tightens (POL-1). Of
   * equal definitions in several folders, each tightens the connection that they share.
   */
  #policiesOf({ server: { id, scope, key } }: ManagedServer, settings: EditorSettings | undefined): PolicyRules {
    const carrier = this.standsFor(key);
    const { changedTools: changed, grantedTools: granted } = carrier;
    const editor = settings === undefined ? undefined : editorSource(id, settings);
    const own = this.#config.files.find((file) => file.scope.kind === 'user');
    const personFile = own?.toolPolicies?.[id];
    const unknown = own?.rulesUnknown;
    const named = this.#byId.get(id) ?? [];
    const personEntry = named.find(({ server }) => server.scope.kind === 'user')?.server.definition.toolPolicies;
    const common = {
      changed,
      granted,
      ...(unknown && { unknown }),
      ...(editor && { editor }),
      ...(personFile && { personFile }),
      ...(personEntry && { personEntry }),
    };
    if (scope.kind === 'user') return common;
    const sharing = named.filter(({ server }) => this.standsFor(server.key) === carrier);
    const project = strictestOf(sharing.map(({ server }) => server.definition.toolPolicies));
    return { ...common, ...(project && { project }) };
  }

  #stateOf({ server }: ManagedServer): ConnectionState {
    if (this.#roles.get(server.key) === 'conflict') return conflictWith(server, this.owner(server.id));
    const carrier = this.standsFor(server.key);
    // Nobody is told that an approval is missing before that is known.
    if (carrier.standing === 'unlooked' && isUnapproved(carrier.bar)) return { kind: 'stopped' };
    return carrier.bar ?? carrier.connection.state;
  }
}
