import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { endLeftovers } from '../../../../src/core/guard/endLeftovers.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { ProcessInfo, ProcessTable } from '../../../../src/core/transport/processTable.ts';
import { eventually } from '../../../support/eventually.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const uuid = '01234567-89ab-4cde-8f01-23456789abcd';
const one: ProcessInfo = { pid: 100, ppid: 1, group: 100, session: 100, start: 50, zombie: false };

describe('The end of what a dead owner left', () => {
  it('is asked for, then forced, within five seconds together with what the guard waits for', async () => {
    const signals: [string, number][] = [];
    const clock = new ManualClock();
    const begin = clock.now();
    let processes = [one];
    const table: ProcessTable = {
      keepsParents: false,
      own: { pid: 10, start: 5 },
      namespace: 0,
      knowsOwnStart: true,
      now: () => 1000,
      latest: () => 1000,
      list: () => Promise.resolve(processes),
      marked: () => Promise.resolve(new Set()),
      marks: (of) => Promise.resolve(new Map(of.map(({ pid }) => [pid, [`9.1.0.${uuid}`]]))),
      alive: (of) => Promise.resolve(of.filter(({ pid }) => processes.some((each) => each.pid === pid))),
      signal: (_targets, signal) => {
        signals.push([signal, clock.now() - begin]);
        if (signal === 'kill') processes = [];
        return Promise.resolve();
      },
    };
    const ending = endLeftovers({ owners: [{ pid: 9, start: 1, namespace: 0 }], roots: [], fresh: true }, table, clock);
    let ended = false;
    void ending.then(() => (ended = true));
    await eventually(() => {
      if (!ended) clock.advance(10);
      return ended;
    });
    assert.deepEqual(await ending, { found: 1, left: [] });
    assert.deepEqual(
      signals.map(([signal]) => signal),
      ['terminate', 'kill'],
    );
    const { die, toTerminate, toKill, sweep } = limits.guard;
    assert.equal(signals[1]![1] - signals[0]![1] >= toKill, true);
    assert.equal(die + toTerminate + toKill + sweep < 5_000, true);
  });
});
