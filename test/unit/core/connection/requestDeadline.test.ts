import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deadlineTimes, timeoutError } from '../../../../src/core/connection/deadlineTimes.ts';
import { RequestDeadline } from '../../../../src/core/connection/requestDeadline.ts';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import { ManualClock } from '../../../support/manualClock.ts';

describe('the deadline of a request', () => {
  const start = (times: { idle: number; atMost?: number }) => {
    const clock = new ManualClock();
    const expired: number[] = [];
    const deadline = new RequestDeadline(clock, times, (ms) => expired.push(ms));
    return { clock, expired, deadline };
  };

  it('comes after the idle time, once', () => {
    const { clock, expired } = start({ idle: 100 });
    clock.advance(99);
    assert.deepEqual(expired, []);
    clock.advance(1_000);
    assert.deepEqual(expired, [100]);
    assert.equal(clock.pending, 0);
  });

  it('is moved by each progress, but not beyond its maximum [CONN-6e, CONN-6g]', () => {
    const { clock, expired, deadline } = start({ idle: 100, atMost: 250 });
    for (let step = 0; step < 3; step += 1) {
      clock.advance(80);
      deadline.renew();
    }
    assert.deepEqual(expired, []);
    clock.advance(10);
    assert.deepEqual(expired, [250]);
    assert.equal(clock.pending, 0);
  });

  it('stands still while it is paused, and goes on with what was left [CONN-6f]', () => {
    const { clock, expired, deadline } = start({ idle: 100, atMost: 1_000 });
    clock.advance(60);
    deadline.pause();
    deadline.pause();
    clock.advance(500);
    deadline.resume();
    clock.advance(100);
    assert.deepEqual(expired, []);
    deadline.resume();
    clock.advance(39);
    assert.deepEqual(expired, []);
    clock.advance(1);
    assert.deepEqual(expired, [100]);
  });

  it('meets its maximum in a pause too [CONN-6g]', () => {
    const { clock, expired, deadline } = start({ idle: 100, atMost: 300 });
    deadline.pause();
    clock.advance(300);
    assert.deepEqual(expired, [300]);
  });

  for (const idle of [299, 300, 301, 10_000]) {
    it(`meets its maximum of 300 ms though progress renews ${idle} ms again and again [CONN-6g]`, () => {
      const { clock, expired, deadline } = start({ idle, atMost: 300 });
      for (let step = 0; step < 29; step += 1) {
        clock.advance(10);
        deadline.renew();
      }
      assert.deepEqual(expired, []);
      clock.advance(10);
      assert.deepEqual(expired, [300]);
      assert.equal(clock.pending, 0);
    });
  }

  it('starts anew after a progress within a pause', () => {
    const { clock, expired, deadline } = start({ idle: 100 });
    clock.advance(90);
    deadline.pause();
    deadline.renew();
    deadline.resume();
    clock.advance(99);
    assert.deepEqual(expired, []);
    clock.advance(1);
    assert.deepEqual(expired, [100]);
  });

  it('never comes once it was let go', () => {
    const { clock, expired, deadline } = start({ idle: 100, atMost: 200 });
    deadline.dispose();
    deadline.renew();
    clock.advance(1_000);
    assert.deepEqual(expired, []);
    assert.equal(clock.pending, 0);
  });

  it('is at most what a timer can hold', () => {
    const { clock, expired } = start({ idle: Number.MAX_SAFE_INTEGER });
    clock.advance(2 ** 31 - 2);
    assert.deepEqual(expired, []);
    clock.advance(1);
    assert.equal(expired.length, 1);
  });

  it('has the times of its kind, each set per server if wanted [CONN-6d, CONN-6g, CONN-6h, CONN-6i]', () => {
    assert.deepEqual(deadlineTimes('list', {}), { idle: 15_000 });
    assert.deepEqual(deadlineTimes('call', {}), { idle: 600_000, atMost: 3_600_000 });
    assert.deepEqual(deadlineTimes('request', {}), { idle: 30_000 });
    assert.deepEqual(deadlineTimes('list', { list: 7 }), { idle: 7 });
    assert.deepEqual(deadlineTimes('call', { call: 7 }), { idle: 7, atMost: 3_600_000 });
    assert.deepEqual(deadlineTimes('request', { request: 7, call: 9 }), { idle: 7 });
  });

  it('names the tool of a call, and the method of everything else', () => {
    const call = timeoutError('s' as ServerId, 'call', 'tools/call', { name: 'echo' }, 1_500);
    assert.deepEqual([call.code, call.outcome], ['callTimeout', 'unknown']);
    assert.deepEqual(call.data, { server: 's', tool: 'echo', seconds: 1.5 });
    const list = timeoutError('s' as ServerId, 'list', 'tools/list', undefined, 2_000);
    assert.deepEqual([list.code, list.data], ['requestTimeout', { server: 's', method: 'tools/list', seconds: 2 }]);
  });
});
