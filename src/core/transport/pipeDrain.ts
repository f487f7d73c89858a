// When a process has ended, what it wrote may still lie in its pipes, and another process may hold their other ends
// open for ever. Waits until the pipes end or were silent for a while, and not longer than the last deadline.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../limits.ts';

/** Calls `done` once when everything that the ended child wrote was read. */
export function whenDrained(child: ChildProcessWithoutNullStreams, clock: Clock, done: () => void): void {
  const { drainQuiet, drainAtMost } = limits.stdio;
  let heard = false;
  const listen = (): void => void (heard = true);
  const finish = (): void => {
    quiet.dispose();
    latest.dispose();
    child.stdout.off('data', listen);
    child.stderr.off('data', listen);
    child.off('close', finish);
    done();
  };
  const look = (): void => {
    // A timer that is late comes before what arrived meanwhile; after one more turn that has been read too.
    setImmediate(() => {
      if (!heard) finish();
      else arm();
    });
  };
  const arm = (): void => {
    heard = false;
    quiet = clock.after(drainQuiet, look);
  };
  let quiet = clock.after(drainQuiet, look);
  const latest = clock.after(drainAtMost, finish);
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  child.once('close', finish);
}
