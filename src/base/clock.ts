import { type Disposable, toDisposable } from './disposable.ts';

/** Time as the code sees it. Tests inject their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms` milliseconds unless disposed first. */
  after(ms: number, action: () => void): Disposable;
}

/** The machine's clock. Its timers do not keep the process alive when `unref` is set. */
export function systemClock(options: { unref?: boolean } = {}): Clock {
  return {
    now: () => Date.now(),
    after: (ms, action) => {
      const timer = setTimeout(action, ms);
      if (options.unref === true) timer.unref();
      return toDisposable(() => {
        clearTimeout(timer);
      });
    },
  };
}
