import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Askers } from '../../../../src/core/connection/askers.ts';
import { limits } from '../../../../src/core/limits.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { settled } from '../../../support/settled.ts';

const { signal } = new AbortController();
const { together, goOn } = limits.serverRequests;

/** Three conversations at a server that has asked before without saying during which request. */
function asked() {
  const clock = new ManualClock();
  const askers = new Askers(clock);
  askers.noteQuestion();
  return { clock, askers, one: { identity: {} }, two: { identity: {} }, three: { identity: {} } };
}

describe('Askers', () => {
  it('lets one conversation at a time go, in the order in which they came', async () => {
    const { askers, one, two, three } = asked();
    const first = await askers.turn(one.identity, signal);
    const order: string[] = [];
    const second = askers.turn(two.identity, signal).then((turn) => (order.push('two'), turn));
    const third = askers.turn(three.identity, signal).then((turn) => (order.push('three'), turn));
    await settled();
    assert.deepEqual(order, []);
    first.dispose();
    await settled();
    assert.deepEqual(order, ['two']);
    (await second).dispose();
    (await third).dispose();
    assert.deepEqual(order, ['two', 'three']);
  });

  it('means the one conversation with a request open, and nobody where there are two', () => {
    const { askers, one, two } = asked();
    askers.follow(1, one);
    assert.equal(askers.meant(undefined), one);
    const other = askers.follow(2, two);
    assert.equal(askers.meant(undefined), undefined);
    assert.equal(askers.meant(2), two);
    other.dispose();
    assert.equal(askers.meant(undefined), one);
  });

  it('lets the next one go while a request waits for its answer, and gives it its own questions', async () => {
    const { clock, askers, one, two } = asked();
    await askers.turn(one.identity, signal);
    askers.follow(1, one);
    askers.asks(one.identity);
    const second = askers.turn(two.identity, signal);
    clock.advance(together - 1);
    await settled();
    // What the first one asks together with its first question still has one reading.
    assert.equal(askers.meant(undefined), one);
    clock.advance(1);
    await second;
    askers.follow(2, two);
    assert.equal(askers.meant(undefined), two);
  });

  it('keeps the turn of a conversation that has another request, which may ask as well', async () => {
    const { clock, askers, one, two } = asked();
    await askers.turn(one.identity, signal);
    await askers.turn(one.identity, signal);
    askers.asks(one.identity);
    let gone = false;
    void askers.turn(two.identity, signal).then(() => (gone = true));
    clock.advance(together);
    await settled();
    assert.equal(gone, false);
  });

  it('gives an answer on when the turn is back, before anybody new gets one', async () => {
    const { clock, askers, one, two, three } = asked();
    await askers.turn(one.identity, signal);
    askers.follow(1, one);
    const answered = askers.asks(one.identity);
    clock.advance(together);
    const second = await askers.turn(two.identity, signal);
    const order: string[] = [];
    void askers.turn(three.identity, signal).then(() => order.push('three'));
    void answered().then(() => order.push('one'));
    await settled();
    assert.deepEqual(order, []);
    second.dispose();
    await settled();
    assert.deepEqual(order, ['one']);
    assert.equal(askers.meant(undefined), one);
  });

  it('gives an answer on beside another conversation in the end, and then guesses nothing', async () => {
    const { clock, askers, one, two } = asked();
    await askers.turn(one.identity, signal);
    askers.follow(1, one);
    const answered = askers.asks(one.identity);
    clock.advance(together);
    await askers.turn(two.identity, signal);
    askers.follow(2, two);
    const back = answered();
    clock.advance(goOn - 1);
    assert.equal(askers.meant(undefined), two);
    clock.advance(1);
    await back;
    assert.equal(askers.meant(undefined), undefined);
  });

  it('lets nobody go any more at a server that asks on while it waits', async () => {
    const { clock, askers, one, two, three } = asked();
    for (const [exchange, who] of [one, two].entries()) {
      await askers.turn(who.identity, signal);
      askers.follow(exchange, who);
      askers.asks(who.identity);
      clock.advance(together);
    }
    assert.equal(askers.meant(undefined), undefined);
    askers.asks(two.identity);
    clock.advance(together);
    const third = await askers.turn(three.identity, signal);
    askers.asks(three.identity);
    let gone = false;
    void askers.turn({}, signal).then(() => (gone = true));
    clock.advance(together);
    await settled();
    assert.equal(gone, false);
    third.dispose();
    await settled();
    assert.equal(gone, true);
  });

  it('forgets who was cancelled while waiting', async () => {
    const { askers, one, two, three } = asked();
    const first = await askers.turn(one.identity, signal);
    const cancelled = new AbortController();
    const second = askers.turn(two.identity, cancelled.signal);
    const third = askers.turn(three.identity, signal);
    cancelled.abort();
    await assert.rejects(second);
    first.dispose();
    await third;
  });
});
