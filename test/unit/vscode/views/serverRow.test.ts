import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConnectionState, Problem } from '../../../../src/core/connection/state.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { noteRow } from '../../../../src/vscode/views/noteRow.ts';
import { notesOf } from '../../../../src/vscode/views/notes.ts';
import { serverRow } from '../../../../src/vscode/views/serverRow.ts';
import { tooltipOf } from '../../../../src/vscode/views/tooltip.ts';
import { TreeModel } from '../../../../src/vscode/views/treeModel.ts';
import { managerView, serverView } from '../../../support/managerView.ts';

const problem: Problem = { code: 'processExited', data: { server: 'a', exit: 'code 9' }, stderr: ['out of memory'] };
const waiting: ConnectionState = { kind: 'backingOff', nextAttemptAt: 100_000, attempt: 2, problem };

describe('the row of a server that ended by itself', () => {
  const rowAt = (now: number) => serverRow(serverView('a', { state: waiting }), english, now);

  it('counts down in steps, says when it has to be drawn anew for that, and when no more', () => {
    const told = [70_000, 72_000, 75_000, 94_999, 95_000, 99_999, 100_000].map((now) => {
      const { description, changesIn } = rowAt(now);
      return `${description ?? ''} ${String(changesIn)}`;
    });
    assert.deepEqual(told, [
      'restarts in 30 s 5000',
      'restarts in 30 s 3000',
      'restarts in 25 s 5000',
      'restarts in 10 s 1',
      'restarts in 5 s undefined',
      'restarts in 5 s undefined',
      'restarting… undefined',
    ]);
  });

  it('is read out with the time itself, which stays the same while it counts down', () => {
    const spoken = [70_000, 80_000, 99_000].map((now) => rowAt(now).spoken);
    assert.deepEqual([...new Set(spoken)], [`a, ended, restarts at ${new Date(100_000).toLocaleTimeString()}`]);
  });

  it('has below it what ended it, with no advice to do what comes by itself', () => {
    const [note] = notesOf(serverView('a', { state: waiting }));
    const { label, spoken, icon } = noteRow(note!, english);
    assert.deepEqual([label, spoken, icon?.id], ['ended, code 9', 'Server "a" ended (code 9).', 'warning']);
  });

  it('offers to start it now while it waits and when it was given up, and for no other failure', () => {
    const given: ConnectionState = { kind: 'failed', problem: { ...problem, code: 'crashLoop' } };
    const states: ConnectionState[] = [waiting, given, { kind: 'failed', problem }, { kind: 'stopped' }];
    const rows = states.map((state) => serverRow(serverView('a', { state }), english, 0));
    assert.deepEqual(
      rows.map(({ flags }) => flags.split('+').includes('retry')),
      [true, true, false, false],
    );
    assert.deepEqual(
      rows.slice(1, 3).map(({ description }) => description),
      ['ended again and again', 'ended, code 9'],
    );
    const overridden = serverRow(serverView('a', { state: waiting, role: 'overridden' }), english, 0);
    assert.deepEqual(
      [overridden.flags.includes('retry'), overridden.spoken],
      [false, 'a, the project’s definition is used'],
    );
  });

  it('tells in its tooltip which try it is, why it ended, and what it printed last', () => {
    const view = managerView([serverView('a', { state: waiting })]);
    const model = new TreeModel(() => view);
    const text = tooltipOf(model.serverNode(view.servers[0]!.key), model, english) ?? '';
    for (const part of ['try 2 of 5', 'code 9', 'out of memory']) assert.equal(text.includes(part), true, text);
  });
});
