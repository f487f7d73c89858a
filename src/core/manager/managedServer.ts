// One definition under the manager's care: its connection, what it offers, and why it may not run.
// Owns the order "connected, then follow what it offers"; knows nothing of other servers.
import type { Clock } from '../../base/clock.ts';
import { deferred, type Deferred } from '../../base/deferred.ts';
import { untilAborted } from '../../base/deadline.ts';
import type { ConfiguredServer } from '../config/model.ts';
import { type Connected, type ConnectionSteps, ServerConnection } from '../connection/serverConnection.ts';
import type { LiveClient } from '../connection/liveClient.ts';
import type { ConnectionState, Problem } from '../connection/state.ts';
import { LogRing } from '../transport/logRing.ts';
import type { KeptOffer } from '../discovery/keptLists.ts';
import type { ServerSnapshot } from '../discovery/snapshot.ts';
import { ManagerError } from '../errors.ts';
import type { ToolChange } from '../policy/decide.ts';
import type { ServerIdentity } from '../policy/editorSettings.ts';
import type { LaunchFingerprint } from '../transport/launch.ts';
import type { ResourceSubscriptions } from '../subscriptions/resourceSubscriptions.ts';
import type { Standing } from '../trust/barOf.ts';
import { stateLine } from './stateLine.ts';

/** Follows what a connected server offers, from the first list to the end of the connection. */
export interface Follower {
  /** Lists anew; several requests may share one. */
  refresh(options: { signal?: AbortSignal | undefined }): Promise<void>;
  /** Resource subscriptions of this connection. */
  readonly resources: ResourceSubscriptions;
  dispose(): void;
}

export interface FollowerEvents {
  /** Whether this connection still is the server's: asked right before each publication. */
  isCurrent(): boolean;
  publish(snapshot: ServerSnapshot): void;
  /** Nothing could be listed; the connection may live all the same. */
  fail(error: unknown): void;
  /** Troubles of lists and subscriptions that leave the connection alive; empty when all is well again. */
  warn(warnings: readonly Problem[]): void;
}

export type Follow = (
  server: ConfiguredServer,
  connected: Connected,
  firstRevision: number,
  events: FollowerEvents,
) => Follower;

export interface Live {
  readonly client: LiveClient;
  readonly snapshot: ServerSnapshot;
  readonly resources: ResourceSubscriptions;
}

export interface ManagedServerOptions {
  readonly server: ConfiguredServer;
  readonly steps: (managed: ManagedServer) => ConnectionSteps;
  readonly follow: Follow;
  readonly clock: Clock;
  /** The end of what ran under this key before. */
  readonly after: Promise<unknown> | undefined;
  readonly onChange: (managed: ManagedServer) => void;
  readonly onPublish: (managed: ManagedServer, snapshot: ServerSnapshot) => void;
  readonly onLog: (managed: ManagedServer, line: string) => void;
}

export class ManagedServer {
  readonly connection: ServerConnection;
  /** Why it may not run, whatever its connection does; the manager decides it. */
  bar: ConnectionState | undefined;
  /** How the exact launch of this definition stood with the person when it was last looked at. */
  standing: Standing = 'unlooked';
  /** It is to run as soon as it may: it ran when its definition changed, or starts by itself. */
  wanted = false;
  /** Whether a person asked for it since it was defined so: a start that nobody asked for asks nobody (CFG-11). */
  mayAsk = false;
  snapshot: ServerSnapshot | undefined;
  /** What its launch offered when it last ran; the manager looks it up. */
  kept: KeptOffer | undefined;
  /** Tools of its list that the person does not know as they are; toolReview.ts keeps it. */
  changedTools: ReadonlyMap<string, ToolChange> = new Map();
  /** Tools that the person allowed for this window, with the definition that they saw; and those of them that have it still. */
  readonly grants = new Map<string, string>();
  grantedTools: ReadonlySet<string> = new Set();
  /** Whom the last start ran, as the editor's settings name servers (POL-4). */
  identity: ServerIdentity | undefined;
  /** What the last start ran. */
  launched: LaunchFingerprint | undefined;
  noiseCount = 0;
  /** What it said on stderr, what was no protocol message, and what happened to it, each with its time; newest last. */
  readonly log = new LogRing();
  #server: ConfiguredServer;
  #warnings: readonly Problem[] = [];
  readonly #clock: Clock;
  readonly #follow: Follow;
  readonly #onChange: (managed: ManagedServer) => void;
  readonly #onPublish: (managed: ManagedServer, snapshot: ServerSnapshot) => void;
  readonly #onLog: (managed: ManagedServer, line: string) => void;
  #revision = 0;
  #follower:
    { readonly of: Connected; readonly follower: Follower; readonly first: Deferred<ServerSnapshot> } | undefined;

