// Waits for a state that nobody announces, with a deadline.
import { setTimeout as pause } from 'node:timers/promises';
import { patience } from './patience.ts';

/**
 * Polls until `condition` gives a value other than false, null and undefined, and resolves with it.
 * @throws Error after `ms` milliseconds, with the last failure of the condition as its cause.
 */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  ms = patience,
  what = 'the condition',
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + ms;
  let cause: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined) {
        return value as Exclude<T, false | null | undefined>;
      }
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`${what} did not come true within ${ms} ms`, { cause });
    }
    await pause(10);
  }
}
