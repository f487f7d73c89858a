// Bounds a wait of a test in real time, so that a fault shows as a failure that names what was awaited.
import { systemClock } from '../../src/base/clock.ts';
import * as deadline from '../../src/base/deadline.ts';

/** @throws Error after `ms` milliseconds; the awaited work itself is not stopped. */
export function withDeadline<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  const onTimeout = () => new Error(`waited ${ms} ms for ${what}`);
  return deadline.withDeadline(work, { ms, clock: systemClock(), onTimeout });
}
