import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConnectionState } from '../../../../src/core/connection/state.ts';
import { needsPerson } from '../../../../src/vscode/views/attention.ts';
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
});
