import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { agentConfig, agentEntry } from '../../../../src/core/launcher/agentEntry.ts';

describe('agentEntry', () => {
  it('is the launcher itself where the system runs scripts', () => {
    assert.deepEqual(agentEntry('/home/a b/.mcp-roundhouse', 'linux'), {
      command: '/home/a b/.mcp-roundhouse/bin/mcp-roundhouse',
      args: ['proxy'],
    });
    assert.deepEqual(agentEntry('/Users/x/.mcp-roundhouse', 'darwin', { more: ['--workspace', '/w'] }).args, [
      'proxy',
      '--workspace',
      '/w',
    ]);
  });

  it('names cmd.exe by its full path on Windows, which many agents cannot start batch files without', () => {
    const batch = 'C:\\Users\\Jörg Müller\\.mcp-roundhouse\\bin\\mcp-roundhouse.cmd';
    assert.deepEqual(agentEntry('C:\\Users\\Jörg Müller\\.mcp-roundhouse', 'win32'), {
      command: 'C:\\Windows\\System32\\cmd.exe',
      args: ['/d', '/c', 'call', batch, 'proxy'],
    });
    assert.equal(
      agentEntry('C:\\Users\\x\\.mcp-roundhouse', 'win32', { systemRoot: 'D:\\WINNT' }).command,
      'D:\\WINNT\\System32\\cmd.exe',
    );
  });

  for (const [user, literal] of [
    ["O'Brien", true],
    ['A (B)', true],
    ['R & D', true],
    ['R&D', false],
    ['50%', false],
    ['50% of us', false],
    ['a^b', false],
    ['a^b c', false],
    ['a,b', false],
    ['a;b c', true],
  ] as const) {
    it(`${literal ? 'lets' : 'does not let'} cmd.exe read the path of a person called ${user}`, () => {
      const { command, args } = agentEntry(`C:\\Users\\${user}\\.mcp-roundhouse`, 'win32');
      const batch = `C:\\Users\\${user}\\.mcp-roundhouse\\bin\\mcp-roundhouse.cmd`;
      if (literal) assert.equal(args[3], batch);
      else assert.deepEqual([command, args], [batch, ['proxy']]);
    });
  }

  it('is one key in the form that most agents take', () => {
    assert.deepEqual(agentConfig({ command: 'c', args: ['proxy'] }), {
      mcpServers: { roundhouse: { type: 'stdio', command: 'c', args: ['proxy'] } },
    });
  });
});
