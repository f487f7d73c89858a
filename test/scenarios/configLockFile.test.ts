// What stands where a lock file belongs and is none: a project may have put it there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { access, lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { withFileLock } from '../../src/core/config/fileLock.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { withDeadline } from '../support/withDeadline.ts';

describe('the lock of a configuration file', function () {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'mcp.json');
  });
  afterEach(() => folder.remove());

  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  const obstacles: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    'a link to a device without end': (path) => symlink('/dev/zero', path),
    'a link to a file': async (path) => {
      await writeFile(`${path}.target`, '{}');
      await symlink(`${path}.target`, path);
    },
    'a pipe that nobody writes to': (path) => Promise.resolve(execFileSync('mkfifo', [path])),
    'a folder': (path) => mkdir(path),
  };
  for (const [what, put] of Object.entries(obstacles)) {
    it(`is refused at once where ${what} stands in its place, which stays [CFG-7d]`, async () => {
      await put(`${file}.lock`);
      const before = await lstat(`${file}.lock`);
      const work = withFileLock(file, () => Promise.resolve(assert.fail('it ran')));
      await assert.rejects(withDeadline(work, 5_000, 'the refusal'), (error: unknown) => {
        assert.ok(error instanceof ManagerError, String(error));
        assert.deepEqual([error.code, error.data['file']], ['configWriteFailed', file]);
        assert.ok(String(error.data['detail']).includes(`${file}.lock`));
        return true;
      });
      assert.equal((await lstat(`${file}.lock`)).ino, before.ino);
    });
  }

  it('is not read as a whole: one that is large is of nobody', async () => {
    await writeFile(`${file}.lock`, ' '.repeat(10_000_000));
    await assert.rejects(
      withFileLock(file, () => Promise.resolve(), { wait: 50 }),
      { code: 'configLocked' },
    );
    await access(`${file}.lock`);
  });
});
