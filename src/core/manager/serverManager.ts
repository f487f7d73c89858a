// Owns every configured server: applies configurations, decides which definition serves an id, has launches approved,
// starts and stops. Promises: nothing runs without a trust decision taken anew at that start (TRUST-2), a change
// touches the connection of its own server only (CFG-10), and what must end ends at once (CFG-13).
// It has no words for people and no way to call a tool: tools/toolRouter.ts is the one that calls.
import { Emitter } from '../../base/event.ts';
import type { ConfigSnapshot, ConfiguredServer, ServerKey } from '../config/model.ts';
import { stateOfFailure } from '../connection/failureState.ts';
import type { ConnectionSteps } from '../connection/serverConnection.ts';
import type { ConnectionState } from '../connection/state.ts';
import type { ServerSnapshot } from '../discovery/snapshot.ts';
import { ManagerError } from '../errors.ts';
import type { Launch } from '../transport/launch.ts';
import type { Circumstances } from '../trust/standing.ts';
import { barError, barState, conflictWith, isWaiting } from './bars.ts';
import type { ManagerDeps } from './deps.ts';
import { ManagedServer } from './managedServer.ts';
import { ServerSet } from './serverSet.ts';
import type { LiveServer, ManagerChange, ManagerView } from './view.ts';

interface Cancellable {
  readonly signal?: AbortSignal | undefined;
}

