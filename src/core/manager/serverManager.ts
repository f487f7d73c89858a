// Owns every configured server: applies configurations, decides which definition serves an id, has launches approved,
// starts and stops. Promises: nothing runs without a trust decision taken anew at that start (TRUST-2), a change
// touches the connection of its own server only (CFG-10), and what must end ends at once (CFG-13).
// It has no words for people and no way to call a tool: tools/toolRouter.ts is the one that calls.
import { Emitter } from '../../base/event.ts';
import type { ServerId } from '../../contract/serverConfig.ts';
import type { ConfigSnapshot, ConfiguredServer, ServerKey } from '../config/model.ts';
import { resolveRoles } from '../config/resolveRoles.ts';
import { stateOfFailure } from '../connection/failureState.ts';
import type { ConnectionSteps } from '../connection/serverConnection.ts';
import type { ConnectionState } from '../connection/state.ts';
import { ManagerError } from '../errors.ts';
import type { Launch } from '../transport/launch.ts';
import type { Circumstances } from '../trust/standing.ts';
import { barError, barState, conflictWith, isWaiting } from './bars.ts';
import type { ManagerDeps } from './deps.ts';
import { ManagedServer } from './managedServer.ts';
import type { LiveServer, ManagerChange, ManagerView, ServerRole, ServerView } from './view.ts';

interface Cancellable {
  readonly signal?: AbortSignal | undefined;
}

export class ServerManager {
  readonly #deps: ManagerDeps;
  readonly #changed = new Emitter<ManagerChange>();
  readonly #logged = new Emitter<{ readonly key: ServerKey; readonly line: string }>();
  #servers = new Map<ServerKey, ManagedServer>();
  #roles: ReadonlyMap<ServerKey, ServerRole> = new Map();
  #config: ConfigSnapshot | undefined;
  #circumstances: Circumstances;
  #disposed = false;

  constructor(deps: ManagerDeps, circumstances: Circumstances) {
    this.#deps = deps;
    this.#circumstances = circumstances;
  }

  readonly onDidChange = this.#changed.event;
  /** Lines of stderr, and of stdout that were no messages; redacted. */
  readonly onDidLog = this.#logged.event;

