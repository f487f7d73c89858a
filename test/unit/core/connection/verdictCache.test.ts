import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Verdict, VerdictCache } from '../../../../src/core/connection/verdictCache.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import { ManualClock } from '../../../support/manualClock.ts';

describe('the cache of verdicts', () => {
  const legacy: Verdict = { kind: 'legacy' };
  const key = (name: string): LaunchFingerprint => name as LaunchFingerprint;

  it('keeps one verdict a launch for 24 hours', () => {
    const clock = new ManualClock();
    const cache = new VerdictCache(clock);
    cache.keep(key('a'), legacy);
    assert.equal(cache.get(key('b')), undefined);
    clock.advance(24 * 3_600_000 - 1);
    assert.equal(cache.get(key('a')), legacy);
    clock.advance(1);
    assert.equal(cache.get(key('a')), undefined);
  });

  it('counts from the newest verdict and forgets on demand', () => {
    const clock = new ManualClock();
    const cache = new VerdictCache(clock);
    cache.keep(key('a'), legacy);
    clock.advance(20 * 3_600_000);
    cache.keep(key('a'), legacy);
    clock.advance(20 * 3_600_000);
    assert.equal(cache.get(key('a')), legacy);
    cache.forget(key('a'));
    assert.equal(cache.get(key('a')), undefined);
  });

  it('drops the oldest when it is full', () => {
    const cache = new VerdictCache(new ManualClock());
    for (let count = 0; count <= limits.probe.verdictsKept; count += 1) cache.keep(key(String(count)), legacy);
    assert.equal(cache.get(key('0')), undefined);
    assert.equal(cache.get(key('1')), legacy);
  });
});
