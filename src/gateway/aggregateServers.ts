// The servers behind the aggregate: what each offers now, live or as it was kept (DISC-8), and the start of those of which
// nothing is known (GATE-4). Promises: all start at once and none is waited for but where there is nothing else to show;
// then only as long again as the first one took, and never longer than a bound: a server that hangs delays nobody.
import { type Clock } from '../base/clock.ts';
import { untilAborted } from '../base/deadline.ts';
import { type Disposable } from '../base/disposable.ts';
import type { ConfigFingerprint, ServerId } from '../contract/serverConfig.ts';
import type { ServerKey } from '../core/config/model.ts';
import type { ConnectionState } from '../core/connection/state.ts';
import { limits } from '../core/limits.ts';
import type { ServerManager } from '../core/manager/serverManager.ts';
import type { LiveServer, ServerView } from '../core/manager/view.ts';
import type { OfferingServer } from './aggregateCatalog.ts';
import { RpcFailure } from './outcomes.ts';
import { liveServer } from './liveServer.ts';

export interface AggregateServersDeps {
  readonly manager: Pick<ServerManager, 'view' | 'use' | 'live' | 'keyOf' | 'onDidChange'>;
  readonly clock: Clock;
}

export class AggregateServers implements Disposable {
  readonly #deps: AggregateServersDeps;
  readonly #watch: Disposable;
  readonly #tried = new Map<ServerKey, ConfigFingerprint>();
  #views: readonly ServerView[] | undefined;
  #offering: readonly OfferingServer[] | undefined;
  /** Of which views that is. */
  #offeringOf: readonly ServerView[] | undefined;
  #first: Promise<void> | undefined;

  constructor(deps: AggregateServersDeps) {
    this.#deps = deps;
    this.#watch = deps.manager.onDidChange(() => (this.#views = undefined));
  }

  /** Those that serve their id, in the order of the configuration. */
  views(): readonly ServerView[] {
    this.#views ??= this.#deps.manager.view().servers.filter(({ role }) => role === 'serving' || role === 'standIn');
    return this.#views;
  }

  /** What is known of them; the same list as long as nothing of it changed. */
  offering(): readonly OfferingServer[] {
    const views = this.views();
    if (this.#offering !== undefined && this.#offeringOf === views) return this.#offering;
    this.#offeringOf = views;
    const now = views.flatMap(({ key, server: { id }, snapshot, kept }) => {
      const offer = snapshot ?? kept;
      return offer === undefined ? [] : [{ id, key, offer }];
    });
    const before = this.#offering;
    const same = (server: OfferingServer, index: number): boolean =>
      before?.[index]?.key === server.key && before[index].offer === server.offer;
    if (before?.length === now.length && now.every(same)) return before;
    this.#offering = now;
    return now;
  }

  /** Starts those of which nothing is known, each once as it is defined: a list is no reason to try again and again. */
  start(): void {
    const unknown = this.views().filter(
      ({ key, server, state, snapshot, kept }) =>
        snapshot === undefined &&
        kept === undefined &&
        startable.has(state.kind) &&
        this.#tried.get(key) !== server.fingerprint,
    );
    const isFirst = this.#first === undefined && this.offering().length === 0;
    const starts = unknown.map(({ key, server }) => {
      this.#tried.set(key, server.fingerprint);
      return this.#deps.manager.use(key);
    });
    const settled = Promise.allSettled(starts); // Their states tell of failures.
    if (isFirst && starts.length > 0) this.#first = this.#awaitFirst(starts, settled);
  }

  /** Answers at once, but where nothing is known of any server and the first ones are just starting. */
  async known(signal: AbortSignal): Promise<void> {
    this.start();
    if (this.#first !== undefined) await untilAborted(this.#first, signal);
  }

  /** The live server of this id. */
  async use(id: string, signal: AbortSignal): Promise<LiveServer> {
    const key = this.#deps.manager.keyOf(id);
    if (key === undefined) throw new RpcFailure(-32602, 'Invalid params: no server of this name is configured.');
    return liveServer(this.#deps.manager, key, signal);
  }

  live(id: ServerId): LiveServer | undefined {
    const key = this.#deps.manager.keyOf(id);
    return key === undefined ? undefined : this.#deps.manager.live(key);
  }

  /** Starts and awaits the servers that a name could be of and that are not known live. Fails as they do. */
  async awaitOwners(isOwner: (id: ServerId) => boolean, signal: AbortSignal): Promise<void> {
    const owners = this.views().filter(({ server, snapshot }) => snapshot === undefined && isOwner(server.id));
    await Promise.all(owners.map(({ server }) => this.use(server.id, signal)));
  }

  dispose(): void {
    this.#watch.dispose();
  }

  async #awaitFirst(starts: readonly Promise<unknown>[], settled: Promise<unknown>): Promise<void> {
    const { clock } = this.#deps;
    const begun = clock.now();
    const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
      let timer: Disposable | undefined;
      await Promise.race([work, new Promise<void>((resolve) => (timer = clock.after(ms, resolve)))]);
      timer?.dispose();
    };
    const one = Promise.any(starts).catch(() => undefined);
    await within(limits.aggregate.firstList, one);
    const taken = clock.now() - begun;
    await within(Math.max(0, Math.min(taken, limits.aggregate.firstList - taken)), settled);
  }
}

const startable: ReadonlySet<ConnectionState['kind']> = new Set(['stopped', 'connecting', 'installing', 'failed']);
