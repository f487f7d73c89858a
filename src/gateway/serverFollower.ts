// Tells what changed at one server, whichever connection it has: lists that are other lists now, resources that clients
// subscribed to, log lines, and that it was started again. A connection that came anew gets the subscriptions and the log
// level of the one before.
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { LiveClient } from '../core/connection/liveClient.ts';
import type { OfferKind, ServerSnapshot } from '../core/discovery/snapshot.ts';
import type { LiveServer } from '../core/manager/view.ts';
import { changeOf } from '../core/subscriptions/changeFilter.ts';
import { type ChangedList, changedLists, offeredLists } from './changedLists.ts';
import { wantLevel } from './logLevels.ts';
import type { SurfaceEvent } from './surface.ts';
import { unclaimedLogOf } from './unclaimedLog.ts';

export interface FollowedServer {
  /** Something about it may have changed. */
  readonly onDidChange: Event<void>;
  /** As it is now; undefined while it is not connected and listed. */
  live(): LiveServer | undefined;
  readonly tell: (event: SurfaceEvent) => void;
}

export class ServerFollower implements Disposable {
  readonly #server: FollowedServer;
  readonly #wanted = new Map<string, number>();
  readonly #watch: Disposable;
  #connection = new DisposableStore();
  #client: LiveClient | undefined;
  /** The newest one that was followed, also while there is none. */
  #last: LiveClient | undefined;
  #told: ServerSnapshot | undefined;
  /** What the server itself said of its lists since: that is passed on, also where they came out the same. */
  readonly #announced = new Set<ChangedList>();
  #logLevel: string | undefined;

  constructor(server: FollowedServer) {
    this.#server = server;
    this.#watch = server.onDidChange(() => this.#look());
    this.#look();
  }

  /** Counted: the server is asked once, for the first client that wants it. */
  async subscribe(uri: string, { resources }: LiveServer, options: { readonly signal: AbortSignal }): Promise<void> {
    // Noted first: whoever leaves meanwhile, and a connection that comes anew, know of it.
    this.#wanted.set(uri, (this.#wanted.get(uri) ?? 0) + 1);
    followersOf(resources, uri).add(this);
    try {
      await resources.subscribe(uri, options);
    } catch (error) {
      await this.unsubscribe(uri).catch(() => undefined);
      throw error;
    }
  }

  async unsubscribe(uri: string): Promise<void> {
    const left = (this.#wanted.get(uri) ?? 0) - 1;
    if (left > 0) this.#wanted.set(uri, left);
    else if (this.#wanted.delete(uri)) await this.#leave(uri);
  }

  /** Legacy servers have one level for all of their clients. */
  async setLogLevel(level: string | undefined): Promise<void> {
    if (level === this.#logLevel) return;
    this.#logLevel = level;
    await this.#tellLogLevel();
  }

  dispose(): void {
    this.#watch.dispose();
    this.#connection.dispose();
  }

  #look(): void {
    const live = this.#server.live();
    if (live?.client !== this.#client) this.#follow(live);
    if (live === undefined || live.snapshot === this.#told) return;
    const before = this.#told;
    this.#told = live.snapshot;
    const isRestarted = this.#last !== undefined && this.#last !== live.client;
    this.#last = live.client;
    const changed = before === undefined ? [] : changedLists(before, live.snapshot);
    // Another process may offer something else under the same names: who listed it should list it anew (KEEP-3).
    const offered = isRestarted ? offeredLists(live.snapshot) : [];
    for (const of of new Set([...changed, ...offered, ...this.#announced]))
      this.#server.tell({ kind: 'listChanged', of });
    this.#announced.clear();
    if (isRestarted) this.#server.tell({ kind: 'restarted', server: live.view.server.id });
  }

  #follow(live: LiveServer | undefined): void {
    this.#connection.dispose();
    this.#connection = new DisposableStore();
    this.#client = live?.client;
    this.#announced.clear();
    if (live === undefined) return;
    this.#connection.add(live.resources.onDidUpdate(({ uri }) => this.#server.tell({ kind: 'resourceUpdated', uri })));
    this.#connection.add(
      live.client.onNotification((notification) => {
        const { method, params } = notification;
        if (method === 'notifications/message')
          this.#server.tell({ kind: 'log', params, of: unclaimedLogOf(notification) });
        else this.#announce(changeOf(method)?.kinds ?? []);
      }),
    );
    for (const uri of this.#wanted.keys()) {
      live.resources.subscribe(uri).catch(() => undefined);
      followersOf(live.resources, uri).add(this);
    }
    void this.#tellLogLevel().catch(() => undefined);
  }

  #announce(kinds: readonly OfferKind[]): void {
    for (const kind of kinds) this.#announced.add(kind === 'resourceTemplates' ? 'resources' : kind);
  }

  /** Other surfaces have clients of their own that may want it still. */
  async #leave(uri: string): Promise<void> {
    const resources = this.#server.live()?.resources;
    if (resources === undefined) return;
    const followers = followersOf(resources, uri);
    if (followers.delete(this) && followers.size === 0) await resources.unsubscribe(uri);
  }

  async #tellLogLevel(): Promise<void> {
    const client = this.#client;
    if (client?.negotiated.era !== 'legacy') return;
    // Other surfaces have clients of their own.
    const level = wantLevel(client, this, this.#logLevel);
    if (level === undefined || client.capabilities['logging'] === undefined) return;
    await client.request('logging/setLevel', { level }, { kind: 'request' });
  }
}

const followed = new WeakMap<LiveServer['resources'], Map<string, Set<object>>>();

/** Who wants to hear of a resource over one connection. */
function followersOf(resources: LiveServer['resources'], uri: string): Set<object> {
  const byUri = followed.get(resources) ?? new Map<string, Set<object>>();
  followed.set(resources, byUri);
  const known = byUri.get(uri);
  if (known !== undefined) return known;
  for (const [other, { size }] of byUri) if (size === 0) byUri.delete(other);
  const followers = new Set<object>();
  byUri.set(uri, followers);
  return followers;
}
