import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import { ConnectAttempt } from '../../../../src/core/connection/connectAttempt.ts';
import { OnceEvent } from '../../../../src/core/connection/onceEvent.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { ManualClock } from '../../../support/manualClock.ts';

function attempting(ms = 1_000) {
  const clock = new ManualClock();
  const controller = new AbortController();
  const attempt = new ConnectAttempt({ id: 's' as ServerId, clock, ms, signal: controller.signal });
  return { clock, controller, attempt };
}
const forEver = (): Promise<never> => new Promise(() => undefined);
const code = (expected: string) => (error: unknown) => error instanceof ManagerError && error.code === expected;

describe('an attempt to connect', () => {
  it('ends what waits for it at its deadline, whatever that does', async () => {
    const { clock, attempt } = attempting();
    const waiting = attempt.race(forEver());
    clock.advance(1_000);
    await assert.rejects(waiting, code('connectTimeout'));
    assert.throws(() => attempt.assertGoing(), code('connectTimeout'));
    assert.equal(clock.pending, 0);
  });

  it('ends with the caller’s abort, also with one from before', async () => {
    const { controller, attempt } = attempting();
    const waiting = attempt.race(forEver());
    controller.abort();
    await assert.rejects(waiting, code('cancelled'));
    const late = new ConnectAttempt({
      id: 's' as ServerId,
      clock: new ManualClock(),
      ms: 1,
      signal: controller.signal,
    });
    assert.equal(late.isOver(), true);
  });

  it('keeps the reason of a caller that has one', async () => {
    const { controller, attempt } = attempting();
    const waiting = attempt.race(forEver());
    controller.abort(new ManagerError('blockedRemoteOff'));
    await assert.rejects(waiting, code('blockedRemoteOff'));
  });

  it('prefers the abort to a deadline of the same moment', () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    // In the same step of the clock, right before the deadline.
    clock.after(1_000, () => controller.abort());
    const attempt = new ConnectAttempt({ id: 's' as ServerId, clock, ms: 1_000, signal: controller.signal });
    clock.advance(1_000);
    assert.throws(() => attempt.assertGoing(), code('cancelled'));
  });

  it('can be given more time, counted from its start, and never less', async () => {
    const { clock, attempt } = attempting(1_000);
    clock.advance(900);
    attempt.extendTo(500);
    attempt.extendTo(5_000);
    clock.advance(4_099);
    assert.equal(attempt.isOver(), false);
    clock.advance(1);
    assert.throws(
      () => attempt.assertGoing(),
      (error) => error instanceof ManagerError && error.data['seconds'] === 5,
    );
    await Promise.resolve();
  });

  it('does nothing once it was let go', () => {
    const { clock, controller, attempt } = attempting();
    attempt.dispose();
    clock.advance(10_000);
    controller.abort();
    assert.equal(attempt.isOver(), false);
  });
});

describe('an event that happens once', () => {
  it('reaches who came before and who comes after, once each, and nobody who left', async () => {
    const event = new OnceEvent<string>();
    const heard: string[] = [];
    event.event((value) => heard.push(`early ${value}`));
    event.event((value) => heard.push(`left ${value}`)).dispose();
    event.fire('first');
    event.fire('second');
    event.event((value) => heard.push(`late ${value}`));
    event.event((value) => heard.push(`left late ${value}`)).dispose();
    assert.deepEqual(heard, ['early first']);
    await Promise.resolve();
    assert.deepEqual(heard, ['early first', 'late first']);
  });
});
