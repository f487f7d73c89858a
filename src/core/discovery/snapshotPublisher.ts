// Keeps the one list of what a connection offers (DISC-4). Promises: one reading at a time; only the owner of the
// current client and generation publishes; a failed reading keeps the list that was there and says so; every
// waiting refresh ends when a reading that began after it has ended. When to read is refreshPlan.ts's decision.
import type { Clock } from '../../base/clock.ts';
import { type Deferred, deferred } from '../../base/deferred.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { LiveClient } from '../connection/liveClient.ts';
import type { Generation } from '../connection/state.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { discover, type Discovery } from './discover.ts';
import { offerKinds } from './offerKinds.ts';
import {
  firstFailure,
  noLists,
  type OfferLists,
  sizeWithout,
  snapshotOf,
  totalFailure,
  warningsOf,
  withDiscovery,
} from './offerLists.ts';
import type { OfferWarning } from './offerWarning.ts';
import { begin, finish, idlePlan, nextStart, type RefreshPace, type RefreshPlan, wish } from './refreshPlan.ts';
import type { OfferKind, ServerSnapshot } from './snapshot.ts';

export interface PublisherOptions {
  readonly client: LiveClient;
  readonly generation: Generation;
  readonly clock: Clock;
  /** Number of the first snapshot that this connection publishes. */
  readonly firstRevision: number;
  /** Whether this client and generation still own the server; asked right before each publication. */
  readonly isCurrent: () => boolean;
  readonly pace?: RefreshPace;
}

export class SnapshotPublisher implements Disposable {
  readonly #options: PublisherOptions;
  readonly #pace: RefreshPace;
  readonly #store = new DisposableStore();
  readonly #published = this.#store.add(new Emitter<ServerSnapshot>());
  readonly #warned = this.#store.add(new Emitter<readonly OfferWarning[]>());
  readonly #ended = new AbortController();
  readonly #waiting = new Set<Waiting>();
  #plan: RefreshPlan = idlePlan;
  #lists: OfferLists = noLists;
  #timer: Disposable | undefined;
  #revision: number;
  #snapshot: ServerSnapshot | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#pace = options.pace ?? { coalesce: limits.discovery.coalesce, perMinute: limits.discovery.refreshPerMinute };
    this.#revision = options.firstRevision;
  }

  readonly onDidPublish = this.#published.event;
  readonly onDidChangeWarnings = this.#warned.event;

  /** The newest published snapshot of this connection. */
  get snapshot(): ServerSnapshot | undefined {
    return this.#snapshot;
  }

  get warnings(): readonly OfferWarning[] {
    return warningsOf(this.#lists);
  }

  /** Initial discovery. Rejects when nothing could be listed; one list that failed is empty and marked as incomplete. */
  async start(options: { signal?: AbortSignal } = {}): Promise<ServerSnapshot> {
    await this.#read(offerKinds, options.signal, true);
    if (this.#snapshot === undefined) throw new ManagerError('connectionClosed');
    return this.#snapshot;
  }

  /** Explicit refresh. Rejects with the failure of the first list that could not be read; the others are published. */
  refresh(options: { signal?: AbortSignal; kinds?: readonly OfferKind[] } = {}): Promise<void> {
    return this.#read(options.kinds ?? offerKinds, options.signal, false);
  }

  /** The server said that these lists changed: they are read again soon. */
  changed(kinds: readonly OfferKind[]): void {
    this.#wish(kinds, false);
  }

  /** Ends the reading and every wait. What was published stays readable. */
  dispose(): void {
    const reason = new ManagerError('connectionClosed');
    this.#ended.abort(reason);
    this.#timer?.dispose();
    for (const wait of [...this.#waiting]) wait.done.reject(reason);
    this.#waiting.clear();
    this.#store.dispose();
  }

  async #read(kinds: readonly OfferKind[], signal: AbortSignal | undefined, initial: boolean): Promise<void> {
    if (signal?.aborted === true) throw new ManagerError('cancelled', {}, { cause: signal.reason });
    if (this.#ended.signal.aborted) throw new ManagerError('connectionClosed');
    const wait: Waiting = { epoch: this.#plan.epoch + 1, kinds, initial, done: deferred<undefined>() };
    const onAbort = (): void => {
      wait.done.reject(new ManagerError('cancelled', {}, { cause: signal?.reason }));
    };
    this.#waiting.add(wait);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#wish(kinds, true);
    try {
      await wait.done.promise;
    } finally {
      this.#waiting.delete(wait);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #wish(kinds: readonly OfferKind[], urgent: boolean): void {
    if (this.#ended.signal.aborted) return;
    this.#plan = wish(this.#plan, kinds, { now: this.#options.clock.now(), urgent });
    this.#schedule();
  }

  #schedule(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const now = this.#options.clock.now();
    const at = nextStart(this.#plan, this.#pace, now);
    if (at === undefined) return;
    if (at <= now) this.#begin();
    else this.#timer = this.#options.clock.after(at - now, () => this.#schedule());
  }

  #begin(): void {
    const { client, clock } = this.#options;
    this.#plan = begin(this.#plan, clock.now());
    const { signal } = this.#ended;
    const kinds = this.#plan.running?.kinds ?? new Set();
    discover(client, { signal, kinds, held: sizeWithout(this.#lists, kinds) }).then(
      (discovery) => this.#end(discovery),
      (error: unknown) => {
        if (!signal.aborted) this.#giveUp(error);
      },
    );
  }

  #end(discovery: Discovery): void {
    if (this.#ended.signal.aborted) return;
    const { running } = this.#plan;
    const { plan, publish } = finish(this.#plan);
    const before = this.warnings;
    this.#plan = plan;
    this.#lists = withDiscovery(this.#lists, discovery);
    // A reading that was held back shows and answers nothing: the next one does, which follows at once.
    if (publish) {
      const nothing = this.#snapshot === undefined ? totalFailure(this.#lists, discovery) : undefined;
      if (nothing === undefined) this.#publish();
      for (const wait of this.#waiting) {
        if (running === undefined || wait.epoch > running.epoch) continue;
        const failure = nothing ?? (wait.initial ? undefined : firstFailure(discovery, wait.kinds));
        if (failure === undefined) wait.done.resolve(undefined);
        else wait.done.reject(failure);
      }
    }
    if (JSON.stringify(before) !== JSON.stringify(this.warnings)) this.#warned.fire(this.warnings);
    this.#schedule();
  }

  #publish(): void {
    const { client, generation, isCurrent } = this.#options;
    if (!isCurrent()) return;
    const { era } = client.negotiated;
    this.#snapshot = snapshotOf(this.#lists, { generation, revision: this.#revision, era });
    this.#revision += 1;
    this.#published.fire(this.#snapshot);
  }

  /** A reading broke in a way that no list accounts for: those who wait hear it, and the plan goes on. */
  #giveUp(error: unknown): void {
    this.#plan = finish(this.#plan).plan;
    for (const wait of [...this.#waiting]) wait.done.reject(error);
    this.#schedule();
  }
}

interface Waiting {
  readonly epoch: number;
  readonly kinds: readonly OfferKind[];
  /** The first discovery: content with what could be read, unless that is nothing. */
  readonly initial: boolean;
  readonly done: Deferred<undefined>;
}
