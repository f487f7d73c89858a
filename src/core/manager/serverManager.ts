// Owns every configured server: applies configurations, starts and stops; who may run is for Admission to decide.
// Promises: nothing runs without a trust decision taken anew at that start (TRUST-2), a change touches the connection
// of its own server only (CFG-10), and what must end ends at once (CFG-13).
// It has no words for people and no way to call a tool: tools/toolRouter.ts is the one that calls.
import { untilAborted } from '../../base/deadline.ts';
import { Emitter } from '../../base/event.ts';
import type { ConfigSnapshot, ConfiguredServer, ServerKey } from '../config/model.ts';
import type { ConnectionSteps } from '../connection/serverConnection.ts';
import { ManagerError } from '../errors.ts';
import type { Launch } from '../transport/launch.ts';
import type { Approval } from '../trust/approvalDesk.ts';
import type { Circumstances } from '../trust/barOf.ts';
import { Admission } from './admission.ts';
import { isOutdated, isUnapproved } from './bars.ts';
import type { ManagerDeps } from './deps.ts';
import { assertEditorAllows, identityOfLaunch, restartRefused } from './editorBar.ts';
import { LastOffers } from './lastOffers.ts';
import { ManagedServer } from './managedServer.ts';
import { ServerSet } from './serverSet.ts';
import { ToolReview } from './toolReview.ts';
import type { LiveServer, ManagerChange, ManagerView, ServerView } from './view.ts';

interface Cancellable {
  readonly signal?: AbortSignal | undefined;
}

export class ServerManager {
  readonly #deps: ManagerDeps;
  readonly #changed = new Emitter<ManagerChange>();
  readonly #logged = new Emitter<{ readonly key: ServerKey; readonly line: string }>();
  readonly #admission: Admission;
  readonly #offers: LastOffers;
  /** What the person knows and allowed of tools. */
  readonly tools: ToolReview;
  /** The ends of removed servers that are still being stopped. */
  readonly #leaving = new Map<ServerKey, Promise<unknown>>();
  #config: ConfigSnapshot | undefined;
  #disposed = false;

