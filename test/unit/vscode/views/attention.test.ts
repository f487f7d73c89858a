import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConnectionState } from '../../../../src/core/connection/state.ts';
import { attentionWords, needsPerson } from '../../../../src/vscode/views/attention.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { demoScope, managerView, serverView } from '../../../support/managerView.ts';

const problem = { code: 'blockedApproval', data: { server: 'a' } } as const;
const blocked = (by: 'approval' | 'input'): ConnectionState => ({ kind: 'blocked', by, problem });

describe('what needs the person', () => {
  it('counts a server once that two folders share', () => {
    const other = { kind: 'project', folder: '/work/other', name: 'other' } as const;
    const twice = (id: string, state: ConnectionState) => [
      serverView(id, { scope: demoScope, state }),
      serverView(id, { scope: other, state, role: 'shared' }),
    ];
    const servers = [
      ...twice('a', blocked('approval')),
      ...twice('b', blocked('input')),
      ...twice('c', { kind: 'signInNeeded', problem }),
    ];
    const manager = { view: () => managerView(servers), waiting: () => [servers[0]!.key] };
    assert.deepEqual(needsPerson(manager), { approvals: 1, values: 1, signIns: 1, brokenFiles: 0, total: 3 });
  });

  it('says of each part of its number what it stands for, the most serious first', () => {
    const one = { brokenFiles: 1, approvals: 1, values: 1, signIns: 1, total: 4 };
    assert.deepEqual(attentionWords(one, english), [
      '1 broken MCP configuration',
      '1 MCP server to approve',
      '1 MCP server needs a value',
      '1 MCP server needs a sign-in',
    ]);
    const two = { brokenFiles: 0, approvals: 2, values: 0, signIns: 3, total: 5 };
    assert.deepEqual(attentionWords(two, english), ['2 MCP servers to approve', '3 MCP servers need a sign-in']);
  });
});
