import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runsKeeper } from '../../../../src/core/keeper/isKeeper.ts';
import { keeperCommand } from '../../../../src/core/keeper/keeperCommand.ts';

const request = {
  program: '/home/me/.mcp-roundhouse/bin/1.0.0-abc/keeper.js',
  home: '/home/me/.mcp-roundhouse',
  idleSeconds: 60,
  runtime: '/usr/share/code/code',
  userHome: '/home/me',
} as const;

describe('the command that starts the keeper', () => {
  it('takes nothing of whoever starts it but what the system needs', () => {
    const variables = {
      HOME: '/home/me',
      PATH: '/of/a/project',
      NODE_OPTIONS: '--require /of/a/project.js',
      API_TOKEN: 'secret',
      ROUNDHOUSE_TREE: '1.2.3.mark',
      ELECTRON_RUN_AS_NODE: undefined,
    };
    assert.deepEqual(keeperCommand({ ...request, platform: 'linux', variables }), {
      file: '/usr/share/code/code',
      args: [request.program, '--home', request.home, '--idle-seconds', '60'],
      env: { HOME: '/home/me', ELECTRON_RUN_AS_NODE: '1' },
      cwd: '/home/me',
    });
  });

  it('keeps on Windows what programs cannot start without', () => {
    const variables = { SystemRoot: 'C:\\Windows', TEMP: 'C:\\T', USERPROFILE: 'C:\\Users\\me', Path: 'C:\\elsewhere' };
    const { env, args } = keeperCommand({ ...request, idleSeconds: 'never', platform: 'win32', variables });
    assert.deepEqual(env, {
      SystemRoot: 'C:\\Windows',
      TEMP: 'C:\\T',
      USERPROFILE: 'C:\\Users\\me',
      ELECTRON_RUN_AS_NODE: '1',
    });
    assert.equal(args.at(-1), 'never');
  });

  it('is told from those of other programs, as each system shows it', () => {
    const { file, args } = keeperCommand({ ...request, platform: 'linux', variables: {} });
    assert.equal(runsKeeper(`${[file, ...args].join('\0')}\0`), true);
    assert.equal(runsKeeper(`${[file, ...args].join(' ')}\n`), true);
    assert.equal(
      runsKeeper('"C:\\Code.exe" "C:\\Users\\me\\bin\\1.0.0-a b\\keeper.js" --home "C:\\x" --idle-seconds 60'),
      true,
    );
    for (const other of [
      '',
      'node\0-e\0setInterval(() => 0)\0',
      'vi\0/home/me/src/keeper.js\0',
      '/x/notkeeper.js --idle-seconds 60',
    ]) {
      assert.equal(runsKeeper(other), false, other);
    }
  });
});
