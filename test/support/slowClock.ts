import { type Clock, systemClock } from '../../src/base/clock.ts';

/** The system's clock with timers that take `times` as long: for what has to be over before them on any machine. */
export function slowClock(times: number): Clock {
  const clock = systemClock();
  return { now: () => clock.now(), after: (ms, action) => clock.after(ms * times, action) };
}
