import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { guardCommand } from '../../../../src/core/guard/guardCommand.ts';
import { guardUrl } from '../../../../src/core/guard/guardUrl.ts';
import { guardScript } from '../../../../src/core/guard/guardWords.ts';

const request = {
  owner: { pid: 9, start: 1, namespace: 7 },
  program: '/ext/$(id)/guard.js',
  ledger: "/home/o'neill/owners/9.json",
  runtime: '/editor/code',
  variables: { SystemRoot: 'D:\\Win', TEMP: 'D:\\T', PATH: 'p', ROUNDHOUSE_TREE: 'outer', NODE_OPTIONS: '-r x' },
};

describe('The command of a guard', () => {
  it('is a shell with a fixed text, and all that differs as arguments', () => {
    const { file, args, env, cwd } = guardCommand({ ...request, platform: 'linux' });
    assert.deepEqual([file, cwd, env], ['/bin/sh', '/', { ELECTRON_RUN_AS_NODE: '1' }]);
    const words = ['/editor/code', request.program, '9', '1', '7', request.ledger];
    assert.deepEqual(args, ['-c', guardScript, 'sh', ...words]);
    assert.doesNotMatch(guardScript, /editor|neill/);
  });

  it('is the program itself on Windows, with what Windows needs of the environment and nothing more', () => {
    const { file, args, env } = guardCommand({ ...request, platform: 'win32' });
    assert.equal(file, '/editor/code');
    assert.deepEqual(args, [request.program, '9', '1', '7', request.ledger]);
    assert.deepEqual(env, { ELECTRON_RUN_AS_NODE: '1', SystemRoot: 'D:\\Win', TEMP: 'D:\\T' });
  });

  it('finds the program beside the entries of a build', () => {
    assert.equal(guardUrl('file:///x/dist/cli.js').href, 'file:///x/dist/guard.js');
    assert.equal(guardUrl('file:///x/dist/chunks/a-1.js').href, 'file:///x/dist/guard.js');
  });
});
