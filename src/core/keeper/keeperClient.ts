// The keeper as a window or a program of the person's uses it (KEEP-1). Knows one keeper at a time: found or started by the
// first who needs it, for all of this process. Holds one stream open while it does: that is our presence, which ends with this
// process, and brings what becomes of the servers that we launched. Promises: no launch goes anywhere but to a keeper that
// proved to be the one of the person's own file.
import * as z from 'zod/mini';
import { type Clock, systemClock } from '../../base/clock.ts';
import { untilAborted } from '../../base/deadline.ts';
import { deferred } from '../../base/deferred.ts';
import { type Event, Emitter } from '../../base/event.ts';
import {
  type KeeperEvent,
  type KeeperStatus,
  keeperStatus,
  type Launched,
  launched,
  type LaunchRequest,
} from '../../contract/keeperWire.ts';
import { judge } from '../config/processIdentity.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { StdioLaunch } from '../transport/launch.ts';
import { ensureKeeper, findKeeper } from './findKeeper.ts';
import { type KeeperLink, KeeperSilent } from './keeperLink.ts';

export interface KeeperClientOptions {
  /** The product's folder. */
  readonly home: string;
  /** The keeper's program, built: beside the command line, best in its copy in the product's folder. */
  readonly program: string;
  /** For a keeper that we start. */
  readonly idleSeconds?: number | 'never';
  /** The program that runs it; by default the one that runs us. */
  readonly runtime?: string;
  readonly clock?: Clock;
}

interface Cancellable {
  readonly signal?: AbortSignal | undefined;
}

/** What is launched, and for which definition. */
export interface KeptLaunch extends Omit<LaunchRequest, 'hold' | 'launch'> {
  readonly launch: StdioLaunch;
}

/** What becomes of a server of the keeper's; `gone`: of all of them, with the keeper. */
export type KeptEvent = Exclude<KeeperEvent, { kind: 'held' }> | { readonly kind: 'gone' };

/** Our presence at one keeper. */
export interface KeeperHold {
  readonly link: KeeperLink;
  readonly id: string;
  readonly onEvent: Event<KeptEvent>;
  /** False once its stream has ended. */
  readonly isOpen: boolean;
}

export class KeeperClient {
  readonly #options: Required<Pick<KeeperClientOptions, 'home' | 'program' | 'idleSeconds' | 'clock'>> &
    Pick<KeeperClientOptions, 'runtime'>;
  readonly #ended = new AbortController();
  #hold: Promise<KeeperHold> | undefined;

  constructor(options: KeeperClientOptions) {
    this.#options = { idleSeconds: limits.keeper.idle / 1_000, clock: systemClock({ unref: true }), ...options };
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  /** The keeper, started where there is none, held by us from now on. Fails with `keeperFailed`, `keeperDiffers`. */
  async ensure({ signal }: Cancellable = {}): Promise<KeeperHold> {
    for (;;) {
      this.#hold ??= this.#open();
      const opening = this.#hold;
      const forget = (): void => {
        if (this.#hold === opening) this.#hold = undefined;
      };
      opening.catch(forget);
      const hold = await untilAborted(opening, signal);
      if (hold.isOpen) return hold;
      forget();
    }
  }

  /** Has this server run, and answers when it is ready. Fails as its start does; `blockedConflict` where others hold another. */
  launch(hold: KeeperHold, request: KeptLaunch, { signal }: Cancellable = {}): Promise<Launched> {
    return this.#told(hold.link.ask('launch', { form: launched, body: { ...request, hold: hold.id }, signal }));
  }

  /** We want this server no more. Best effort. */
  async release({ link, id: hold }: KeeperHold, key: string): Promise<void> {
    const within = limits.keeper.farewell;
    await link.ask('release', { form: nothing, body: { hold, key }, within }).catch(() => undefined);
  }

  /** Undefined where there is no keeper; none is started for it, nor for what follows. */
  async status(options: Cancellable = {}): Promise<KeeperStatus | undefined> {
    const link = await this.#find(options);
    return link && this.#told(link.ask('status', { form: keeperStatus, within: limits.keeper.answer, ...options }));
  }

  async stop(key: string, options: Cancellable = {}): Promise<void> {
    await this.#askFor('stop', { key }, options);
  }

  async restart(key: string, options: Cancellable = {}): Promise<void> {
    await this.#askFor('restart', { key }, options);
  }

  /** Ends the keeper with all of its servers; resolves when nothing of it is left. */
  async end(options: Cancellable = {}): Promise<void> {
    const link = await this.#find(options);
    if (link === undefined) return;
    await this.#told(link.ask('end', { form: nothing, body: {}, ...options }));
    const { process } = link.descriptor;
    while ((await judge(process)) !== 'gone') await this.#pause(options.signal);
  }

  /** Lets go of the keeper, which ends by itself once nobody uses it. */
  dispose(): void {
    this.#ended.abort(new ManagerError('cancelled'));
  }

  async #open(): Promise<KeeperHold> {
    for (let attempt = 1; ; attempt += 1) {
      const link = await ensureKeeper({ ...this.#options, signal: this.#ended.signal });
      try {
        return await this.#holdAt(link);
      } catch (error) {
        // One that was just ending: the next look finds or starts another one.
        if (!(error instanceof KeeperSilent) || attempt === mostAttempts) throw this.#toldAs(error);
      }
    }
  }

  async #holdAt(link: KeeperLink): Promise<KeeperHold> {
    const first = deferred<string>();
    const events = new Emitter<KeptEvent>();
    let isOpen = true;
    const over = (error: unknown): void => {
      isOpen = false;
      first.reject(error);
      events.fire({ kind: 'gone' });
      events.dispose();
    };
    const hear = (event: KeeperEvent): void => {
      if (event.kind === 'held') first.resolve(event.hold);
      else events.fire(event);
    };
    link.listen('hold', hear, this.#ended.signal).then(() => over(new KeeperSilent('it ended')), over);
    const id = await first.promise;
    return {
      link,
      id,
      onEvent: events.event,
      get isOpen() {
        return isOpen;
      },
    };
  }

  #find({ signal }: Cancellable): Promise<KeeperLink | undefined> {
    return findKeeper({ ...this.#options, signal });
  }

  async #askFor(name: string, body: object, options: Cancellable): Promise<void> {
    const link = await this.#find(options);
    if (link !== undefined) await this.#told(link.ask(name, { form: nothing, body, ...options }));
  }

  async #pause(signal: AbortSignal | undefined): Promise<void> {
    const over = deferred<undefined>();
    const timer = this.#options.clock.after(limits.keeper.look, () => over.resolve(undefined));
    await untilAborted(over.promise, signal).finally(() => timer.dispose());
  }

  async #told<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      throw this.#toldAs(error);
    });
  }

  #toldAs(error: unknown): unknown {
    return error instanceof KeeperSilent
      ? new ManagerError('keeperFailed', { detail: error.message }, { cause: error })
      : error;
  }
}

const mostAttempts = 3;
const nothing = z.strictObject({});
