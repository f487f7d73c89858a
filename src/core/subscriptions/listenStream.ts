// One `subscriptions/listen` stream of a modern server, kept open (DISC-4, DISC-5). Promises: trouble is told, never
// thrown; a stream that broke is opened again with a growing pause, a bounded number of times; one that the server
// ended in order, refused or did not acknowledge is left at that. Ends with `dispose`.
import type { Clock } from '../../base/clock.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { LiveClient, LiveSubscription } from '../connection/liveClient.ts';
import type { OfferWarning } from '../discovery/offerWarning.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { notHonoured } from './changeFilter.ts';

export interface ListenPace {
  /** How long to wait for the acknowledgement, in milliseconds. */
  readonly acknowledge: number;
  readonly retryFirst: number;
  readonly retryMost: number;
  readonly retries: number;
  /** A stream that lived so long starts counting its retries anew. */
  readonly stable: number;
}

export interface ListenOptions {
  readonly client: LiveClient;
  readonly clock: Clock;
  readonly filter: JsonObject;
  /** The trouble there is now; undefined when it is over. */
  readonly onTrouble: (trouble: OfferWarning | undefined) => void;
  /** The stream is open again: what changed in between was not told. */
  readonly onReopened: () => void;
  readonly pace?: ListenPace;
}

export class ListenStream implements Disposable {
  readonly #options: ListenOptions;
  readonly #pace: ListenPace;
  readonly #ended = new AbortController();
  #stream: LiveSubscription | undefined;
  #honoured: JsonObject = {};
  #retry: Disposable = toDisposable(() => undefined);
  #attempts = 0;

  constructor(options: ListenOptions) {
    this.#options = options;
    this.#pace = options.pace ?? limits.subscription;
  }

  /** Whether the server may tell about this part of the filter now. */
  hears(key: string): boolean {
    return this.#honoured[key] === true;
  }

  /** Resolves when the first attempt is acknowledged, refused or given up; false for the latter two. */
  async open(): Promise<boolean> {
    return this.#listen(false);
  }

  dispose(): void {
    this.#retry.dispose();
    this.#ended.abort(new ManagerError('connectionClosed'));
    this.#stream?.close();
  }

  async #listen(again: boolean): Promise<boolean> {
    const { client, clock, filter, onTrouble, onReopened } = this.#options;
    const { signal } = this.#ended;
    // A change may be told in the same breath as the acknowledgement, before our wait for it has ended.
    this.#honoured = filter;
    try {
      const stream = await client.listen(filter, { signal, timeoutMs: this.#pace.acknowledge });
      if (signal.aborted) {
        stream.close();
        return false;
      }
      this.#stream = stream;
      this.#honoured = stream.honoured;
      const missing = notHonoured(filter, stream.honoured);
      onTrouble(missing.length === 0 ? undefined : warn('subscriptionNotHonoured', missing.join(', ')));
      const since = clock.now();
      void stream.closed.then((how) => this.#closed(how, since));
      if (again) onReopened();
      return true;
    } catch (error) {
      if (!signal.aborted) this.#failed(error, again);
      return false;
    }
  }

  #failed(error: unknown, again: boolean): void {
    this.#honoured = {};
    const code = error instanceof ManagerError ? error.code : 'internal';
    const refused = code === 'protocolError';
    const what = refused ? 'subscriptionRejected' : 'subscriptionMissing';
    this.#options.onTrouble(warn(what, refusal(error)));
    if (again && !refused) this.#retryLater();
  }

  #closed(how: 'local' | 'graceful' | 'remote', since: number): void {
    this.#stream = undefined;
    this.#honoured = {};
    if (how === 'local' || this.#ended.signal.aborted) return;
    this.#options.onTrouble(warn('subscriptionClosed', how === 'graceful' ? '' : 'the stream broke'));
    if (this.#options.clock.now() - since >= this.#pace.stable) this.#attempts = 0;
    if (how === 'remote') this.#retryLater();
  }

  #retryLater(): void {
    const pause = retryPause(this.#attempts, this.#pace);
    if (pause === undefined) return;
    this.#attempts += 1;
    this.#retry = this.#options.clock.after(pause, () => void this.#listen(true));
  }
}

/** How long to wait before retry number `attempts + 1`; undefined when it was tried often enough. */
export function retryPause(attempts: number, pace: ListenPace): number | undefined {
  return attempts >= pace.retries ? undefined : Math.min(pace.retryFirst * 2 ** attempts, pace.retryMost);
}

function warn(what: OfferWarning['what'], detail: string): OfferWarning {
  return { about: 'subscription', what, detail };
}

function refusal(error: unknown): string {
  if (!(error instanceof ManagerError)) return '';
  return [error.code, error.data['number'], error.data['detail']].filter((part) => part !== undefined).join(' ');
}
