import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fillIn } from '../../../../src/contract/sentences.ts';
import type { AgentState, Undone } from '../../../../src/core/agents/agents.ts';
import type { EditRecord } from '../../../../src/core/agents/editRecord.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { agentDetail, agentStateText, undoneText } from '../../../../src/vscode/agents/agentText.ts';
import type { Translate } from '../../../../src/vscode/translate.ts';

const t: Translate = (message, data) => (data === undefined ? message : fillIn(message, data));

function record(client: string): EditRecord {
  return { client, path: `/h/${client}` } as unknown as EditRecord;
}

describe('what is said of agents', () => {
  it('tells every state apart', () => {
    const states: readonly AgentState[] = [
      { kind: 'notInstalled' },
      { kind: 'notConnected' },
      { kind: 'connected' },
      { kind: 'stale', why: 'launcher' },
      { kind: 'stale', why: 'edited' },
      { kind: 'taken' },
      { kind: 'refused', problem: { file: '/f', code: 'agentFileMalformed', data: {} } },
    ];
    assert.equal(new Set(states.map((state) => agentStateText(state, t))).size, states.length);
  });

  it('names file and line of what cannot be read, with nothing of it live', () => {
    const data = { file: '/h/[x](command:y)', detail: 'a value is expected', line: 2, column: 3 };
    const state = { kind: 'refused', problem: { file: '/h', code: 'agentFileMalformed', data } } as const;
    const text = agentDetail({ id: 'zed', name: 'Zed', state, file: '/h' }, t);
    assert.match(text, /a value is expected at line 2, column 3/);
    assert.equal(text.includes(']('), false);
  });

  it('says of each agent once what became of it', () => {
    const failed = new ManagerError('agentFileNotEditable', { file: '/h/zed', detail: 'why' });
    const results: readonly Undone[] = [
      { record: record('cursor'), outcome: 'undone' },
      { record: record('cursor'), outcome: 'alreadyGone' },
      { record: record('codex'), outcome: 'changedSince' },
      { record: record('zed'), outcome: { failed } },
      { record: record('ofALaterBuild'), outcome: 'undone' },
    ];
    assert.equal(
      undoneText(results, t),
      'Disconnected: Cursor, /h/ofALaterBuild. Changed by somebody since, so left as it is: Codex. ' +
        'Zed: /h/zed cannot be edited safely: why.',
    );
    assert.equal(undoneText([], t), '');
  });
});
