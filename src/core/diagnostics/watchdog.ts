// Ends a test that shows no sign of life for a while, or that runs beyond its ceiling (UI-2).
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

export interface WatchdogOptions {
  readonly clock: Clock;
  /** Milliseconds without `alive()`. */
  readonly idle: number;
  /** Milliseconds in all. */
  readonly ceiling: number;
  /** Called once at most, with the bound that was met. */
  readonly onExpire: (bound: 'idle' | 'ceiling') => void;
}

export class Watchdog implements Disposable {
  readonly #options: WatchdogOptions;
  readonly #ceiling: Disposable;
  #idle: Disposable;
  #done = false;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#ceiling = options.clock.after(options.ceiling, () => this.#expire('ceiling'));
    this.#idle = this.#arm();
  }

  /** Something happened: the idle time starts anew. */
  alive(): void {
    if (this.#done) return;
    this.#idle.dispose();
    this.#idle = this.#arm();
  }

  dispose(): void {
    this.#done = true;
    this.#ceiling.dispose();
    this.#idle.dispose();
  }

  #arm(): Disposable {
    const { clock, idle } = this.#options;
    return clock.after(idle, () => this.#expire('idle'));
  }

  #expire(bound: 'idle' | 'ceiling'): void {
    if (this.#done) return;
    this.dispose();
    this.#options.onExpire(bound);
  }
}