  constructor(deps: ManagerDeps, circumstances: Circumstances) {
    this.#deps = deps;
    this.#offers = new LastOffers(deps.kept, deps.desk);
    this.tools = new ToolReview({
      known: deps.known,
      find: (key) => this.#servers.standsFor(key),
      changed: (managed) => this.#tellChange(managed),
    });
    this.#admission = new Admission(deps.desk, circumstances, {
      admitted: (managed) => this.#admitted(managed),
      barred: (managed) => this.#offers.drop(managed),
      settled: () => this.#changed.fire({ kind: 'all' }),
    });
  }

  readonly onDidChange = this.#changed.event;
  /** Lines of stderr, of stdout that were no messages, and of what happened, with their times; redacted. */
  readonly onDidLog = this.#logged.event;

  get #servers(): ServerSet {
    return this.#admission.servers;
  }

  view(): ManagerView {
    return {
      loaded: this.#config !== undefined,
      servers: this.#servers.all().map((managed) => this.#viewOf(managed)),
      problems: (this.#config?.files ?? []).flatMap((file) => (file.problem === undefined ? [] : [file.problem])),
    };
  }

  /** Takes a configuration as the truth from now on; same fingerprint, same connection. */
  apply(config: ConfigSnapshot): void {
    if (this.#disposed) return;
    this.#config = config;
    const before = this.#servers;
    const now = new ServerSet(config, (server) =>
      before.has(server.key) ? before.get(server.key) : this.#create(server),
    );
    for (const server of config.files.flatMap((file) => file.servers)) now.get(server.key).take(server);
    this.#admission.take(now);
    for (const managed of before.all()) {
      if (!now.has(managed.server.key)) this.#remove(managed);
    }
    this.#admission.settle();
  }

  get circumstances(): Circumstances {
    return this.#admission.circumstances;
  }

  /** Trust granted, remote servers turned on or off: takes effect at once (TRUST-1, TRUST-7). */
  setCircumstances(circumstances: Circumstances): void {
    this.#admission.setCircumstances(circumstances);
    restartRefused(this.#servers.all(), circumstances.editor);
  }

  /** The definition that serves this id now; where none may, the one whose state says why. */
  keyOf(id: string): ServerKey | undefined {
    return this.#servers.keyOf(id);
  }

  /** Servers that wait for a person's approval. */
  waiting(): readonly ServerKey[] {
    return this.#admission.waiting();
  }

  /** One question for all that wait, or for those named; what the person approves is started. */
  async review(keys: readonly ServerKey[] = this.waiting(), options: Cancellable = {}): Promise<void> {
    await this.#admission.review(keys, options.signal ?? new AbortController().signal);
  }

  /** What the person approved, in this window and beyond it. */
  approvals(): readonly Approval[] {
    return this.#admission.approvals();
  }

  /** What ran of these ends at once; the person is asked before it runs again. */
  async revoke(keys: readonly ServerKey[]): Promise<void> {
    await this.#admission.revoke(keys);
  }

  /** A definition of the person's that they wrote through us just now: its launch is remembered as approved (TRUST-10). */
  async approveWritten(server: ConfiguredServer): Promise<void> {
    await this.#deps.desk.remember(server);
    this.#admission.settle();
  }

  /** Starts a server as a person asked for it: has it approved where that is missing. */
  async start(key: ServerKey, options: Cancellable = {}): Promise<void> {
    const managed = this.#asked(key);
    await this.#admission.judge(managed);
    await this.#haveApproved(managed, options);
    try {
      await managed.ready(options.signal, true);
    } catch (error) {
      // What would run changed since it was approved: that is one more question, not a failure. One that was revoked is not.
      if (!isOutdated(managed.bar)) throw error;
      await this.#haveApproved(managed, options);
      await managed.ready(options.signal, true);
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
    const managed = await this.#usable(key, options);
    await managed.refresh(options.signal);
  }

  /** The live server, started where it is not running; never asks for an approval. */
  use(key: ServerKey, options: Cancellable = {}): Promise<LiveServer> {
    // The usual call finds it there.
    const now = options.signal?.aborted === true ? undefined : this.#usableNow(key);
    return now === undefined ? this.#started(key, options) : Promise.resolve(now);
  }

  async #started(key: ServerKey, options: Cancellable): Promise<LiveServer> {
    const managed = await this.#usable(key, options);
    const live = await managed.ready(options.signal);
    return { view: this.#viewOf(managed), ...live };
  }

  /** Undefined where there is something to wait for, or a reason why not. */
  #usableNow(key: ServerKey): LiveServer | undefined {
    const managed = this.#servers.has(key) ? this.#servers.standsFor(key) : undefined;
    const live = managed?.live;
    if (managed === undefined || live === undefined || managed.bar !== undefined) return undefined;
    if (this.#disposed || !this.#servers.serves(managed)) return undefined;
    managed.mayAsk = true;
    return { view: this.#viewOf(managed), ...live };
  }

  /** What a start would run now, after the same decision; for a diagnosis that takes the steps one by one. */
  async launch(key: ServerKey, options: Cancellable = {}): Promise<Launch> {
    const managed = await this.#usable(key, options);
    return this.#launch(managed, options.signal ?? new AbortController().signal);
  }

  /** The server as it is right now; undefined unless it is connected and listed. */
  live(key: ServerKey): LiveServer | undefined {
    const managed = this.#servers.has(key) ? this.#servers.standsFor(key) : undefined;
    const live = managed?.live;
    return managed === undefined || live === undefined ? undefined : { view: this.#viewOf(managed), ...live };
  }

  /** The kept lines, oldest first. */
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

  /** The server of this key, for somebody who waits for it. */
  #asked(key: ServerKey): ManagedServer {
    const managed = this.#servers.standsFor(key);
    managed.mayAsk = true;
    return managed;
  }

  #viewOf(managed: ManagedServer): ServerView {
    return this.#servers.viewOf(managed, this.circumstances.editor);
  }

  #create(server: ConfiguredServer): ManagedServer {
    const managed = new ManagedServer({
      server,
      steps: (self) => this.#steps(self),
      follow: this.#deps.follow,
      clock: this.#deps.clock,
      after: this.#leaving.get(server.key),
      onChange: (self) => {
        this.#admission.noteState(self, self.connection.state);
        this.#tellChange(self);
      },
      onPublish: (self, snapshot) => {
        this.tools.look(self, snapshot);
        this.#offers.keep(self, snapshot);
      },
      onLog: (self, line) => {
        for (const key of this.#servers.carriedBy(self)) this.#logged.fire({ key, line });
      },
    });
    managed.wanted = server.definition.autostart;
    return managed;
  }

  #remove(managed: ManagedServer): void {
    const { key } = managed.server;
    this.#offers.drop(managed);
    const end = managed.connection.disconnect().finally(() => {
      if (this.#leaving.get(key) === end) this.#leaving.delete(key);
    });
    this.#leaving.set(key, end);
  }

  /** Starts what is to run, and shows what it offered before where it is not. */
  async #admitted(managed: ManagedServer): Promise<void> {
    this.#startWanted(managed);
    if (!(await this.#offers.lookUp(managed))) return;
    await this.tools.load(managed);
    if (managed.snapshot === undefined && managed.kept !== undefined) this.tools.look(managed, managed.kept);
    this.#tellChange(managed);
  }

  #startWanted(managed: ManagedServer): void {
    if (!managed.wanted || this.#disposed || managed.bar !== undefined || !this.#servers.serves(managed)) return;
    managed.wanted = false;
    managed.connection.connect().catch(() => undefined); // Its state tells.
  }

  async #haveApproved(managed: ManagedServer, options: Cancellable): Promise<void> {
    if (isUnapproved(managed.bar)) await this.review([managed.server.key], options);
    this.#assertMayRun(managed);
  }

  /** The steps of every start: the decision is taken from disk each time. */
  #steps(managed: ManagedServer): ConnectionSteps {
    return {
      prepare: async (signal, isWanted) => {
        this.#assertMayRun(managed);
        const launch = await this.#launch(managed, signal, isWanted);
        await untilAborted(this.tools.load(managed), signal);
        managed.launched = launch.fingerprint;
        managed.identity = identityOfLaunch(launch);
        return launch;
      },
      open: (launch, signal, onInstalling) => this.#deps.open(managed, launch, signal, onInstalling),
    };
  }

  /** The decision from disk, then the editor's own settings: variables have their values only now (POL-4). */
  async #launch(managed: ManagedServer, signal: AbortSignal, isWanted = (): boolean => true): Promise<Launch> {
    const launch = await this.#deps.desk.launch(managed.server, signal, () => managed.mayAsk && isWanted());
    assertEditorAllows(launch, this.circumstances.editor);
    return launch;
  }

  #tellChange(managed: ManagedServer): void {
    for (const key of this.#servers.carriedBy(managed)) this.#changed.fire({ kind: 'server', key });
  }

  /** What bars it may be over by now: the file that was missing is there, another window remembered an approval. */
  async #usable(key: ServerKey, { signal }: Cancellable): Promise<ManagedServer> {
    const managed = this.#asked(key);
    if (managed.bar !== undefined) await untilAborted(this.#admission.judge(managed), signal);
    this.#assertMayRun(managed);
    return managed;
  }

  #assertMayRun(managed: ManagedServer): void {
    if (this.#disposed) throw new ManagerError('connectionClosed', { server: managed.server.id });
    this.#admission.assertMayRun(managed);
  }
}