  view(): ManagerView {
    return {
      loaded: this.#config !== undefined,
      servers: this.#all().map((managed) => this.#viewOf(managed)),
      problems: (this.#config?.files ?? []).flatMap((file) => (file.problem === undefined ? [] : [file.problem])),
    };
  }

  /** Takes a configuration as the truth from now on; same fingerprint, same connection. */
  apply(config: ConfigSnapshot): void {
    if (this.#disposed) return;
    this.#config = config;
    const before = this.#servers;
    this.#servers = new Map();
    const wake: ManagedServer[] = [];
    for (const server of config.files.flatMap((file) => file.servers)) {
      const known = before.get(server.key);
      const managed = known ?? this.#take(server);
      this.#servers.set(server.key, managed);
      if (known === undefined ? server.definition.autostart : this.#change(known, server)) wake.push(managed);
    }
    for (const [key, managed] of before) {
      if (!this.#servers.has(key)) void managed.connection.disconnect();
    }
    this.#settleRoles();
    for (const managed of this.#all()) void this.#examine(managed, wake.includes(managed));
  }

  /** Trust granted, remote servers turned on or off: takes effect at once (TRUST-1, TRUST-7). */
  setCircumstances(circumstances: Circumstances): void {
    this.#circumstances = circumstances;
    const barred = this.#all().filter((managed) => managed.bar !== undefined);
    for (const managed of this.#all()) this.#rebar(managed);
    this.#settleRoles();
    for (const managed of barred) void this.#examine(managed, managed.server.definition.autostart);
  }

  /** The definition that serves this id now; where none may, the one whose state says why. */
  keyOf(id: string): ServerKey | undefined {
    const named = this.#all().filter((managed) => managed.server.id === id);
    return (named.find((managed) => this.#serves(managed)) ?? named[0])?.server.key;
  }

  /** Servers that wait for a person's approval. */
  waiting(): readonly ServerKey[] {
    const waiting = this.#all().filter((managed) => isWaiting(managed.bar));
    return waiting.map(({ server }) => server.key).filter((key) => !isSecond(this.#roles.get(key)));
  }

  /** One question for all that wait, or for those named; what the person approves is started. */
  async review(keys: readonly ServerKey[] = this.waiting(), options: Cancellable = {}): Promise<void> {
    const asked = keys.map((key) => this.#get(key)).filter((managed) => isWaiting(managed.bar));
    const signal = options.signal ?? new AbortController().signal;
    const approved = await this.#deps.desk.ask(
      asked.map((managed) => managed.server),
      signal,
    );
    for (const managed of asked) {
      if (approved.includes(managed.server)) this.#clear(managed, true);
    }
  }

  /** Starts a server as a person asked for it: has it approved where that is missing. */
  async start(key: ServerKey, options: Cancellable = {}): Promise<void> {
    const managed = this.#serving(key);
    if (managed.bar !== undefined) this.#rebar(managed);
    await this.#examine(managed, false);
    if (isWaiting(managed.bar)) await this.review([managed.server.key], options);
    this.#assertMayRun(managed);
    await managed.ready(options.signal);
  }

  async stop(key: ServerKey): Promise<void> {
    await this.#serving(key).connection.disconnect();
  }

  /** Reads the definition anew, then starts it instead of what ran (CFG-13). */
  async restart(key: ServerKey, options: Cancellable = {}): Promise<void> {
    const stopped = this.#serving(key).connection.disconnect();
    await this.#deps.reload(this.#get(key).server.file);
    await stopped;
    await this.start(key, options);
  }

  /** Lists anew what the server offers, starting it where it is not running. */
  async refresh(key: ServerKey, options: Cancellable = {}): Promise<void> {
    const managed = this.#serving(key);
    this.#assertMayRun(managed);
    await managed.refresh(options.signal);
  }

  /** The live server, started where it is not running; never asks a person. */
  async use(key: ServerKey, options: Cancellable = {}): Promise<LiveServer> {
    const managed = this.#serving(key);
    this.#assertMayRun(managed);
    const live = await managed.ready(options.signal);
    return { view: this.#viewOf(managed), ...live };
  }

  /** What a start would run now, after the same decision; for a diagnosis that takes the steps one by one. */
  async launch(key: ServerKey, options: Cancellable = {}): Promise<Launch> {
    const managed = this.#serving(key);
    this.#assertMayRun(managed);
    return this.#deps.desk.launch(managed.server, options.signal ?? new AbortController().signal);
  }

  /** The server as it is right now; undefined unless it is connected and listed. */
  live(key: ServerKey): LiveServer | undefined {
    const managed = this.#servers.has(key) ? this.#serving(key) : undefined;
    const live = managed?.live;
    return managed === undefined || live === undefined ? undefined : { view: this.#viewOf(managed), ...live };
  }

  /** The kept lines of stderr and of noise, oldest first; redacted. */
  log(key: ServerKey): readonly string[] {
    return this.#serving(key).log.lines();
  }

  /** Ends every server concurrently and waits until nothing of them is left. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    await Promise.allSettled(this.#all().map((managed) => managed.connection.disconnect()));
    this.#changed.dispose();
    this.#logged.dispose();
  }

  #take(server: ConfiguredServer): ManagedServer {
    const managed = new ManagedServer({
      server,
      steps: (self) => this.#steps(self),
      follow: this.#deps.follow,
      clock: this.#deps.clock,
      onChange: (self) => this.#connectionChanged(self),
      onLog: (self, line) => this.#logged.fire({ key: self.server.key, line }),
    });
    this.#rebar(managed);
    return managed;
  }

  /** Takes over a newer definition; true when it has to run now: it ran before, or was enabled to start by itself. */
  #change(managed: ManagedServer, server: ConfiguredServer): boolean {
    const before = managed.server;
    managed.server = server;
    if (before.fingerprint === server.fingerprint) {
      if (before.definition.enabled === server.definition.enabled) return false;
      this.#rebar(managed);
      return server.definition.enabled && server.definition.autostart;
    }
    const { active } = managed.connection;
    managed.bar = barState(server, this.#circumstances, false);
    void managed.connection.disconnect();
    return active;
  }

  /** Decides anew why a server may not run. One that waits for approval is examined after that. */
  #rebar(managed: ManagedServer): void {
    managed.bar = barState(managed.server, this.#circumstances, managed.connection.active);
  }

  /** Decides who serves each id (CFG-9), ends the connections of those that do not, and tells. */
  #settleRoles(): void {
    if (this.#config === undefined) return;
    this.#roles = resolveRoles(this.#config, (server) => this.#servers.get(server.key)?.bar?.kind !== 'blocked');
    for (const managed of this.#all()) {
      const idle = managed.bar !== undefined || !this.#serves(managed);
      if (idle && managed.connection.active) void managed.connection.disconnect();
    }
    this.#changed.fire({ kind: 'all' });
  }

  /** Ends the wait of a server whose exact launch was approved before; starts it where it is to run now. */
  async #examine(managed: ManagedServer, start: boolean): Promise<void> {
    const { server } = managed;
    if (!isWaiting(managed.bar)) {
      if (start) this.#startQuietly(managed);
      return;
    }
    try {
      const approved = await this.#deps.desk.isApproved(server);
      if (approved && managed.server === server && isWaiting(managed.bar)) this.#clear(managed, start);
    } catch (error) {
      if (managed.server !== server || !isWaiting(managed.bar)) return;
      managed.bar = stateOfFailure(error);
      this.#settleRoles();
    }
  }

  #clear(managed: ManagedServer, start: boolean): void {
    managed.bar = undefined;
    this.#settleRoles();
    if (start) this.#startQuietly(managed);
  }

  #startQuietly(managed: ManagedServer): void {
    if (this.#disposed || managed.bar !== undefined || !this.#serves(managed)) return;
    managed.connection.connect().catch(() => undefined); // Its state tells.
  }

  /** The steps of every start: the decision is taken from disk each time. */
  #steps(managed: ManagedServer): ConnectionSteps {
    return {
      prepare: async (signal) => {
        this.#assertMayRun(managed);
        return this.#deps.desk.launch(managed.server, signal);
      },
      open: (launch, signal, onInstalling) => this.#deps.open(managed, launch, signal, onInstalling),
    };
  }

  /** A start that found its approval gone bars the server, so that another definition may stand in. */
  #connectionChanged(managed: ManagedServer): void {
    const { state } = managed.connection;
    if (managed.bar === undefined && isWaiting(state)) {
      managed.bar = state;
      this.#settleRoles();
    }
    this.#changed.fire({ kind: 'server', key: managed.server.key });
  }

  #assertMayRun(managed: ManagedServer): void {
    const error = barError(managed.server, managed.bar);
    if (error !== undefined) throw error;
    const conflict = conflictWith(managed.server, this.#owner(managed.server.id));
    if (!this.#serves(managed)) throw new ManagerError(conflict.problem.code, conflict.problem.data);
  }

  #all(): readonly ManagedServer[] {
    return [...this.#servers.values()];
  }

  #get(key: ServerKey): ManagedServer {
    const managed = this.#servers.get(key);
    if (managed === undefined) throw new ManagerError('unknownServer', { server: key });
    return managed;
  }

  /** The definition whose connection stands for this one: an equal one of another folder, or itself. */
  #serving(key: ServerKey): ManagedServer {
    const managed = this.#get(key);
    if (this.#roles.get(key) !== 'shared') return managed;
    const owner = this.#owner(managed.server.id);
    return owner === undefined ? managed : this.#get(owner.key);
  }

  #serves(managed: ManagedServer): boolean {
    const role = this.#roles.get(managed.server.key);
    return role === 'serving' || role === 'standIn';
  }

  /** The folder's definition that owns an id before all others (CFG-9). */
  #owner(id: ServerId): ConfiguredServer | undefined {
    const servers = this.#all().map((managed) => managed.server);
    return servers.find((server) => server.id === id && server.scope.kind === 'project');
  }

  #viewOf(managed: ManagedServer): ServerView {
    const { snapshot, warnings, noiseCount } = this.#serving(managed.server.key);
    return {
      key: managed.server.key,
      server: managed.server,
      role: this.#roles.get(managed.server.key) ?? 'serving',
      state: this.#stateOf(managed),
      ...(snapshot === undefined ? {} : { snapshot }),
      warnings,
      noiseCount,
    };
  }

  #stateOf(managed: ManagedServer): ConnectionState {
    if (this.#roles.get(managed.server.key) === 'conflict') {
      return conflictWith(managed.server, this.#owner(managed.server.id));
    }
    const serving = this.#serving(managed.server.key);
    return serving.bar ?? serving.connection.state;
  }
}

/** Definitions of a second folder: the owner's approval stands for an equal one, and a differing one never runs. */
function isSecond(role: ServerRole | undefined): boolean {
  return role === 'shared' || role === 'conflict';
}
