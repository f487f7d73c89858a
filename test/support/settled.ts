import { setImmediate } from 'node:timers/promises';

/** Lets everything that waits for no timer and no outside come to its end: promises, and work that is cut in slices. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}
