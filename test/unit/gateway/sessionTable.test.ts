import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Emitter } from '../../../src/base/event.ts';
import type { ProcessIdentity, ProcessStanding } from '../../../src/core/config/processIdentity.ts';
import { limits } from '../../../src/core/limits.ts';
import type { EventStream } from '../../../src/gateway/eventStream.ts';
import { LegacySession } from '../../../src/gateway/legacySession.ts';
import { SessionTable } from '../../../src/gateway/sessionTable.ts';
import type { Surface, SurfaceEvent } from '../../../src/gateway/surface.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { settled } from '../../support/settled.ts';

const owner: ProcessIdentity = { pid: 4321, start: '1', boot: 'b', host: 'h', namespace: 'n' };
const { sessions: most, ownerSessions, reap, unused, ownerLook } = limits.gateway;

describe('SessionTable', () => {
  let clock: ManualClock;
  let table: SessionTable;
  let standing: ProcessStanding;
  let judged: ProcessIdentity[];
  beforeEach(() => {
    clock = new ManualClock();
    judged = [];
    standing = 'alive';
    table = new SessionTable({
      clock,
      judge: (who) => {
        judged.push(who);
        return Promise.resolve(standing);
      },
    });
  });
  afterEach(() => table.dispose());

  function add(of?: ProcessIdentity, place = 'here'): LegacySession {
    const session = new LegacySession(surface, initialize, of);
    assert.equal(table.add(session, place, surface), true);
    return session;
  }

  const lives = ({ id }: LegacySession): boolean => table.use(id, 'here') !== undefined;

  it('gives the place of the one that was idle for longest to the next, and none where all are in use [GATE-2h]', () => {
    const all = Array.from({ length: most }, () => add());
    const [first, second, third] = [all[0]!, all[1]!, all[2]!];
    assert.equal(lives(first), true);
    second.attach(stream);
    all.push(add());
    assert.equal(table.size, most);
    assert.deepEqual([first, second, third].map(lives), [true, true, false]);
    for (const session of all) session.attach(stream);
    assert.equal(table.add(new LegacySession(surface, initialize), 'here', surface), false);
    assert.equal(table.size, most);
  });

  it('gives a process that says who it is so many and no more, at the cost of its own idle one, never of another’s [GATE-2h]', () => {
    const other = add();
    const all = Array.from({ length: ownerSessions }, () => add({ ...owner }));
    const next = add({ ...owner });
    assert.deepEqual([other, all[0]!, all[1]!, next].map(lives), [true, false, true, true]);
    for (const session of [...all, next]) session.attach(stream);
    assert.equal(table.add(new LegacySession(surface, initialize, { ...owner }), 'here', surface), false);
    const elsewhere = add({ ...owner, pid: owner.pid + 1 });
    assert.deepEqual([other, next, elsewhere].map(lives), [true, true, true]);
    assert.equal(table.size, ownerSessions + 2);
  });

  it('serves a session at the place where it was opened, and at no other', () => {
    const session = add(undefined, 'there');
    assert.equal(table.use(session.id, 'here'), undefined);
    assert.equal(table.use(session.id, 'there'), session);
  });

  it('ends after half a day what nobody used, and keeps what is in use however long that takes [GATE-2i]', () => {
    const [idle, open, used] = [add(), add(), add()];
    open.attach(stream);
    clock.advance(unused);
    assert.equal(lives(used), true);
    clock.advance(reap);
    assert.deepEqual([idle, open, used].map(lives), [false, true, true]);
  });

  it('ends within the minute what belongs to a process that is gone, and only what certainly does [GATE-2i]', async () => {
    const [owned, free] = [add(owner), add()];
    for (const word of ['alive', 'unknown', 'gone'] as const) {
      standing = word;
      clock.advance(reap);
      await settled();
      assert.deepEqual([owned, free].map(lives), [word !== 'gone', true], word);
    }
    assert.deepEqual(judged, [owner, owner, owner]);
  });

  it('asks nothing of a process that holds a stream open: it is there', async () => {
    const session = add(owner);
    session.attach(stream);
    standing = 'gone';
    clock.advance(10 * reap);
    await settled();
    assert.deepEqual([judged, lives(session)], [[], true]);
    session.detach(stream);
    clock.advance(reap);
    await settled();
    assert.equal(lives(session), false);
  });

  it('looks soon where a connection broke, once for any number of them, and never at one that named no process', async () => {
    const [owned, free] = [add(owner), add()];
    for (const session of [owned, owned, free]) table.suspect(session);
    clock.advance(ownerLook - 1);
    assert.deepEqual(judged, []);
    clock.advance(1);
    await settled();
    assert.deepEqual([judged, lives(owned)], [[owner], true]);
    standing = 'gone';
    table.suspect(owned);
    clock.advance(ownerLook);
    await settled();
    assert.deepEqual([owned, free].map(lives), [false, true]);
  });

  it('keeps a session whose owner cannot be judged', async () => {
    const failing = new SessionTable({ clock, judge: () => Promise.reject(new Error('no such tool')) });
    const session = new LegacySession(surface, initialize, owner);
    failing.add(session, 'here', surface);
    clock.advance(reap);
    await settled();
    assert.equal(failing.use(session.id, 'here'), session);
    failing.dispose();
  });

  it('ends all sessions of a surface, and those alone', () => {
    const other = { ...surface };
    const mine = add();
    const theirs = new LegacySession(other, initialize);
    table.add(theirs, 'here', other);
    table.endAllOf(surface);
    assert.deepEqual([mine, theirs].map(lives), [false, true]);
  });

  it('leaves no timer behind', () => {
    table.suspect(add(owner));
    table.dispose();
    assert.equal(clock.pending, 0);
  });
});

const surface = {
  onEvent: new Emitter<SurfaceEvent>().event,
  setLogLevel: () => Promise.resolve(),
} as unknown as Surface;
const initialize = { kind: 'request', id: 0, method: 'initialize', params: {} } as const;
const stream = { send: () => undefined, end: () => undefined } as unknown as EventStream;
