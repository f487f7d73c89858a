import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type Stay, WindowSeeker } from '../../../../src/cli/proxy/windowSeeker.ts';
import type { AnnouncedWindow, WindowDescriptor } from '../../../../src/contract/windowDescriptor.ts';
import { limits } from '../../../../src/core/limits.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { restrictedWindow, windowOf } from '../../../support/windowOf.ts';

const folder = path.resolve('/w/a');
const { proxy: times } = limits;

describe('the search for a window', () => {
  let clock: ManualClock;
  let open: AnnouncedWindow[];
  let useless: WindowDescriptor[];
  let silent: WindowDescriptor[];
  let isBusy: boolean;
  let said: string[];
  let ended: AbortController;
  let seeker: WindowSeeker<Stay>;
  const never = new AbortController().signal;

  beforeEach(() => {
    clock = new ManualClock();
    [open, useless, silent, said, isBusy, ended] = [[], [], [], [], false, new AbortController()];
    seeker = new WindowSeeker<Stay>({
      ...{ clock, folder, ended: ended.signal },
      windows: () => Promise.resolve([...open]),
      attach: (window) => {
        said.push(`to ${window.process.pid}`);
        if (useless.includes(window)) return Promise.resolve(undefined);
        if (silent.includes(window)) return new Promise(() => undefined);
        const leave = ({ farewell }: { farewell: boolean }): Promise<void> => {
          said.push(`${farewell ? 'farewell' : 'lost'} ${window.process.pid}`);
          return Promise.resolve();
        };
        return Promise.resolve({ window, wasAlive: true, leave });
      },
      isBusy: () => isBusy,
      onAttached: () => undefined,
      onRefused: () => said.push('refused'),
    });
  });
  afterEach(() => ended.abort());

  const pidOf = (stay: Stay | undefined): number | undefined => stay?.window.process.pid;

  it('says at once that there is none, and finds the one that opens', async () => {
    assert.equal(await seeker.reach(never), undefined);
    open.push(windowOf(1, [folder]));
    assert.equal(pidOf(await seeker.reach(never)), 1);
    assert.equal(pidOf(await seeker.reach(never)), 1);
    assert.deepEqual(said, ['to 1']);
  });

  it('looks once for all who ask at the same time', async () => {
    open.push(windowOf(1, [folder]));
    const stays = await Promise.all([1, 2, 3].map(() => seeker.reach(never)));
    assert.deepEqual([stays.map(pidOf), said], [[1, 1, 1], ['to 1']]);
  });

  it('waits for a while after one was lost, and takes a farther one only after a shorter while', async () => {
    open.push(windowOf(1, [folder]));
    const stay = await seeker.reach(never);
    open = [windowOf(2, [])];
    seeker.lose(stay!, { avoid: false });
    const next = seeker.reach(never);
    const begun = clock.now();
    assert.equal(pidOf(await clock.during(next, () => 100)), 2);
    assert.ok(clock.now() - begun >= times.near && clock.now() - begun < times.near + 1_000);
    seeker.lose((await next)!, { avoid: false });
    open = [];
    const lostAt = clock.now();
    assert.equal(await clock.during(seeker.reach(never), () => 100), undefined);
    assert.ok(clock.now() - lostAt >= times.window);
    // And not again.
    assert.equal(await seeker.reach(never), undefined);
  });

  it('leaves a window alone for a while that does not answer as one', async () => {
    const [bad, good] = [windowOf(1, [folder]), windowOf(2, [])];
    open.push(bad, good);
    useless.push(bad);
    assert.equal(await seeker.reach(never), undefined);
    assert.equal(pidOf(await seeker.reach(never)), 2);
    assert.deepEqual(said, ['to 1', 'to 2']);
  });

  it('goes to a nearer one while nothing is under way, and says farewell to the other', async () => {
    open.push(windowOf(1, []));
    const running = seeker.run();
    assert.equal(pidOf(await seeker.reach(never)), 1);
    open.push(windowOf(2, [folder]));
    isBusy = true;
    const pause = (ms: number): Promise<void> =>
      clock.during(new Promise((resolve) => clock.after(ms, resolve)), () => 500);
    await pause(2 * times.nearer);
    assert.equal(pidOf(seeker.attachment), 1);
    isBusy = false;
    await pause(2 * times.nearer);
    assert.equal(pidOf(seeker.attachment), 2);
    assert.deepEqual(said, ['to 1', 'to 2', 'farewell 1']);
    ended.abort();
    await running;
    assert.equal(clock.pending, 0);
  });

  it('goes nowhere while the nearest is in Restricted Mode, says so once, and goes there once it serves', async () => {
    open.push(windowOf(1, []), restrictedWindow(2, [folder]));
    for (let time = 0; time < 2; time += 1) assert.equal(await seeker.reach(never), undefined);
    assert.deepEqual([said, seeker.isRefused, clock.pending], [['refused'], true, 0]);
    open = [windowOf(1, []), windowOf(2, [folder])];
    assert.equal(pidOf(await seeker.reach(never)), 2);
    assert.deepEqual([said, seeker.isRefused], [['refused', 'to 2'], false]);
  });

  it('leaves its window at once where a nearer one in Restricted Mode opens, whatever is under way', async () => {
    open.push(windowOf(1, []));
    void seeker.run();
    assert.equal(pidOf(await seeker.reach(never)), 1);
    isBusy = true;
    open.push(restrictedWindow(2, [folder]));
    await clock.during(new Promise<void>((resolve) => clock.after(2 * times.nearer, resolve)), () => 500);
    assert.equal(seeker.attachment, undefined);
    assert.equal(await seeker.reach(never), undefined);
    assert.deepEqual(said, ['to 1', 'lost 1', 'refused']);
  });

  it('lets nobody wait for a window that says nothing: neither beyond the time of a request, nor after it', async () => {
    const mute = windowOf(1, [folder]);
    open.push(mute);
    silent.push(mute);
    const request = new AbortController();
    const cancelled = seeker.reach(request.signal);
    const patient = seeker.reach(never);
    request.abort();
    assert.equal(await cancelled, undefined);
    const begun = clock.now();
    assert.equal(await clock.during(patient, () => 500), undefined);
    assert.ok(clock.now() - begun <= times.window + 1_000);
    assert.deepEqual([said, clock.pending], [['to 1'], 0]);
  });

  it('ends a wait with the request that waits', async () => {
    open.push(windowOf(1, [folder]));
    seeker.lose((await seeker.reach(never))!, { avoid: true });
    const request = new AbortController();
    const waiting = seeker.reach(request.signal);
    request.abort();
    assert.equal(await waiting, undefined);
    assert.equal(clock.pending, 0);
  });
});
