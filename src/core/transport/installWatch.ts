// Watches a starting launcher until the server's first message and reports that it installs: by the lines it prints,
// or, for those that are silent without a terminal (`npx -y`), by having started no process of its own for a while.
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { truncate } from '../../base/sanitise.ts';
import { limits } from '../limits.ts';
import { installDetail, type Launcher } from './installProgress.ts';

export interface InstallWatchOptions {
  readonly launcher: Launcher;
  readonly clock: Clock;
  /** How many processes the server consists of now, the launcher included. */
  readonly count: () => Promise<number>;
  readonly onInstalling: (detail: string) => void;
}

export class InstallWatch implements Disposable {
  readonly #options: InstallWatchOptions;
  #timer: Disposable | undefined;
  #over = false;

  constructor(options: InstallWatchOptions) {
    this.#options = options;
    if (options.launcher.startsChild) this.#arm(limits.installing.silentAfter);
  }

  /** Whether lines are still looked at. */
  get active(): boolean {
    return !this.#over;
  }

  /** A line on stderr, or one on stdout that is no message; free of secrets and control characters. */
  line(line: string): void {
    const detail = this.#over ? undefined : installDetail(this.#options.launcher, line);
    if (detail !== undefined) this.#options.onInstalling(truncate(detail, limits.installing.detail));
  }

  /** The server has spoken, or ended. */
  dispose(): void {
    this.#over = true;
    this.#timer?.dispose();
  }

  #arm(ms: number): void {
    this.#timer = this.#options.clock.after(ms, () => void this.#look());
  }

  async #look(): Promise<void> {
    const count = await this.#options.count();
    if (this.#over) return;
    if (count === 1) this.#options.onInstalling(`${this.#options.launcher.name}: fetching the server`);
    this.#arm(limits.installing.poll);
  }
}
