import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import type { JournalledCall } from '../../../../src/core/diagnostics/readJournal.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { RecordedCall } from '../../../../src/core/tools/recentCalls.ts';
import { callOutcome } from '../../../../src/vscode/calls/callOutcome.ts';
import { callsView, serverLabel } from '../../../../src/vscode/calls/callsView.ts';
import { english } from '../../../../src/vscode/translate.ts';

const recorded = (id: string, startedAt: number, more: Partial<RecordedCall> = {}): RecordedCall => ({
  id,
  startedAt,
  server: 'user:s' as ServerKey,
  serverId: 's' as ServerId,
  scope: { kind: 'user' },
  tool: 'echo',
  caller: { kind: 'tree', name: 'you' },
  decision: 'allow',
  argumentSize: 4,
  ...more,
});
const journalled = (id: string, at: number, more: Partial<JournalledCall['start']> = {}): JournalledCall => {
  const who = { server: 's', scope: 'user', tool: 'echo', caller: 'tree', callerName: 'you' } as const;
  return { start: { kind: 'start', id, at, ...who, decision: 'allow', argumentSize: 4, ...more }, end: 'lost' };
};

describe('callsView', () => {
  it('puts the calls of this window and of the journal into one list, the newest first and each once', () => {
    const calls = [journalled('old', 1), journalled('b', 3), journalled('other', 4)];
    const view = callsView([recorded('a', 2), recorded('b', 3)], { folder: '/j', calls }, english);
    assert.deepEqual(
      view.calls.map(({ id, outcome }) => `${id} ${outcome}`),
      [
        'other Unknown: its window ended first, so it may have run',
        'b Running',
        'a Running',
        'old Unknown: its window ended first, so it may have run',
      ],
    );
  });

  it('knows a call of its own window that memory let go of from one of another window', () => {
    const open = (id: string): JournalledCall => ({ ...journalled(id, 1), end: 'open' });
    const calls = [open('this-window-1'), open('this-window-else-1'), open('other-1')];
    const view = callsView([recorded('this-window-12', 2)], { folder: '/j', calls }, english);
    assert.deepEqual(Object.fromEntries(view.calls.map(({ id, outcome }) => [id, outcome])), {
      'this-window-12': 'Running',
      'this-window-1': 'Running',
      'this-window-else-1': 'Running in another window',
      'other-1': 'Running in another window',
    });
  });

  it('says who denied a call: the person, or a command line that has nobody to ask', () => {
    const end = { outcome: 'notSent', code: 'toolNotConfirmed', duration: 1 } as const;
    const by = (kind: 'tree' | 'commandLine'): RecordedCall =>
      recorded(kind, 1, { end, decision: 'ask', caller: { kind, name: '' } });
    const { calls } = callsView([by('tree'), by('commandLine')], undefined, english);
    assert.deepEqual(Object.fromEntries(calls.map(({ id, outcome }) => [id, outcome])), {
      tree: 'Not sent: it was not allowed',
      commandLine: 'Not sent: nobody could be asked',
    });
  });

  it('shows no more than a page can hold', () => {
    const calls = Array.from({ length: limits.journal.shown }, (_, at) => journalled(`j${at}`, at));
    const view = callsView([recorded('a', 10_000)], { folder: '/j', calls }, english);
    assert.deepEqual([view.calls.length, view.calls[0]?.id], [limits.journal.shown, 'a']);
  });

  it('shows what held when the call went out, where that came to be another decision', () => {
    const end = { outcome: 'completed', duration: 1, decision: 'ask', answer: 'window' } as const;
    const [call] = callsView([recorded('a', 1, { end })], undefined, english).calls;
    assert.equal(call?.decision, 'Asked: allowed for this window');
  });

  it('names a project’s server with its folder, in memory as in the journal', () => {
    const scope = { kind: 'project', folder: '/home/me/shop', name: 'Shop' } as const;
    const calls = [journalled('j', 1, { scope: 'project', folder: '/home/me/shop' })];
    const view = callsView([recorded('a', 2, { scope })], { folder: '/j', calls }, english);
    assert.deepEqual(
      view.calls.map(({ server }) => server),
      ['s · shop', 's · shop'],
    );
    assert.equal(serverLabel('s', scope), 's · shop');
  });
});

describe('the outcome of a call in words', () => {
  it('tells what never went out from what may have run and from what came back', () => {
    const words = (outcome: 'notSent' | 'unknown' | 'completed', code?: string): string =>
      callOutcome({ outcome, code }, english).outcome;
    assert.equal(words('notSent', 'journalFailed'), 'Not sent: the journal could not be written');
    assert.equal(words('unknown', 'callTimeout'), 'Unknown: it took too long, so it may have run');
    assert.equal(words('completed', 'resultInvalid'), 'Failed: the result does not fit its schema');
    assert.equal(words('completed'), 'Done');
    assert.equal(words('notSent', 'aCodeOfLater'), 'Not sent: something went wrong');
  });
});
