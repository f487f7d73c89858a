import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import type { Journal } from '../../../../src/core/diagnostics/journal.ts';
import type { JournalEnd, JournalStart } from '../../../../src/core/diagnostics/journalLines.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { JournalledCalls } from '../../../../src/core/tools/journalledCalls.ts';
import { type CallStart, RecentCalls } from '../../../../src/core/tools/recentCalls.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const start: CallStart = {
  server: 'project:/home/me/shop:s' as ServerKey,
  serverId: 's' as ServerId,
  scope: { kind: 'project', folder: '/home/me/shop', name: 'shop' },
  tool: `pay\u202E ${'x'.repeat(300)}`,
  caller: { kind: 'gateway', name: `agent ghp_${'Ab1'.repeat(12)}\n` },
  decision: 'ask',
  answer: 'once',
  argumentSize: 12,
};

describe('JournalledCalls', () => {
  let clock: ManualClock;
  let recent: RecentCalls;
  let written: (JournalStart | JournalEnd)[];
  let isOn: boolean;
  let calls: JournalledCalls;
  let failing: ManagerError | undefined;

  beforeEach(() => {
    clock = new ManualClock();
    recent = new RecentCalls(clock);
    written = [];
    isOn = true;
    failing = undefined;
    const journal: Pick<Journal, 'begin' | 'end' | 'refused'> = {
      begin: (line) => {
        written.push(line);
        return failing === undefined ? Promise.resolve() : Promise.reject(failing);
      },
      end: (line) => void written.push(line),
      refused: (...lines) => void written.push(...lines),
    };
    calls = new JournalledCalls(recent, () => (isOn ? (journal as Journal) : undefined));
  });

  it('waits for nothing and writes nothing while the journal is off', () => {
    isOn = false;
    const end = calls.begin(start);
    assert.ok(!(end instanceof Promise));
    end({ outcome: 'completed' });
    calls.refuse(start, { outcome: 'notSent', code: 'toolDenied' });
    assert.deepEqual([written.length, recent.calls.length], [0, 2]);
  });

  it('writes who, what and how large, harmless and short, and nothing that was said', async () => {
    const end = await calls.begin(start);
    clock.advance(40);
    const careless = { detail: 'what the server said' };
    end({ ...careless, outcome: 'completed', resultSize: 7, isError: true });
    const [{ id, at, tool, callerName, ...first }, { id: same, ...second }] = written as [JournalStart, JournalEnd];
    assert.equal(same, id);
    assert.match(tool, /^pay\[U\+202E\] x+…$/);
    assert.equal(tool.length, 128);
    assert.equal(callerName, 'agent [redacted]⏎');
    assert.deepEqual(first, {
      kind: 'start',
      server: 's',
      scope: 'project',
      folder: '/home/me/shop',
      caller: 'gateway',
      decision: 'ask',
      answer: 'once',
      argumentSize: 12,
    });
    const how = { outcome: 'completed', resultSize: 7, isError: true } as const;
    assert.deepEqual(second, { kind: 'end', at: at + 40, duration: 40, ...how });
  });

  it('has a call among the recent ones once its start is written, and only then', async () => {
    const begun = calls.begin(start);
    assert.equal(recent.calls.length, 0);
    await begun;
    assert.deepEqual(
      recent.calls.map(({ tool }) => tool),
      [start.tool],
    );
    failing = new ManagerError('journalFailed');
    await assert.rejects(Promise.resolve(calls.begin(start)), failing);
    assert.equal(recent.calls.length, 1);
  });

  it('writes the end of a call that began while the journal was on, and of one that never went out', async () => {
    const end = await calls.begin(start);
    isOn = false;
    end({ outcome: 'unknown', code: 'connectionClosed' });
    isOn = true;
    calls.refuse(start, { outcome: 'notSent', code: 'toolDenied' });
    assert.deepEqual(
      written.map((line) => (line.kind === 'start' ? 'start' : `${line.outcome} ${line.code}`)),
      ['start', 'unknown connectionClosed', 'start', 'notSent toolDenied'],
    );
    assert.equal(written[2]?.id, written[3]?.id);
  });

  it('never tells a duration below zero, whatever became of the clock', async () => {
    const end = await calls.begin(start);
    clock.advance(-5_000);
    end({ outcome: 'completed' });
    assert.equal((written[1] as JournalEnd).duration, 0);
  });
});
