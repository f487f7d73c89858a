import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { agentEntry } from '../../../../src/core/launcher/agentEntry.ts';
import { isOurLaunch } from '../../../../src/core/launcher/isOurLaunch.ts';

describe('isOurLaunch', () => {
  it('knows what agents are given on every system, with more words and in any person’s folder', () => {
    for (const [home, platform] of [
      ['/home/ada/.mcp-roundhouse', 'linux'],
      ['C:\\Users\\Ada Lovelace\\.mcp-roundhouse', 'win32'],
      ['C:\\R&D\\.mcp-roundhouse', 'win32'],
    ] as const) {
      assert.ok(isOurLaunch(agentEntry(home, platform)), home);
      assert.ok(isOurLaunch(agentEntry(home, platform, { more: ['--server', 'x'] })), home);
    }
    assert.ok(isOurLaunch({ command: '${userHome}/.mcp-roundhouse/bin/mcp-roundhouse', args: ['proxy'] }));
  });

  it('takes nothing else for it: another command, another folder, a path that only begins or ends alike', () => {
    const launcher = '/home/ada/.mcp-roundhouse/bin/mcp-roundhouse';
    const others: readonly (readonly [string, ...string[]])[] = [
      [launcher],
      [launcher, 'list'],
      [launcher, '--verbose', 'proxy'],
      ['/opt/mcp-roundhouse', 'proxy'],
      ['/home/ada/.mcp-roundhouse-tools/mcp-roundhouse', 'proxy'],
      ['/home/ada/.mcp-roundhouse/bin/not-mcp-roundhouse', 'proxy'],
      ['/home/ada/.mcp-roundhouse/bin-own/server', 'proxy'],
      ['node', `${launcher}/../server.js`, 'proxy'],
    ];
    for (const [command, ...args] of others) assert.ok(!isOurLaunch({ command, args }), [command, ...args].join(' '));
  });
});
