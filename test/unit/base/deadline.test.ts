import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withDeadline } from '../../../src/base/deadline.ts';
import { deferred } from '../../../src/base/deferred.ts';
import { ManualClock } from '../../support/manualClock.ts';

describe('withDeadline', () => {
  it('gives the answer of work that ends in time', async () => {
    const clock = new ManualClock();
    const work = deferred<number>();
    const waiting = withDeadline(work.promise, { ms: 100, clock, onTimeout: () => new Error('late') });
    work.resolve(7);
    assert.equal(await waiting, 7);
  });

  it('fails with the given error when the work takes too long, and drops its late failure', async () => {
    const clock = new ManualClock();
    const work = deferred<number>();
    const waiting = withDeadline(work.promise, { ms: 100, clock, onTimeout: () => new Error('late') });
    clock.advance(99);
    clock.advance(1);
    work.reject(new Error('dropped'));
    await assert.rejects(waiting, { message: 'late' });
  });

  it('lets an abort win over a time-out', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const waiting = withDeadline(new Promise<never>(() => undefined), {
      ms: 100,
      clock,
      signal: controller.signal,
      onTimeout: () => new Error('late'),
    });
    controller.abort(new Error('given up'));
    clock.advance(100);
    await assert.rejects(waiting, { message: 'given up' });
  });

  it('ends at once when the signal was aborted before', async () => {
    const waiting = withDeadline(new Promise<never>(() => undefined), {
      ms: 100,
      clock: new ManualClock(),
      signal: AbortSignal.abort(new Error('given up')),
      onTimeout: () => new Error('late'),
    });
    await assert.rejects(waiting, { message: 'given up' });
  });
});
