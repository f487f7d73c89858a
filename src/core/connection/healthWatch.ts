// Finds out that a connected server does not answer any more (KEEP-3). Promises: asks only one of which nothing was heard for
// a whole period and that has nothing of ours to do, since a call may keep it busy for as long as calls may; takes whatever it
// answers, a refusal too, as a sign of life; leaves no timer behind. What then becomes of the connection is not its business.
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ErrorCode } from '../../contract/errorCodes.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Era, Negotiated } from './state.ts';

export interface WatchedServer {
  readonly clock: Clock;
  readonly era: Era;
  /** Whether a request of ours is under way. */
  isBusy(): boolean;
  ask(method: string, signal: AbortSignal): Promise<unknown>;
  /** It has been silent for so many milliseconds, as often as it may. */
  silent(ms: number): void;
}

const { every, answer, misses } = limits.supervision.health;

/**
 * Over Streamable HTTP the modern era has neither a process nor a session: nothing would be ended or won by starting anew,
 * each request tells by itself whether the server is there, and what sleeps until it is called would be kept awake.
 */
export function isWatched({ era, transport }: Pick<Negotiated, 'era' | 'transport'>): boolean {
  return era === 'legacy' || transport === 'stdio';
}

export class HealthWatch implements Disposable {
  readonly #server: WatchedServer;
  #heard: number;
  #missed = 0;
  #timer: Disposable;
  #asking: AbortController | undefined;
  #isOver = false;

  constructor(server: WatchedServer) {
    this.#server = server;
    this.#heard = server.clock.now();
    this.#timer = server.clock.after(every, this.#look);
  }

  /** It answered something. */
  heard(): void {
    this.#heard = this.#server.clock.now();
    this.#missed = 0;
  }

  dispose(): void {
    this.#isOver = true;
    this.#timer.dispose();
    this.#asking?.abort();
  }

  readonly #look = (): void => {
    const { clock } = this.#server;
    this.#timer = clock.after(every, this.#look);
    // Its answer to the question before this one is no news.
    if (this.#server.isBusy() || clock.now() - this.#heard < every - answer) this.#missed = 0;
    else void this.#ask();
  };

  async #ask(): Promise<void> {
    const { clock, era } = this.#server;
    const asking = new AbortController();
    this.#asking = asking;
    const limit = clock.after(answer, () => asking.abort());
    // A server that leaves out `ping`, and says nothing to what it does not know, is not taken for dead.
    const method = era === 'modern' ? 'server/discover' : this.#missed === 0 ? 'ping' : 'tools/list';
    try {
      await this.#server.ask(method, asking.signal);
      this.heard();
    } catch (error) {
      if (this.#isOver) return;
      if (isSilence(error)) this.#miss();
      else this.heard();
    } finally {
      limit.dispose();
    }
  }

  #miss(): void {
    this.#missed += 1;
    // A call that began meanwhile waits for it by itself.
    if (this.#missed < misses || this.#server.isBusy()) return;
    this.#server.silent(this.#server.clock.now() - this.#heard);
  }
}

/** Failures that are no answer; our own limit is a cancellation. */
function isSilence(error: unknown): boolean {
  return error instanceof ManagerError && silences.has(error.code);
}

const silences: ReadonlySet<ErrorCode> = new Set(['cancelled', 'requestTimeout', 'networkFailed', 'connectTimeout']);
