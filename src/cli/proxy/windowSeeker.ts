// Finds the window that serves an agent, again and again (GATE-5): the nearest one; after its end the same or the next; and
// a nearer one where one opens. Looks soon while somebody waits, and now and then while nobody does. Promises: one look at
// a time, and nobody waits for it beyond a request's own time; a window that does not answer as one is left alone for a
// while; where the nearest is in Restricted Mode there is no stay anywhere (TRUST-1).
import type { Clock } from '../../base/clock.ts';
import { withDeadline } from '../../base/deadline.ts';
import type { AnnouncedWindow, WindowDescriptor } from '../../contract/windowDescriptor.ts';
import { limits } from '../../core/limits.ts';
import { isSame, nearerWindow, nextWindow } from './nextWindow.ts';

/** A stay at one window. */
export interface Stay {
  readonly window: WindowDescriptor;
  /** The window answered once: it is one, and may come back. */
  readonly wasAlive: boolean;
  leave(options: { readonly farewell: boolean }): Promise<void>;
}

export interface WindowSeekerParts<S extends Stay> {
  readonly clock: Clock;
  /** The agent is gone. */
  readonly ended: AbortSignal;
  /** The folder that the agent works in: absolute, without links. */
  readonly folder: string;
  readonly windows: () => Promise<readonly AnnouncedWindow[]>;
  /** Begins a stay; undefined where this window is of no use. */
  readonly attach: (window: WindowDescriptor) => Promise<S | undefined>;
  /** Something is under way: no time to go elsewhere. */
  readonly isBusy: () => boolean;
  readonly onAttached: (attachment: S) => void;
  /** From now on the nearest window is one in Restricted Mode. */
  readonly onRefused: () => void;
}

export class WindowSeeker<S extends Stay> {
  readonly #parts: WindowSeekerParts<S>;
  readonly #avoided: { readonly window: WindowDescriptor; readonly until: number }[] = [];
  readonly #waiting = new Set<() => void>();
  #attachment: S | undefined;
  #lost: { readonly window: WindowDescriptor; readonly at: number } | undefined;
  #looking: Promise<void> | undefined;
  #isRefused = false;

  constructor(parts: WindowSeekerParts<S>) {
    this.#parts = parts;
  }

  get attachment(): S | undefined {
    return this.#attachment;
  }

