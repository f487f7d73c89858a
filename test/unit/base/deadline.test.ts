import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'mocha';
import { untilAborted, withDeadline } from '../../../src/base/deadline.ts';
import { deferred } from '../../../src/base/deferred.ts';
import { ManualClock } from '../../support/manualClock.ts';

describe('withDeadline', () => {
  it('gives the answer of work that ends in time', async () => {
    const clock = new ManualClock();
    const work = deferred<number>();
    const waiting = withDeadline(work.promise, { ms: 100, clock, onTimeout: () => new Error('late') });
    work.resolve(7);
    assert.equal(await waiting, 7);
    assert.equal(clock.pending, 0);
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

describe('untilAborted', () => {
  it('gives what the work ends with, good or bad, and leaves nothing on the signal', async () => {
    const { signal } = new AbortController();
    const failure = new Error('the work failed');
    assert.equal(await untilAborted(Promise.resolve(7), signal), 7);
    await assert.rejects(untilAborted(Promise.reject(failure), signal), failure);
    await Promise.resolve();
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  it('fails with the reason as soon as the signal aborts, and drops the late failure of the work', async () => {
    const controller = new AbortController();
    const work = deferred<number>();
    const waiting = untilAborted(work.promise, controller.signal);
    const reason = new Error('given up');
    controller.abort(reason);
    await assert.rejects(waiting, reason);
    work.reject(new Error('dropped'));
  });

  it('fails at once when the signal was aborted before, whatever the work does', async () => {
    const reason = new Error('given up');
    await assert.rejects(untilAborted(Promise.resolve(7), AbortSignal.abort(reason)), reason);
    await assert.rejects(untilAborted(new Promise(() => undefined), AbortSignal.abort(reason)), reason);
  });

  it('makes an Error of a reason that is none', async () => {
    await assert.rejects(untilAborted(new Promise(() => undefined), AbortSignal.abort('because')), {
      name: 'Error',
      message: 'The operation was cancelled.',
    });
  });

  it('is the work itself where nothing can be aborted', async () => {
    const work = Promise.resolve(7);
    assert.equal(untilAborted(work, undefined), work);
    await work;
  });
});
