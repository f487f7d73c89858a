import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../../src/base/deferred.ts';
import type { ProcessInfo, StopSignal } from '../../../../src/core/transport/processTable.ts';
import { ladderTimes, stopTree } from '../../../../src/core/transport/shutdownLadder.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const times = { toTerminate: 200, toKill: 800, sweep: 1000 };

const entry = (pid: number): ProcessInfo => ({ pid, ppid: 1, group: 1, session: 1, start: 1, zombie: false });

/** A tree of the root (pid 100) and others; what ends whom is said by the test. */
function stopping(
  others: number[],
  on: { endOfInput?: number[]; terminate?: number[]; kill?: number[]; killRoot?: number[] },
  {
    lateBy,
    hides = [],
    forks = 0,
    missesOnce,
  }: { lateBy?: number; hides?: number[]; forks?: number; missesOnce?: number } = {},
) {
  const clock = new ManualClock();
  const living = new Set([100, ...others]);
  const rootEnded = deferred<undefined>();
  const steps: string[] = [];
  const end = (pids: readonly number[] = []): void => {
    for (const pid of pids) living.delete(pid);
    if (living.has(100)) return;
    // Late: some time after the last rung has looked.
    if (lateBy === undefined) rootEnded.resolve(undefined);
    else clock.after(800 + lateBy, () => rootEnded.resolve(undefined));
  };
  const list = (): Promise<ProcessInfo[]> =>
    Promise.resolve([...living].filter((pid) => !hides.includes(pid)).map(entry));
  const outcome = stopTree({
    clock,
    times,
    rootEnded: rootEnded.promise,
    killRoot: () => {
      steps.push(`killRoot at ${clock.now()}`);
      end(on.killRoot);
    },
    endStdin: () => {
      steps.push(`endOfInput at ${clock.now()}`);
      end(on.endOfInput);
    },
    tree: {
      findsOrphansLate: false,
      scan: () => {
        steps.push('scan');
        const missed = steps.includes('endOfInput at 0') ? missesOnce : undefined;
        if (missed !== undefined) missesOnce = undefined;
        return list().then((found) => found.filter(({ pid }) => pid !== missed));
      },
      alive: list,
      signal: (members: readonly ProcessInfo[], signal: StopSignal) => {
        steps.push(`${signal} ${members.map(({ pid }) => pid).join(',')} at ${clock.now()}`);
        end(on[signal]);
        for (const { pid } of signal === 'kill' && forks > 0 ? members : []) {
          // It has started the next one before it is hit.
          living.delete(pid);
          living.add(pid + 1);
          forks -= 1;
        }
        return Promise.resolve();
      },
    },
  });
  /** Moves time on until the ladder has settled. */
  const run = async (): Promise<Awaited<typeof outcome>> => {
    const state = { settled: false };
    void outcome.finally(() => (state.settled = true));
    for (let turn = 0; turn < 10_000; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (state.settled) break;
      clock.advance(1);
    }
    return outcome;
  };
  return { clock, steps, run, signals: () => steps.filter((step) => step !== 'scan') };
}

describe('stopTree', () => {
  it('looks at the tree before it ends stdin, and signals nobody when that is enough', async () => {
    const ladder = stopping([101], { endOfInput: [100, 101] });
    assert.deepEqual(await ladder.run(), { rung: 'endOfInput', left: [], rootPending: false });
    assert.deepEqual(ladder.steps.slice(0, 2), ['scan', 'endOfInput at 0']);
    assert.deepEqual(ladder.signals(), ['endOfInput at 0']);
    assert.ok(ladder.clock.now() < 10);
  });

  it('asks what is left after the first time, not before', async () => {
    const ladder = stopping([101], { endOfInput: [100], terminate: [101] });
    assert.deepEqual(await ladder.run(), { rung: 'terminate', left: [], rootPending: false });
    assert.deepEqual(ladder.signals(), ['endOfInput at 0', 'terminate 101 at 200']);
  });

  it('asks the root and all others at once when stdin was not enough', async () => {
    const ladder = stopping([101], { terminate: [100, 101] });
    assert.deepEqual(await ladder.run(), { rung: 'terminate', left: [], rootPending: false });
    assert.deepEqual(ladder.signals(), ['endOfInput at 0', 'terminate 100,101 at 200']);
  });

  it('kills what is left after the second time', async () => {
    const ladder = stopping([101], { terminate: [100], kill: [101] });
    assert.deepEqual(await ladder.run(), { rung: 'kill', left: [], rootPending: false });
    assert.deepEqual(ladder.signals(), ['endOfInput at 0', 'terminate 100,101 at 200', 'kill 101 at 1000']);
  });

  it('waits until the exit of the direct child was read, which shows late on a busy machine', async () => {
    const ladder = stopping([], { terminate: [100] }, { lateBy: 50 });
    assert.deepEqual(await ladder.run(), { rung: 'terminate', left: [], rootPending: false });
    assert.equal(ladder.clock.now(), 1050);
  });

  it('is not done while the end of the direct child is pending, whatever the listing shows', async () => {
    const hidden = stopping([], { killRoot: [100] }, { hides: [100] });
    assert.deepEqual(await hidden.run(), { rung: 'kill', left: [], rootPending: false });
    assert.deepEqual(hidden.signals(), ['endOfInput at 0', 'killRoot at 1200']);
    const immortal = stopping([], {}, { hides: [100] });
    assert.equal((await immortal.run()).rootPending, true);
  });

  it('believes that nothing is left only when two listings say so', async () => {
    const ladder = stopping([101], { endOfInput: [100], terminate: [101] }, { missesOnce: 101 });
    assert.deepEqual(await ladder.run(), { rung: 'terminate', left: [], rootPending: false });
    assert.deepEqual(ladder.signals(), ['endOfInput at 0', 'terminate 101 at 200']);
  });

  it('kills again and again what starts another one before it is hit', async () => {
    const ladder = stopping([101], { terminate: [100], kill: [105] }, { forks: 4 });
    assert.deepEqual(await ladder.run(), { rung: 'kill', left: [], rootPending: false });
    const killed = ladder.signals().flatMap((step) => /^kill (\d+)/.exec(step)?.[1] ?? []);
    assert.deepEqual(killed, ['101', '102', '103', '104', '105']);
  });

  it('gives up on what cannot be killed at its last deadline, and names it', async () => {
    const ladder = stopping([101], { kill: [100] });
    const outcome = await ladder.run();
    assert.equal(outcome.rung, 'kill');
    assert.deepEqual(
      outcome.left.map(({ pid }) => pid),
      [101],
    );
    assert.ok(ladder.clock.now() >= 2000 && ladder.clock.now() < 2100, String(ladder.clock.now()));
  });
});

describe('ladderTimes', () => {
  it('keeps the ratio of the rungs when the whole time is changed', () => {
    assert.deepEqual(ladderTimes(undefined), { toTerminate: 200, toKill: 800, sweep: 1000 });
    assert.deepEqual(ladderTimes(2000), { toTerminate: 400, toKill: 1600, sweep: 1000 });
    assert.deepEqual(ladderTimes(60_000), { toTerminate: 500, toKill: 2000, sweep: 1000 });
    assert.deepEqual(ladderTimes(0), { toTerminate: 0, toKill: 0, sweep: 1000 });
  });
});
