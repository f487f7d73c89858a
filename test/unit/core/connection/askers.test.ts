import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Askers } from '../../../../src/core/connection/askers.ts';
import { limits } from '../../../../src/core/limits.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { settled } from '../../../support/settled.ts';

const { signal } = new AbortController();
const { yieldAfter, contend, held, afterCancel } = limits.serverRequests;

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

  it('means the one conversation with a request open, and where the wire names a request, whose that is', async () => {
    const { askers, one, two } = asked();
    assert.equal(await askers.meant(undefined, signal), undefined);
    askers.follow(1, one);
    askers.follow(2, one);
    assert.equal(await askers.meant(undefined, signal), one);
    askers.follow(3, two);
    assert.equal(await askers.meant(3, signal), two);
    assert.equal(await askers.meant(9, signal), undefined);
  });

  it('holds a question that two could be meant by, until one of them is left', async () => {
    const { askers, one, two, three } = asked();
    const first = askers.follow(1, one);
    const second = askers.follow(2, two);
    const meant = told(askers.meant(undefined, signal));
    await settled();
    assert.deepEqual(meant, []);
    // Sent after the question: it is none of these requests'.
    askers.follow(3, three);
    second.dispose();
    await settled();
    assert.deepEqual(meant, [one]);
    const next = told(askers.meant(undefined, signal));
    first.dispose();
    await settled();
    assert.deepEqual(next, [three]);
  });

  it('gives a question to nobody in the end that cannot be told, and ends its wait with the question', async () => {
    const { clock, askers, one, two } = asked();
    askers.follow(1, one);
    askers.follow(2, two);
    const meant = told(askers.meant(undefined, signal));
    clock.advance(held - 1);
    await settled();
    assert.deepEqual(meant, []);
    clock.advance(1);
    await settled();
    assert.deepEqual(meant, [undefined]);
    const withdrawn = new AbortController();
    const other = askers.meant(undefined, withdrawn.signal);
    withdrawn.abort();
    await assert.rejects(other);
  });

  it('takes a request of our own for one that a question may come from', async () => {
    const { askers, one } = asked();
    const own = askers.follow(1);
    askers.follow(2, one);
    const meant = told(askers.meant(undefined, signal));
    await settled();
    assert.deepEqual(meant, []);
    own.dispose();
    await settled();
    assert.deepEqual(meant, [one]);
  });

  it('takes a cancelled request for one that may ask for a while, and gives nobody what it asks', async () => {
    const { clock, askers, one, two } = asked();
    const cancelled = askers.follow(1, one);
    askers.abandon(1);
    cancelled.dispose();
    assert.equal(await askers.meant(undefined, signal), undefined);
    askers.follow(2, two);
    const meant = told(askers.meant(undefined, signal));
    clock.advance(afterCancel - 1);
    await settled();
    assert.deepEqual(meant, []);
    clock.advance(1);
    await settled();
    assert.deepEqual(meant, [two]);
  });

  it('lets the next one go while a request waits long for its answer, and guesses nothing that is asked then', async () => {
    const { clock, askers, one, two } = asked();
    const turn = await askers.turn(one.identity, signal);
    const first = askers.follow(1, one);
    askers.asks(one);
    const gone = told(askers.turn(two.identity, signal));
    clock.advance(yieldAfter - 1);
    await settled();
    assert.deepEqual(gone, []);
    clock.advance(1);
    await settled();
    assert.equal(gone.length, 1);
    const second = askers.follow(2, two);
    // Of the first one, which asks on while its question is open, or of the second: nothing says which.
    const meant = told(askers.meant(undefined, signal));
    await settled();
    assert.deepEqual(meant, []);
    second.dispose();
    await settled();
    assert.deepEqual(meant, [one]);
    first.dispose();
    turn.dispose();
  });

  it('lets a request whose client is away give way to the question of another, once it does', async () => {
    const { clock, askers, one, two } = asked();
    let away = false;
    const first = askers.follow(1, { ...one, giveWay: () => away });
    askers.follow(2, two);
    const meant = told(askers.meant(undefined, signal));
    clock.advance(contend);
    await settled();
    assert.deepEqual(meant, []);
    away = true;
    clock.advance(contend);
    // Its request ends, and for a while it could ask all the same.
    askers.abandon(1);
    first.dispose();
    await settled();
    assert.deepEqual(meant, []);
    clock.advance(afterCancel);
    await settled();
    assert.deepEqual(meant, [two]);
  });

  it('lets others go at once beside one whose client is away', async () => {
    const { clock, askers, one, two } = asked();
    await askers.turn(one.identity, signal);
    askers.asks({ ...one, giveWay: () => false });
    const gone = told(askers.turn(two.identity, signal));
    clock.advance(0);
    await settled();
    assert.equal(gone.length, 1);
  });

  it('asks the request of a conversation that is open, not the one that it cancelled before', async () => {
    const { askers, one } = asked();
    const first = askers.follow(1, one);
    askers.abandon(1);
    first.dispose();
    const next = { ...one };
    askers.follow(2, next);
    assert.equal(await askers.meant(undefined, signal), next);
  });

  it('lets nobody new go once it is answered', async () => {
    const { clock, askers, one, two, three } = asked();
    const first = await askers.turn(one.identity, signal);
    const question = askers.asks(one);
    clock.advance(yieldAfter);
    const second = await askers.turn(two.identity, signal);
    question.dispose();
    const gone = told(askers.turn(three.identity, signal));
    second.dispose();
    await settled();
    assert.deepEqual(gone, []);
    first.dispose();
    await settled();
    assert.equal(gone.length, 1);
  });

  it('keeps the turn of a conversation that has another request, which may ask as well', async () => {
    const { clock, askers, one, two } = asked();
    await askers.turn(one.identity, signal);
    await askers.turn(one.identity, signal);
    askers.asks(one);
    const gone = told(askers.turn(two.identity, signal));
    clock.advance(yieldAfter);
    await settled();
    assert.deepEqual(gone, []);
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

/** What a promise gave, once it did. */
function told<T>(promise: Promise<T>): T[] {
  const values: T[] = [];
  void promise.then((value) => values.push(value));
  return values;
}
