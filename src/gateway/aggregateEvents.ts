// What happens at any server, told as of one (GATE-4): lists that changed, whichever server they are of and however many
// came up at once, in one announcement; updates of resources under their outward addresses; log lines with the name of
// their server.
import type { Clock } from '../base/clock.ts';
import { type Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { JsonObject } from '../contract/json.ts';
import type { ServerId } from '../contract/serverConfig.ts';
import { limits } from '../core/limits.ts';
import type { ManagerChange } from '../core/manager/view.ts';
import type { OfferingServer } from './aggregateCatalog.ts';
import type { AggregateServers, AggregateServersDeps } from './aggregateServers.ts';
import { outwardUri } from './aggregateUris.ts';
import { type ChangedList, changedLists, offeredLists } from './changedLists.ts';
import { wantLevel } from './logLevels.ts';
import { RestartNotices } from './restartNotices.ts';
import { ServerFollower } from './serverFollower.ts';
import type { SurfaceEvent } from './surface.ts';

export class AggregateEvents implements Disposable {
  readonly #servers: AggregateServers;
  readonly #deps: AggregateServersDeps;
  readonly #clock: Clock;
  readonly #events = new Emitter<SurfaceEvent>();
  readonly #followers = new Map<ServerId, ServerFollower>();
  readonly #watch: Disposable;
  readonly restarts = new RestartNotices();
  /** Lists of servers that were started again, which may have come out the same. */
  readonly #again = new Set<ChangedList>();
  #told: readonly OfferingServer[];
  #timer: Disposable | undefined;
  #logLevel: string | undefined;

  constructor(servers: AggregateServers, deps: AggregateServersDeps) {
    this.#servers = servers;
    this.#deps = deps;
    this.#clock = deps.clock;
    this.#told = servers.offering();
    this.#followAll();
    this.#watch = deps.manager.onDidChange((change) => {
      if (change.kind === 'all') this.#followAll();
      this.#timer ??= this.#clock.after(limits.aggregate.coalesce, () => this.#announce());
    });
  }

  readonly onEvent = this.#events.event;

  /** Wants to hear of a resource; the server is started for it. */
  async subscribe(server: string, uri: string, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    const live = await this.#servers.use(server, signal);
    await this.#followers.get(live.view.server.id)?.subscribe(uri, live, { signal });
  }

  async unsubscribe(server: string, uri: string): Promise<void> {
    await this.#followers.get(server as ServerId)?.unsubscribe(uri);
  }

  /** What the clients of one surface want; the servers hear what is the most of all, and none is waited for. */
  setLogLevel(surface: object, level: string | undefined): void {
    this.#logLevel = wantLevel(this, surface, level);
    for (const follower of this.#followers.values()) follower.setLogLevel(this.#logLevel).catch(() => undefined);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#watch.dispose();
    for (const follower of this.#followers.values()) follower.dispose();
    this.#followers.clear();
    this.#events.dispose();
  }

  #announce(): void {
    this.#timer = undefined;
    const before = this.#told;
    this.#told = this.#servers.offering();
    const changed = new Set([...changesBetween(before, this.#told), ...this.#again]);
    this.#again.clear();
    for (const of of changed) this.#events.fire({ kind: 'listChanged', of });
  }

  #followAll(): void {
    const ids = new Set(this.#servers.views().map(({ server }) => server.id));
    for (const [id, follower] of this.#followers) {
      if (ids.has(id)) continue;
      follower.dispose();
      this.#followers.delete(id);
    }
    for (const id of ids) if (!this.#followers.has(id)) this.#followers.set(id, this.#follow(id));
  }

  #follow(id: ServerId): ServerFollower {
    const { manager } = this.#deps;
    const concerns = (change: ManagerChange): boolean => change.kind === 'all' || change.key === manager.keyOf(id);
    const follower = new ServerFollower({
      onDidChange: (listener) =>
        manager.onDidChange((change) => {
          if (concerns(change)) listener();
        }),
      live: () => this.#servers.live(id),
      tell: (event) => this.#tell(id, event),
    });
    void follower.setLogLevel(this.#logLevel).catch(() => undefined);
    return follower;
  }

  #tell(id: ServerId, event: SurfaceEvent): void {
    if (event.kind === 'resourceUpdated') this.#events.fire({ ...event, uri: outwardUri(id, event.uri) });
    if (event.kind === 'log') this.#events.fire({ ...event, params: logOf(id, event.params) });
    if (event.kind !== 'restarted') return;
    const live = this.#servers.live(id);
    for (const of of live === undefined ? [] : offeredLists(live.snapshot)) this.#again.add(of);
    this.restarts.note(id);
    this.#events.fire(event);
  }
}

/** A log line that says whose it is. */
export function logOf(server: string, params: JsonObject): JsonObject {
  const { logger } = params;
  return { ...params, logger: typeof logger === 'string' ? `${server}/${logger}` : server };
}

const nothing = { tools: [], resources: [], resourceTemplates: [], prompts: [] };

function changesBetween(before: readonly OfferingServer[], now: readonly OfferingServer[]): ReadonlySet<ChangedList> {
  const offers = new Map(before.map(({ id, offer }) => [id, offer]));
  const gone = before.filter(({ id }) => now.every((server) => server.id !== id));
  return new Set([
    ...now.flatMap(({ id, offer }) => changedLists(offers.get(id) ?? nothing, offer)),
    ...gone.flatMap(({ offer }) => changedLists(offer, nothing)),
  ]);
}
