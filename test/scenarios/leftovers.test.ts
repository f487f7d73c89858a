// The look of a test run at what its suites left behind: it must see what it is there for.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { leftovers } from '../../scripts/lib/leftovers.mjs';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('what a suite left behind', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('is every entry of its temporary folder but the caches of tools', async () => {
    await mkdir(join(folder.path, 'tsx-0'));
    assert.deepEqual(leftovers(folder.path), []);
    await mkdir(join(folder.path, 'fixture-1'));
    await writeFile(join(folder.path, 'vscode-ipc-0b866c87-4b8a.sock'), '');
    assert.deepEqual([...leftovers(folder.path)].sort(), ['fixture-1', 'vscode-ipc-0b866c87-4b8a.sock']);
  });

  for (const [what, below] of [
    ['that folder', ''],
    ['a folder in it', '/rh-1/t'],
  ] as const) {
    it(`is every process that was started with ${what} as its own`, async function () {
      if (process.platform !== 'linux') return this.skip();
      const env = { PATH: process.env['PATH'], TMPDIR: `${folder.path}${below}` };
      const child = spawn('sleep', ['60'], { env, stdio: 'ignore' });
      try {
        await once(child, 'spawn');
        assert.deepEqual(leftovers(folder.path), [`process ${child.pid} sleep 60 `]);
      } finally {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      assert.deepEqual(leftovers(folder.path), []);
    });
  }
});
