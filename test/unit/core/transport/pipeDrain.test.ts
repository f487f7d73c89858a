import assert from 'node:assert/strict';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { describe, it } from 'mocha';
import { limits } from '../../../../src/core/limits.ts';
import { whenDrained } from '../../../../src/core/transport/pipeDrain.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const { drainQuiet, drainAtMost } = limits.stdio;

function draining() {
  const clock = new ManualClock();
  const child = Object.assign(new EventEmitter(), { stdout: new EventEmitter(), stderr: new EventEmitter() });
  const ends: number[] = [];
  whenDrained(child as unknown as ChildProcessWithoutNullStreams, clock, () => ends.push(clock.now()));
  /** Moves time on and lets what waits for another turn of the loop happen. */
  const wait = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, child, ends, wait };
}

describe('whenDrained', () => {
  it('is at once when the pipes have ended', () => {
    const { child, clock, ends } = draining();
    child.emit('close');
    assert.deepEqual([ends, clock.pending], [[0], 0]);
    assert.equal(child.stdout.listenerCount('data'), 0);
  });

  it('is after a silence where another process holds the pipes', async () => {
    const { ends, wait } = draining();
    await wait(drainQuiet - 1);
    assert.deepEqual(ends, []);
    await wait(1);
    assert.deepEqual(ends, [drainQuiet]);
  });

  it('waits for another silence after each chunk', async () => {
    const { child, ends, wait } = draining();
    await wait(drainQuiet - 1);
    child.stderr.emit('data');
    await wait(1);
    assert.deepEqual(ends, []);
    await wait(drainQuiet);
    assert.deepEqual(ends, [2 * drainQuiet]);
  });

  it('counts a chunk that was waiting behind a late timer', async () => {
    const { child, clock, ends, wait } = draining();
    clock.advance(drainQuiet);
    child.stdout.emit('data');
    await wait(0);
    assert.deepEqual(ends, []);
    await wait(drainQuiet);
    assert.deepEqual(ends, [2 * drainQuiet]);
  });

  it('does not wait for ever for pipes that are never silent', async () => {
    const { child, ends, wait } = draining();
    for (let ms = 0; ms < 2 * drainAtMost; ms += 10) {
      child.stdout.emit('data');
      await wait(10);
    }
    assert.deepEqual(ends, [drainAtMost]);
  });
});
