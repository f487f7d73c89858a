// Whom a server means when it asks something during requests of several conversations (GATE-3). Where the wire names
// the request, that is who is meant; where it does not, the one conversation with a request open, and nobody where there
// are several: it is never guessed. Promises: once a server of that kind has asked, its requests run one conversation at
// a time, in the order in which they came, so that the next question has one reading. A conversation whose only request
// waits for its own answers lets others go meanwhile: a person may take minutes, or never come back.
import type { Clock } from '../../base/clock.ts';
import { type Deferred, deferred } from '../../base/deferred.ts';
import { untilAborted } from '../../base/deadline.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { limits } from '../limits.ts';
import type { Asker } from './liveClient.ts';

interface Waiting {
  readonly identity: object;
  /** It had its turn and let others go, or it waits for its first. */
  readonly goesOn: boolean;
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

export class Askers {
  readonly #clock: Clock;
  readonly #open = new Map<number, Asker>();
  readonly #leases = new Map<object, Lease>();
  readonly #waiting: Waiting[] = [];
  #oneAtATime = false;
  /** The server asked again while all of its requests waited for answers: then waiting says nothing. */
  #asksOn = false;

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
      const waiting = { identity, goesOn: false, turn: deferred<undefined>() };
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

  /** A request is under way; `exchange` is its number on the wire. */
  follow(exchange: number, asker: Asker): Disposable {
    this.#open.set(exchange, asker);
    return toDisposable(() => this.#open.delete(exchange));
  }

  /** Who is meant by a question; undefined where nobody is, or it cannot be told. `origin`: the request that the wire names. */
  meant(origin: number | undefined): Asker | undefined {
    if (origin !== undefined) return this.#open.get(origin);
    const open = [...this.#open.values()];
    const running = open.filter(({ identity }) => this.#leases.get(identity)?.yielded !== true);
    if (running.length === 0 && open.length > 0) this.#asksOn = true;
    const [asker, ...others] = running.length === 0 ? open : running;
    return others.every(({ identity }) => identity === asker?.identity) ? asker : undefined;
  }

  /**
   * A conversation is asked something that the wire does not tell apart. Answers what to wait for before the server gets
   * the answer, since its request runs on then.
   */
  asks(identity: object): () => Promise<void> {
    const lease = this.#leases.get(identity);
    if (lease === undefined) return () => Promise.resolve();
    lease.questions += 1;
    this.#yieldSoon(lease);
    return async () => {
      lease.questions -= 1;
      lease.timer?.dispose();
      if (lease.yielded) await this.#goOn(identity, lease);
      if (lease.questions > 0) this.#yieldSoon(lease);
    };
  }

  /** Not at once: what a request asks together comes together. Never where another of its requests may ask as well. */
  #yieldSoon(lease: Lease): void {
    lease.timer?.dispose();
    lease.timer = this.#clock.after(limits.serverRequests.together, () => {
      if (lease.count !== 1 || lease.questions === 0 || this.#asksOn) return;
      lease.yielded = true;
      this.#next();
    });
  }

  /** Before all that wait for a first turn; and in the end even beside another one, since the server waits for it. */
  async #goOn(identity: object, lease: Lease): Promise<void> {
    if (!this.#mayGo(identity)) {
      const waiting = { identity, goesOn: true, turn: deferred<undefined>() };
      this.#waiting.unshift(waiting);
      const late = this.#clock.after(limits.serverRequests.goOn, () => waiting.turn.resolve(undefined));
      await waiting.turn.promise;
      late.dispose();
      this.#leaveQueue(waiting);
    }
    lease.yielded = false;
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
      const lease = this.#leases.get(next.identity);
      if (!next.goesOn) this.#take(next.identity);
      else if (lease !== undefined) lease.yielded = false;
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
