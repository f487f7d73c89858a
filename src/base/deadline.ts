import type { Clock } from './clock.ts';
import { deferred } from './deferred.ts';

export interface DeadlineOptions {
  /** How long to wait, in milliseconds. */
  ms: number;
  clock: Clock;
  /** Ends the wait early with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The error of a wait that took too long. */
  onTimeout: () => Error;
}

/**
 * Waits for `work`, at most `ms` milliseconds and only until `signal` aborts.
 * The work itself is not stopped: the caller does that. Its late answer, good or bad, is dropped.
 */
export async function withDeadline<T>(work: Promise<T>, options: DeadlineOptions): Promise<T> {
  const { ms, clock, signal, onTimeout } = options;
  const late = deferred<never>();
  const timer = clock.after(ms, () => late.reject(onTimeout()));
  try {
    return await untilAborted(Promise.race([work, late.promise]), signal);
  } finally {
    timer.dispose();
  }
}

/** Waits for `work` only until `signal` aborts; then fails with its reason, and the work's late answer is dropped. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(abortReason(signal));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The reason of an aborted signal as an Error. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('The operation was cancelled.');
}
