// Which resources a person or an agent wants to hear about (DISC-7), in both eras: legacy by one request each, modern
// by one listen stream for all of them, opened anew when the set changes, the new one before the old one ends.
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import type { LiveClient } from '../connection/liveClient.ts';
import type { OfferWarning } from '../discovery/offerWarning.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { declares } from './changeFilter.ts';
import { type ListenPace, ListenStream } from './listenStream.ts';

export interface ResourceSubscriptionOptions {
  readonly client: LiveClient;
  readonly clock: Clock;
  readonly onTrouble: (trouble: OfferWarning | undefined) => void;
  readonly pace?: ListenPace;
}

interface Wait {
  readonly signal?: AbortSignal;
}

export class ResourceSubscriptions implements Disposable {
  readonly #options: ResourceSubscriptionOptions;
  readonly #updated = new Emitter<{ readonly uri: string }>();
  readonly #queue = new SerialQueue();
  readonly #notifications: Disposable;
  #uris: ReadonlySet<string> = new Set();
  #stream: ListenStream | undefined;

  constructor(options: ResourceSubscriptionOptions) {
    this.#options = options;
    this.#notifications = options.client.onNotification(({ method, params }) => {
      const uri = params['uri'];
      if (method !== 'notifications/resources/updated' || typeof uri !== 'string' || this.#uris.size === 0) return;
      this.#updated.fire({ uri });
    });
  }

  /** A subscribed resource, or a part of one, changed; also fired for all of them after a gap in the stream. */
  readonly onDidUpdate = this.#updated.event;

  get uris(): ReadonlySet<string> {
    return this.#uris;
  }

  /** Rejects with what the server answered, or protocolError -32601 where it declares no subscriptions. */
  subscribe(uri: string, options: Wait = {}): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#uris.has(uri)) return;
      if (!declares(this.#options.client.capabilities, 'resources', 'subscribe')) throw notOffered();
      if (this.#uris.size >= limits.subscription.resources) {
        throw new ManagerError('internal', { detail: `more than ${limits.subscription.resources} subscriptions` });
      }
      await this.#change(new Set([...this.#uris, uri]), { method: 'resources/subscribe', uri, ...options });
    });
  }

  unsubscribe(uri: string, options: Wait = {}): Promise<void> {
    return this.#queue.run(async () => {
      if (!this.#uris.has(uri)) return;
      const rest = new Set([...this.#uris].filter((other) => other !== uri));
      await this.#change(rest, { method: 'resources/unsubscribe', uri, ...options });
    });
  }

  dispose(): void {
    this.#notifications.dispose();
    this.#stream?.dispose();
    this.#stream = undefined;
    this.#uris = new Set();
    this.#updated.dispose();
  }

  async #change(next: ReadonlySet<string>, how: Wait & { method: string; uri: string }): Promise<void> {
    const { client } = this.#options;
    if (client.negotiated.era === 'legacy') {
      const { signal } = how;
      await client.request(how.method, { uri: how.uri }, { kind: 'request', ...(signal && { signal }) });
    } else {
      await this.#listen(next);
    }
    this.#uris = next;
  }

  async #listen(uris: ReadonlySet<string>): Promise<void> {
    const { client, clock, onTrouble, pace } = this.#options;
    if (uris.size === 0) {
      this.#stream?.dispose();
      this.#stream = undefined;
      onTrouble(undefined);
      return;
    }
    let trouble: OfferWarning | undefined;
    let settled = false;
    const stream = new ListenStream({
      client,
      clock,
      filter: { resourceSubscriptions: [...uris] },
      onTrouble: (now) => {
        trouble = now;
        if (settled) onTrouble(now);
      },
      onReopened: () => {
        for (const uri of this.#uris) this.#updated.fire({ uri });
      },
      ...(pace && { pace }),
    });
    const open = await stream.open();
    if (!open || trouble !== undefined) {
      stream.dispose();
      throw new ManagerError('protocolError', {
        method: 'subscriptions/listen',
        number: 0,
        detail: trouble?.detail ?? 'not acknowledged',
      });
    }
    settled = true;
    onTrouble(undefined);
    this.#stream?.dispose();
    this.#stream = stream;
  }
}

function notOffered(): ManagerError {
  return new ManagerError('protocolError', {
    method: 'resources/subscribe',
    number: -32601,
    detail: 'the server offers no subscriptions',
  });
}
