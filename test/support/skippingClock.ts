import type { Clock } from '../../src/base/clock.ts';
import { toDisposable } from '../../src/base/disposable.ts';
import { ManualClock } from './manualClock.ts';

/** From here on, in milliseconds, a timer waits for the test and not for the machine. */
const long = 5_000;

/**
 * A clock for real processes: what is to be waited for long comes only when the test skips to it, however slow the machine
 * is; short timers, such as those between two signals, are the machine's.
 */
export class SkippingClock extends ManualClock {
  constructor() {
    super(Date.now());
  }

  override after(ms: number, action: () => void): ReturnType<Clock['after']> {
    if (ms >= long) return super.after(ms, action);
    const timer = setTimeout(action, ms);
    return toDisposable(() => clearTimeout(timer));
  }
}