export class ServerManager {
  readonly #deps: ManagerDeps;
  readonly #changed = new Emitter<ManagerChange>();
  readonly #logged = new Emitter<{ readonly key: ServerKey; readonly line: string }>();
  #servers = new ServerSet({ files: [] }, (server) => this.#create(server));
  /** The ends of removed servers that are still being stopped. */
  readonly #leaving = new Map<ServerKey, Promise<unknown>>();
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
      servers: this.#servers.all().map((managed) => this.#servers.viewOf(managed)),
      problems: (this.#config?.files ?? []).flatMap((file) => (file.problem === undefined ? [] : [file.problem])),
    };
  }

  /** Takes a configuration as the truth from now on; same fingerprint, same connection. */
  apply(config: ConfigSnapshot): void {
    if (this.#disposed) return;
    this.#config = config;
    const before = this.#servers;
    this.#servers = new ServerSet(config, (server) => {
      if (!before.has(server.key)) return this.#create(server);
      const known = before.get(server.key);
      known.take(server);
      return known;
    });
    for (const managed of before.all()) {
      if (!this.#servers.has(managed.server.key)) this.#remove(managed);
    }
    this.#settle();
  }

  /** Trust granted, remote servers turned on or off: takes effect at once (TRUST-1, TRUST-7). */
  setCircumstances(circumstances: Circumstances): void {
    this.#circumstances = circumstances;
    this.#settle();
  }

  /** The definition that serves this id now; where none may, the one whose state says why. */
  keyOf(id: string): ServerKey | undefined {
    return this.#servers.keyOf(id);
  }

  /** Servers that wait for a person's approval. */
  waiting(): readonly ServerKey[] {
    const waiting = this.#servers.all().filter((managed) => isWaiting(managed.bar));
    return waiting.map(({ server }) => server.key).filter((key) => !this.#servers.isSecond(key));
  }

  /** One question for all that wait, or for those named; what the person approves is started. */
  async review(keys: readonly ServerKey[] = this.waiting(), options: Cancellable = {}): Promise<void> {
    const asked = keys.map((key) => this.#servers.get(key)).filter((managed) => isWaiting(managed.bar));
    const signal = options.signal ?? new AbortController().signal;
    const approved = await this.#deps.desk.ask(
      asked.map((managed) => managed.server),
      signal,
    );
    for (const managed of asked) {
      if (!approved.includes(managed.server)) continue;
      managed.wanted = true;
      this.#clear(managed);
    }
  }

  /** Starts a server as a person asked for it: has it approved where that is missing. */
  async start(key: ServerKey, options: Cancellable = {}): Promise<void> {
    const managed = this.#servers.standsFor(key);
    managed.bar = this.#barOf(managed);
    await this.#examine(managed);
    try {
      await this.#startApproved(managed, options);
    } catch (error) {
      // What would run changed since it was approved: that is one more question, not a failure.
      if (!isWaiting(managed.bar) || !(error instanceof ManagerError) || error.code !== 'blockedApproval') throw error;
      await this.#startApproved(managed, options);
    }
  }

  async stop(key: ServerKey): Promise<void> {
    const managed = this.#servers.standsFor(key);
    managed.wanted = false;
    await managed.connection.disconnect();
  }

  /** Reads the definition anew, then starts it instead of what ran (CFG-13). */
  async restart(key: ServerKey, options: Cancellable = {}): Promise<void> {
    const stopped = this.#servers.standsFor(key).connection.disconnect();
    await this.#deps.reload(this.#servers.get(key).server.file);
    await stopped;
    await this.start(key, options);
  }

  /** Lists anew what the server offers, starting it where it is not running. */
  async refresh(key: ServerKey, options: Cancellable = {}): Promise<void> {
    const managed = this.#servers.standsFor(key);
    this.#assertMayRun(managed);
    await managed.refresh(options.signal);
  }

  /** The live server, started where it is not running; never asks a person. */
  async use(key: ServerKey, options: Cancellable = {}): Promise<LiveServer> {
    const managed = this.#servers.standsFor(key);
    this.#assertMayRun(managed);
    const live = await managed.ready(options.signal);
    return { view: this.#servers.viewOf(managed), ...live };
  }

  /** What a start would run now, after the same decision; for a diagnosis that takes the steps one by one. */
  async launch(key: ServerKey, options: Cancellable = {}): Promise<Launch> {
    const managed = this.#servers.standsFor(key);
    this.#assertMayRun(managed);
    return this.#deps.desk.launch(managed.server, options.signal ?? new AbortController().signal);
  }

  /** The server as it is right now; undefined unless it is connected and listed. */
  live(key: ServerKey): LiveServer | undefined {
    const managed = this.#servers.has(key) ? this.#servers.standsFor(key) : undefined;
    const live = managed?.live;
    return managed === undefined || live === undefined ? undefined : { view: this.#servers.viewOf(managed), ...live };
  }

  /** The kept lines of stderr and of noise, oldest first; redacted. */
  log(key: ServerKey): readonly string[] {
    return this.#servers.standsFor(key).log.lines();
  }

  /** Ends every server concurrently and waits until nothing of them is left. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    const ends = this.#servers.all().map((managed) => managed.connection.disconnect());
    await Promise.allSettled([...ends, ...this.#leaving.values()]);
    this.#changed.dispose();
    this.#logged.dispose();
  }

  #create(server: ConfiguredServer): ManagedServer {
    const managed = new ManagedServer({
      server,
      steps: (self) => this.#steps(self),
      follow: this.#deps.follow,
      clock: this.#deps.clock,
      after: this.#leaving.get(server.key),
      onChange: (self) => this.#connectionChanged(self),
      onPublish: (self, snapshot) => this.#keep(self, snapshot),
      onLog: (self, line) => this.#logged.fire({ key: self.server.key, line }),
    });
    managed.wanted = server.definition.autostart;
    return managed;
  }

  #remove(managed: ManagedServer): void {
    const { key } = managed.server;
    this.#dropKept(managed);
    const end = managed.connection.disconnect().finally(() => {
      if (this.#leaving.get(key) === end) this.#leaving.delete(key);
    });
    this.#leaving.set(key, end);
  }

  #barOf(managed: ManagedServer): ConnectionState | undefined {
    return barState(managed.server, this.#circumstances, managed.approved);
  }

  /** Decides anew what may run, and looks into each server that waits for approval or is to run. */
  #settle(): void {
    for (const managed of this.#servers.all()) {
      managed.bar = this.#barOf(managed);
      if (managed.bar !== undefined) this.#dropKept(managed);
    }
    this.#settleRoles();
    for (const managed of this.#servers.all()) void this.#examine(managed);
  }

  /** Decides who serves each id (CFG-9), ends the connections of those that do not, and tells. */
  #settleRoles(): void {
    this.#servers.settle();
    for (const managed of this.#servers.all()) {
      const idle = managed.bar !== undefined || !this.#servers.serves(managed);
      if (idle && managed.connection.active) void managed.connection.disconnect();
    }
    this.#changed.fire({ kind: 'all' });
  }

  /** Ends the wait of a server whose exact launch was approved before; starts what is to run. */
  async #examine(managed: ManagedServer): Promise<void> {
    const { server } = managed;
    if (!isWaiting(managed.bar)) {
      this.#startWanted(managed);
      await this.#lookUpKept(managed);
      return;
    }
    try {
      const approved = await this.#deps.desk.isApproved(server);
      if (approved && managed.server === server && isWaiting(managed.bar)) this.#clear(managed);
    } catch (error) {
      if (managed.server !== server || !isWaiting(managed.bar)) return;
      managed.bar = stateOfFailure(error);
      this.#settleRoles();
    }
  }

  #clear(managed: ManagedServer): void {
    managed.approved = true;
    managed.bar = this.#barOf(managed);
    this.#settleRoles();
    this.#startWanted(managed);
    void this.#lookUpKept(managed);
  }

  /** The kept list serves only the launch that gave it; what cannot be identified shows none. */
  async #lookUpKept(managed: ManagedServer): Promise<void> {
    const { server } = managed;
    if (managed.snapshot !== undefined || !this.#deps.kept.has(server.key)) return;
    const fingerprint = await this.#deps.desk.fingerprint(server).catch(() => undefined);
    if (fingerprint === undefined || managed.server !== server || managed.bar !== undefined) return;
    managed.kept = this.#deps.kept.get(server.key, fingerprint);
    this.#changed.fire({ kind: 'server', key: server.key });
  }

  #keep(managed: ManagedServer, snapshot: ServerSnapshot): void {
    if (managed.launched === undefined) return;
    this.#deps.kept.put(managed.server.key, managed.launched, snapshot);
    managed.kept = snapshot;
  }

  #dropKept(managed: ManagedServer): void {
    managed.kept = undefined;
    this.#deps.kept.drop(managed.server.key);
  }

  #startWanted(managed: ManagedServer): void {
    if (!managed.wanted || this.#disposed || managed.bar !== undefined || !this.#servers.serves(managed)) return;
    managed.wanted = false;
    managed.connection.connect().catch(() => undefined); // Its state tells.
  }

  async #startApproved(managed: ManagedServer, options: Cancellable): Promise<void> {
    if (isWaiting(managed.bar)) await this.review([managed.server.key], options);
    this.#assertMayRun(managed);
    await managed.ready(options.signal);
  }

  /** The steps of every start: the decision is taken from disk each time. */
  #steps(managed: ManagedServer): ConnectionSteps {
    return {
      prepare: async (signal) => {
        this.#assertMayRun(managed);
        const launch = await this.#deps.desk.launch(managed.server, signal);
        managed.launched = launch.fingerprint;
        return launch;
      },
      open: (launch, signal, onInstalling) => this.#deps.open(managed, launch, signal, onInstalling),
    };
  }

  /** A start that found its approval gone bars the server, so that another definition may stand in. */
  #connectionChanged(managed: ManagedServer): void {
    const { state } = managed.connection;
    if (managed.bar === undefined && isWaiting(state)) {
      managed.approved = false;
      managed.bar = state;
      this.#settleRoles();
    }
    this.#changed.fire({ kind: 'server', key: managed.server.key });
  }

  #assertMayRun(managed: ManagedServer): void {
    if (this.#disposed) throw new ManagerError('connectionClosed', { server: managed.server.id });
    const error = barError(managed.server, managed.bar);
    if (error !== undefined) throw error;
    const conflict = conflictWith(managed.server, this.#servers.owner(managed.server.id));
    if (!this.#servers.serves(managed)) throw new ManagerError(conflict.problem.code, conflict.problem.data);
  }
}