  constructor(options: ManagedServerOptions) {
    this.#server = options.server;
    this.#clock = options.clock;
    this.#follow = options.follow;
    this.#onChange = options.onChange;
    this.#onPublish = options.onPublish;
    this.#onLog = options.onLog;
    this.connection = new ServerConnection(options.steps(this), options.clock, options.after);
    this.connection.onDidChange((state) => {
      this.hear(`[roundhouse] ${stateLine(state)}`);
      this.#reconcile();
    });
  }

  get server(): ConfiguredServer {
    return this.#server;
  }

  /** Takes a newer definition. One with another fingerprint has to be approved anew, and runs again if it ran. */
  take(server: ConfiguredServer): void {
    const before = this.#server;
    this.#server = server;
    if (before.fingerprint === server.fingerprint) {
      const turnedOn = !before.definition.enabled && server.definition.enabled;
      this.wanted = server.definition.enabled && (this.wanted || (turnedOn && server.definition.autostart));
      return;
    }
    this.wanted ||= this.connection.active;
    this.standing = 'unlooked';
    this.mayAsk = false;
    this.kept = undefined;
    this.changedTools = new Map();
    this.grants.clear();
    this.grantedTools = new Set();
    this.launched = undefined;
    this.identity = undefined;
    void this.connection.disconnect();
  }

  /** Troubles of lists and subscriptions, and what was lost before it, while the connection lives. */
  get warnings(): readonly Problem[] {
    const { lostState } = this.connection;
    return lostState === undefined ? this.#warnings : [lostState, ...this.#warnings];
  }

  /** Connected and listed at least once; fails as soon as that connection ends. `anew` as in ConnectOptions. */
  async ready(signal: AbortSignal | undefined, anew = false): Promise<Live> {
    const connected = await this.connection.connect({ signal, anew });
    const following = this.#follower;
    if (following?.of !== connected) return this.ready(signal);
    if (this.snapshot === undefined) {
      await untilAborted(following.first.promise, signal).catch((error: unknown) => {
        throw signal?.aborted === true ? new ManagerError('cancelled', {}, { cause: error }) : error;
      });
    }
    return this.live ?? this.ready(signal);
  }

  /** Connected and listed right now, or undefined. */
  get live(): Live | undefined {
    const { snapshot } = this;
    if (this.#follower === undefined || this.#follower.of !== this.connection.live || snapshot === undefined)
      return undefined;
    return { client: this.#follower.of.client, snapshot, resources: this.#follower.follower.resources };
  }

  /** A line of stderr, or of ours. */
  hear(line: string): void {
    const stamped = `${new Date(this.#clock.now()).toISOString()} ${line}`;
    this.log.push(stamped);
    this.#onLog(this, stamped);
  }

  /** A line on stdout that was no message: counted and kept, never fatal (CONN-9). */
  hearNoise(count: number, sample: string): void {
    this.noiseCount = count;
    this.hear(`[stdout] ${sample}`);
    this.#onChange(this);
  }

  /** As a person asks for it. */
  async refresh(signal: AbortSignal | undefined): Promise<void> {
    await this.connection.connect({ signal, anew: true });
    await this.#follower?.follower.refresh({ signal });
  }

  /** Keeps the follower in step with the connection: one per live client, none otherwise. */
  #reconcile(): void {
    const live = this.connection.live;
    if (this.#follower !== undefined && this.#follower.of !== live) {
      const { follower, first } = this.#follower;
      this.#follower = undefined;
      this.snapshot = undefined;
      this.#warnings = [];
      first.reject(endOf(this.connection.state, this.#server.id));
      follower.dispose();
    }
    if (live !== undefined && this.#follower === undefined) this.#start(live);
    this.#onChange(this);
  }

  #start(live: Connected): void {
    const first = deferred<ServerSnapshot>();
    first.promise.catch(() => undefined); // Nobody may be waiting for it.
    this.noiseCount = 0;
    const isCurrent = (): boolean => this.connection.live === live;
    const follower = this.#follow(this.#server, live, this.#revision + 1, {
      isCurrent,
      publish: (snapshot) => {
        if (!isCurrent()) return;
        this.snapshot = snapshot;
        this.#revision = snapshot.revision;
        first.resolve(snapshot);
        this.#onPublish(this, snapshot);
        this.#onChange(this);
      },
      fail: (error) => first.reject(error),
      warn: (warnings) => {
        if (!isCurrent()) return;
        this.#warnings = warnings;
        this.#onChange(this);
      },
    });
    this.#follower = { of: live, follower, first };
  }
}

function endOf(state: ConnectionState, server: string): Error {
  const problem: Problem = 'problem' in state ? state.problem : { code: 'connectionClosed', data: { server } };
  return new ManagerError(problem.code, problem.data, { stderr: problem.stderr });
}