  /** The nearest window is in Restricted Mode: nobody serves the agent. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Looks on until the agent is gone. */
  async run(): Promise<void> {
    const { ended } = this.#parts;
    while (!ended.aborted) {
      if (this.#attachment === undefined) await this.look();
      else await this.#lookForNearer(this.#attachment);
      const isPatient = this.#lost !== undefined && this.#parts.clock.now() < this.#lost.at + limits.proxy.window;
      const idle = isPatient ? limits.proxy.look : limits.proxy.idleLook;
      await this.#pause(this.#attachment === undefined ? idle : limits.proxy.nearer);
    }
  }

  /** The stay that serves now; waits for `limits.proxy.window` at most, where one has just been lost. Undefined where there is none. */
  async reach(signal: AbortSignal): Promise<S | undefined> {
    const { clock, ended } = this.#parts;
    const until = clock.now() + limits.proxy.window;
    for (;;) {
      if (this.#attachment === undefined && !signal.aborted) await this.#lookUntil(until, signal);
      if (this.#attachment !== undefined || signal.aborted || ended.aborted) return this.#attachment;
      const patience = this.#lost === undefined || this.#isRefused ? 0 : this.#lost.at + limits.proxy.window;
      const left = Math.min(patience, until) - clock.now();
      if (left <= 0) return undefined;
      await this.#pause(Math.min(left, limits.proxy.look), signal);
    }
  }

  /** The next stay, however long it takes. Undefined where `signal` aborts. */
  async awaitOne(signal: AbortSignal): Promise<S | undefined> {
    while (this.#attachment === undefined && !signal.aborted && !this.#parts.ended.aborted) {
      await this.#pause(limits.proxy.idleLook, signal);
    }
    return this.#attachment;
  }

  /** This stay is over. `avoid`: its window does not serve as one. */
  lose(attachment: S, { avoid }: { readonly avoid: boolean }): void {
    if (this.#attachment !== attachment) return;
    const { window } = attachment;
    const at = this.#parts.clock.now();
    this.#attachment = undefined;
    if (attachment.wasAlive) this.#lost = { window, at };
    if (avoid) this.#avoided.push({ window, until: at + limits.proxy.avoid });
    void attachment.leave({ farewell: false });
    this.#wake();
  }

  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** The look goes on for others where this wait is over. */
  async #lookUntil(until: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const ms = Math.max(until - clock.now(), 0);
    const wait = withDeadline(this.look(), {
      ms,
      clock,
      signal,
      onTimeout: () => new Error('The look takes too long.'),
    });
    await wait.catch(() => undefined);
  }

  async #look(): Promise<void> {
    const { clock, folder, ended } = this.#parts;
    const lost = this.#lost;
    const held = lost !== undefined && clock.now() < lost.at + limits.proxy.near ? lost.window : undefined;
    const window = nextWindow(await this.#usable(), folder, held);
    if (this.#attachment !== undefined || ended.aborted) return;
    if (window?.kind === 'restricted') this.#refuse();
    else {
      this.#isRefused = false;
      if (window !== undefined) await this.#goTo(window);
    }
  }

  async #lookForNearer(current: S): Promise<void> {
    const nearer = nearerWindow(await this.#usable(), this.#parts.folder, current.window);
    if (nearer === undefined || this.#attachment !== current) return;
    const isBusy = this.#parts.isBusy();
    if (nearer.kind === 'restricted') {
      // At once, so that nothing more goes out; what is under way ends where it is.
      this.#attachment = undefined;
      void current.leave({ farewell: !isBusy });
      this.#refuse();
      return;
    }
    if (isBusy) return;
    this.#looking ??= this.#goTo(nearer, current).finally(() => (this.#looking = undefined));
    await this.#looking;
  }

  async #goTo(window: WindowDescriptor, from?: S): Promise<void> {
    const attachment = await this.#parts.attach(window);
    if (attachment === undefined) {
      this.#avoided.push({ window, until: this.#parts.clock.now() + limits.proxy.avoid });
      return;
    }
    // What began at the old window meanwhile stays there, and so does the agent.
    if (this.#parts.ended.aborted || (from !== undefined && (this.#attachment !== from || this.#parts.isBusy()))) {
      await attachment.leave({ farewell: true });
      return;
    }
    this.#attachment = attachment;
    void from?.leave({ farewell: true });
    this.#wake();
    this.#parts.onAttached(attachment);
  }

  #refuse(): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    this.#parts.onRefused();
  }

  async #usable(): Promise<readonly AnnouncedWindow[]> {
    const now = this.#parts.clock.now();
    const avoided = this.#avoided.filter(({ until }) => until > now);
    this.#avoided.splice(0, this.#avoided.length, ...avoided);
    const windows = await this.#parts.windows();
    return windows.filter((window) => !avoided.some((each) => isSame(each.window, window)));
  }

  /** Also ends with the agent, with `signal` and when something changes. */
  #pause(ms: number, signal?: AbortSignal): Promise<void> {
    const { clock, ended } = this.#parts;
    return new Promise((resolve) => {
      const over = (): void => {
        timer.dispose();
        this.#waiting.delete(over);
        for (const each of [ended, signal]) each?.removeEventListener('abort', over);
        resolve();
      };
      const timer = clock.after(ms, over);
      this.#waiting.add(over);
      for (const each of [ended, signal]) each?.addEventListener('abort', over, { once: true });
      if (ended.aborted || signal?.aborted === true) over();
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
