import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import { type CallStart, RecentCalls } from '../../../../src/core/tools/recentCalls.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const start = (tool: string): CallStart => ({
  server: 'user:s' as ServerKey,
  serverId: 's' as ServerId,
  scope: { kind: 'user' },
  tool,
  caller: { kind: 'tree', name: 'MCP' },
  decision: 'allow',
  argumentSize: 1,
});

describe('RecentCalls', () => {
  it('keeps the newest ones and tells of beginnings and ends', () => {
    const calls = new RecentCalls(new ManualClock(), 2);
    const told: string[] = [];
    calls.onDidChange(({ tool, end }) => told.push(`${tool} ${end?.outcome ?? 'began'}`));
    const [a] = ['a', 'b', 'c'].map((tool) => calls.begin(start(tool)));
    a?.({ outcome: 'completed' });
    assert.deepEqual(
      calls.calls.map(({ tool }) => tool),
      ['b', 'c'],
    );
    assert.deepEqual(told, ['a began', 'b began', 'c began', 'a completed']);
  });
});
