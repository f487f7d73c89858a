import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { watchIdle } from '../../../src/keeper/idleWatch.ts';
import { ManualClock } from '../../support/manualClock.ts';

describe('the idle time of the keeper', () => {
  function watched(idle: number) {
    const clock = new ManualClock();
    const world = { clock, isUsed: false, ends: 0, watch: { dispose: (): void => undefined } };
    world.watch = watchIdle({ clock, idle, isUsed: () => world.isUsed, end: () => (world.ends += 1) });
    return world;
  }

  it('runs from its start, and ends it once', () => {
    const world = watched(60_000);
    world.clock.advance(59_000);
    assert.equal(world.ends, 0);
    world.clock.advance(600_000);
    assert.deepEqual([world.ends, world.clock.pending], [1, 0]);
  });

  it('begins anew whenever somebody was there', () => {
    const world = watched(60_000);
    world.isUsed = true;
    world.clock.advance(3_600_000);
    world.isUsed = false;
    world.clock.advance(59_000);
    assert.equal(world.ends, 0);
    world.isUsed = true;
    world.clock.advance(10_000);
    world.isUsed = false;
    world.clock.advance(50_000);
    assert.equal(world.ends, 0);
    world.clock.advance(20_000);
    assert.equal(world.ends, 1);
  });

  it('leaves no timer behind', () => {
    const world = watched(60_000);
    world.watch.dispose();
    world.clock.advance(600_000);
    assert.deepEqual([world.ends, world.clock.pending], [0, 0]);
  });
});
