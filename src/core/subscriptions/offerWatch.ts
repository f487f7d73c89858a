// One connection's offer, watched for as long as it lives: initial discovery, the change notifications of both eras
// and the resources subscribed to, put together. Made when a connection is ready, disposed when its generation ends.
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { LiveClient } from '../connection/liveClient.ts';
import type { Generation } from '../connection/state.ts';
import type { OfferWarning } from '../discovery/offerWarning.ts';
import type { RefreshPace } from '../discovery/refreshPlan.ts';
import type { OfferKind, ServerSnapshot } from '../discovery/snapshot.ts';
import { type PublisherOptions, SnapshotPublisher } from '../discovery/snapshotPublisher.ts';
import { changeFilter, changeOf, kindsOfFilter } from './changeFilter.ts';
import { type ListenPace, ListenStream } from './listenStream.ts';
import { ResourceSubscriptions } from './resourceSubscriptions.ts';

export interface OfferWatchOptions {
  readonly client: LiveClient;
  readonly generation: Generation;
  readonly clock: Clock;
  /** Number of the first snapshot that it publishes. */
  readonly firstRevision: number;
  /** Whether this client and generation still own the server; asked right before each publication. */
  readonly isCurrent: () => boolean;
  readonly pace?: { readonly refresh?: RefreshPace; readonly listen?: ListenPace };
}

export class OfferWatch implements Disposable {
  readonly resources: ResourceSubscriptions;
  readonly #options: OfferWatchOptions;
  readonly #store = new DisposableStore();
  readonly #publisher: SnapshotPublisher;
  readonly #warned = this.#store.add(new Emitter<readonly OfferWarning[]>());
  readonly #troubles = new Map<'changes' | 'resources', OfferWarning>();
  #changes: ListenStream | undefined;

  constructor(options: OfferWatchOptions) {
    this.#options = options;
    const { client, clock, pace } = options;
    const listen = pace?.listen;
    this.#publisher = this.#store.add(new SnapshotPublisher(publisherOptions(options)));
    this.#store.add(this.#publisher.onDidChangeWarnings(() => this.#warned.fire(this.warnings)));
    this.#store.add(client.onNotification(({ method }) => this.#notified(method)));
    this.resources = this.#store.add(
      new ResourceSubscriptions({
        client,
        clock,
        onTrouble: (trouble) => this.#trouble('resources', trouble),
        ...(listen && { pace: listen }),
      }),
    );
    this.onDidPublish = this.#publisher.onDidPublish;
  }

  readonly onDidPublish: SnapshotPublisher['onDidPublish'];
  readonly onDidChangeWarnings = this.#warned.event;

  get snapshot(): ServerSnapshot | undefined {
    return this.#publisher.snapshot;
  }

  /** Lists that could not be read, then trouble with subscriptions (DISC-5). */
  get warnings(): readonly OfferWarning[] {
    return [...this.#publisher.warnings, ...this.#troubles.values()];
  }

  /** Initial discovery; the subscription to changes opens at the same time, so that no change falls between. */
  start(options: { signal?: AbortSignal } = {}): Promise<ServerSnapshot> {
    void this.#listen();
    return this.#publisher.start(options);
  }

  refresh(options: { signal?: AbortSignal; kinds?: readonly OfferKind[] } = {}): Promise<void> {
    return this.#publisher.refresh(options);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #notified(method: string): void {
    const change = changeOf(method);
    if (change === undefined) return;
    // Legacy servers tell whether they declared it or not; modern ones only what they acknowledged (DISC-4).
    const heard = this.#options.client.negotiated.era === 'legacy' || this.#changes?.hears(change.filter) === true;
    if (heard) this.#publisher.changed(change.kinds);
  }

  async #listen(): Promise<void> {
    const { client, clock, pace } = this.#options;
    const filter = client.negotiated.era === 'modern' ? changeFilter(client.capabilities) : undefined;
    if (filter === undefined || this.#changes !== undefined) return;
    this.#changes = this.#store.add(
      new ListenStream({
        client,
        clock,
        filter,
        onTrouble: (trouble) => this.#trouble('changes', trouble),
        onReopened: () => this.#publisher.changed(kindsOfFilter(filter)),
        ...(pace?.listen && { pace: pace.listen }),
      }),
    );
    await this.#changes.open();
  }

  #trouble(about: 'changes' | 'resources', trouble: OfferWarning | undefined): void {
    if (trouble === undefined && !this.#troubles.delete(about)) return;
    if (trouble !== undefined) this.#troubles.set(about, trouble);
    this.#warned.fire(this.warnings);
  }
}

function publisherOptions({ pace, ...options }: OfferWatchOptions): PublisherOptions {
  return pace?.refresh === undefined ? options : { ...options, pace: pace.refresh };
}
