// Whom a server means when it asks something during requests of several conversations (GATE-3). Where the wire names
// the request, that is who is meant; where it does not, the one conversation with a request open. It is never guessed:
// where several could be meant, the question is held until requests end and one is left, and in the end it is nobody's.
// Once a server of that kind has asked, its requests run one conversation at a time, in the order in which they came. A
// conversation that leaves a question unanswered for long lets others go beside it: a person may take minutes, or never
// come back. What is asked meanwhile could be of either, and is held like everything that cannot be told; a request whose
// client is not even on the line then gives way.
import type { Clock } from '../../base/clock.ts';
import { type Deferred, deferred } from '../../base/deferred.ts';
import { untilAborted } from '../../base/deadline.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { limits } from '../limits.ts';
import type { Asker } from './liveClient.ts';

interface Waiting {
  readonly identity: object;
  readonly turn: Deferred<undefined>;
}

/** A conversation whose turn it is. */
interface Lease {
  /** Its requests. */
  count: number;
  /** What it was asked and has not answered. */
  questions: number;
  /** It lets others go until it answers. */
  yielded: boolean;
  timer: Disposable | undefined;
}

/** A question that several conversations could be meant by. */
interface Held {
  /** The requests that it could have come in, as far as they are open still. */
  readonly exchanges: Set<number>;
  readonly meant: Deferred<Asker | undefined>;
}

export class Askers implements Disposable {
  readonly #clock: Clock;
  /** By the number of the request on the wire. */
  readonly #open = new Map<number, Asker>();
  readonly #leases = new Map<object, Lease>();
  readonly #waiting: Waiting[] = [];
  readonly #held = new Set<Held>();
  /** Requests of nobody's conversation: ours, the window's. */
  readonly #own: Asker = { identity: {} };
  readonly #lingering = new Set<Disposable>();
  #oneAtATime = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The server asked without saying during which request. */
  noteQuestion(): void {
    this.#oneAtATime = true;
  }

  /** Resolves when a request of this conversation may be sent; it is over when the answer is disposed. */
  async turn(identity: object, signal: AbortSignal): Promise<Disposable> {
    if (this.#waiting.length > 0 || !this.#mayGo(identity)) {
      const waiting = { identity, turn: deferred<undefined>() };
      this.#waiting.push(waiting);
      try {
        await untilAborted(waiting.turn.promise, signal);
      } catch (error) {
        // Its turn may have come in the same moment.
        if (!this.#leaveQueue(waiting)) this.#release(identity);
        throw error;
      }
    } else {
      this.#take(identity);
    }
    return toDisposable(() => this.#release(identity));
  }

  /** A request is under way, of a conversation or of our own; `exchange` is its number on the wire. */
  follow(exchange: number, asker: Asker = this.#own): Disposable {
    this.#open.set(exchange, asker);
    return toDisposable(() => this.#close(exchange));
  }

  /** Nobody waits for this request any more, and the server may go on with it all the same: for a while it could still ask. */
  abandon(exchange: number): void {
    const asker = this.#open.get(exchange);
    if (asker === undefined) return;
    // Its number is none that the wire will use again.
    const left = -1 - exchange;
    this.#open.set(left, asker);
    for (const { exchanges } of this.#held) if (exchanges.has(exchange)) exchanges.add(left);
    const timer = this.#clock.after(limits.serverRequests.afterCancel, () => {
      this.#lingering.delete(timer);
      this.#close(left);
    });
    this.#lingering.add(timer);
  }

  /** Who is meant by a question; undefined where nobody is, or it cannot be told. `origin`: the request that the wire names. */
  async meant(origin: number | undefined, signal: AbortSignal): Promise<Asker | undefined> {
    if (origin !== undefined) return this.#open.get(origin);
    // Whatever is sent from now on is none of those that it could have come in.
    const held: Held = { exchanges: new Set(this.#open.keys()), meant: deferred() };
    if (this.#isTold(held)) return held.meant.promise;
    this.#held.add(held);
    const late = this.#clock.after(limits.serverRequests.held, () => held.meant.resolve(undefined));
    let contend: Disposable | undefined;
    const look = (): void => {
      this.#giveWay(held);
      contend = this.#clock.after(limits.serverRequests.contend, look);
    };
    look();
    try {
      return await untilAborted(held.meant.promise, signal);
    } finally {
      late.dispose();
      contend?.dispose();
      this.#held.delete(held);
    }
  }

  /** A request whose client went away with a question ends where it keeps a question of another's from being told. */
  #giveWay({ exchanges }: Held): void {
    const askers = [...exchanges].flatMap((exchange) => (exchange < 0 ? [] : (this.#open.get(exchange) ?? [])));
    const left = new Set(askers.map(({ identity }) => identity));
    for (const asker of askers) if (left.size > 1 && asker.giveWay?.() === true) left.delete(asker.identity);
  }

  /** A conversation is asked something that the wire does not tell apart; it has answered when this is disposed. */
  asks({ identity, giveWay }: Asker): Disposable {
    const lease = this.#leases.get(identity);
    if (lease === undefined) return toDisposable(() => undefined);
    lease.questions += 1;
    // Nobody waits on the line of one that can give way.
    const patience = giveWay === undefined ? limits.serverRequests.yieldAfter : 0;
    this.#yieldLater(lease, patience);
    return toDisposable(() => {
      lease.questions -= 1;
      lease.yielded = false;
      this.#yieldLater(lease, patience);
    });
  }

  /** Never where another of its requests may ask as well. */
  #yieldLater(lease: Lease, patience: number): void {
    lease.timer?.dispose();
    if (lease.questions === 0) return;
    lease.timer = this.#clock.after(patience, () => {
      if (lease.count > lease.questions) return;
      lease.yielded = true;
      this.#next();
    });
  }

  #close(exchange: number): void {
    for (const held of this.#held) if (held.exchanges.delete(exchange)) this.#isTold(held);
    this.#open.delete(exchange);
  }

  /** Whether one conversation is left that can be meant, or none. */
  #isTold({ exchanges, meant }: Held): boolean {
    const askers = [...exchanges].flatMap((exchange) => this.#open.get(exchange) ?? []);
    const [one, ...others] = askers;
    if (!others.every(({ identity }) => identity === one?.identity)) return false;
    // Who left does not answer.
    const there = [...exchanges].find((exchange) => exchange >= 0);
    meant.resolve(there === undefined ? undefined : this.#open.get(there));
    return true;
  }

  dispose(): void {
    for (const timer of this.#lingering) timer.dispose();
  }

  #mayGo(identity: object): boolean {
    return !this.#oneAtATime || [...this.#leases].every(([other, { yielded }]) => other === identity || yielded);
  }

  #take(identity: object): void {
    const lease = this.#leases.get(identity);
    if (lease === undefined) {
      this.#leases.set(identity, { count: 1, questions: 0, yielded: false, timer: undefined });
      return;
    }
    lease.count += 1;
    lease.yielded = false;
  }

  #release(identity: object): void {
    const lease = this.#leases.get(identity);
    if (lease !== undefined && (lease.count -= 1) === 0) {
      lease.timer?.dispose();
      this.#leases.delete(identity);
    }
    this.#next();
  }

  #next(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#mayGo(next.identity); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#take(next.identity);
      next.turn.resolve(undefined);
    }
  }

  /** False where it has been let go already. */
  #leaveQueue(waiting: Waiting): boolean {
    const index = this.#waiting.indexOf(waiting);
    if (index >= 0) this.#waiting.splice(index, 1);
    return index >= 0;
  }
}
