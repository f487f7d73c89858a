// What stands where a lock file belongs and is none: a project may have put it there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { access, lstat, mkdir, readdir, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { deferred } from '../../src/base/deferred.ts';
import { withFileLock } from '../../src/core/config/fileLock.ts';
import { systemFacts } from '../../src/core/config/processIdentity.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manualClock.ts';
import { patience } from '../support/patience.ts';
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
      await assert.rejects(withDeadline(work, patience, 'the refusal'), (error: unknown) => {
        assert.ok(error instanceof ManagerError, String(error));
        assert.deepEqual([error.code, error.data['file']], ['configWriteFailed', file]);
        assert.ok(String(error.data['detail']).includes(`${file}.lock`));
        return true;
      });
      assert.equal((await lstat(`${file}.lock`)).ino, before.ino);
    });
  }

  describe('without the name of a holder', () => {
    /** Two seconds of it are a tenth of one. */
    const quick: Clock = { now: () => Date.now(), after: (ms, action) => systemClock().after(ms / 20, action) };
    const wait = 20 * patience;
    const garbage: Readonly<Record<string, string>> = {
      'an empty file, as a power cut leaves it': '',
      'zeros, as a power cut leaves them': '\0'.repeat(300),
      'half of a record': '{"pid":1,"start":"',
      'other JSON': '[1]',
      'a text that is large': ' '.repeat(100_000),
    };
    for (const [what, content] of Object.entries(garbage)) {
      it(`is taken over once it is old: ${what} [CFG-7d]`, async () => {
        await writeFile(`${file}.lock`, content);
        const old = new Date(Date.now() - 120_000);
        await utimes(`${file}.lock`, old, old);
        assert.equal(await withFileLock(file, () => Promise.resolve('done'), { clock: quick, wait }), 'done');
        assert.deepEqual(await readdir(folder.path), []);
      });
    }

    it('is taken over by one at a time, and never while another one works [CFG-7d]', async () => {
      await writeFile(`${file}.lock`, '');
      const old = new Date(Date.now() - 120_000);
      await utimes(`${file}.lock`, old, old);
      let inside = 0;
      const runs = Array.from({ length: 8 }, () =>
        withFileLock(
          file,
          async () => {
            inside += 1;
            assert.equal(inside, 1);
            await delay(5);
            inside -= 1;
          },
          { clock: quick, wait },
        ),
      );
      await Promise.all(runs);
      assert.deepEqual(await readdir(folder.path), []);
    });

    it('is waited for while it is new: it may be being written; the failure names it', async () => {
      await writeFile(`${file}.lock`, '');
      await assert.rejects(
        withFileLock(file, () => Promise.resolve(assert.fail('it ran')), { clock: quick }),
        { code: 'configLocked', data: { file, lock: `${file}.lock` } },
      );
      await access(`${file}.lock`);
    });
  });

  describe('while the time of day is set', () => {
    const real = Date.now;
    afterEach(() => {
      Date.now = real;
    });
    const hour = 3_600_000;
    const hold = async (): Promise<() => Promise<void>> => {
      const [holding, release] = [deferred<undefined>(), deferred<undefined>()];
      const held = withFileLock(file, async () => {
        holding.resolve(undefined);
        await release.promise;
      });
      await holding.promise;
      return async () => {
        release.resolve(undefined);
        await held;
      };
    };

    /** What one of these does that waits: how often it asked whether the holder lives shows that it goes on. */
    const waiter = (wait: number) => {
      const clock = new ManualClock();
      let asked = 0;
      const exists = (pid: number): boolean => {
        asked += 1;
        return systemFacts.exists(pid);
      };
      const waiting = withFileLock(file, () => Promise.resolve('done'), {
        clock,
        wait,
        facts: { ...systemFacts, exists },
      });
      const asks = async (): Promise<void> => {
        const before = asked;
        await eventually(() => {
          clock.advance(1);
          return asked > before;
        });
      };
      return { clock, waiting, asks };
    };

    it('is waited for as long as it was meant to be, also where the time leaps ahead', async () => {
      const release = await hold();
      const { waiting, asks } = waiter(hour / 2);
      await asks();
      Date.now = () => real() + hour;
      await asks();
      await release();
      assert.equal(await withDeadline(waiting, patience, 'the lock'), 'done');
    });

    it('and no longer where it leaps back', async () => {
      const release = await hold();
      const { clock, waiting, asks } = waiter(hour / 2);
      await asks();
      Date.now = () => real() - hour;
      clock.advance(hour / 2);
      await assert.rejects(withDeadline(waiting, patience, 'the refusal'), { code: 'configLocked' });
      await release();
    });

    it('is still got by one whose draft was taken for a left-over', async () => {
      const release = await hold();
      const waiting = withFileLock(file, () => Promise.resolve('done'));
      const drafts = async (): Promise<readonly string[]> =>
        (await readdir(folder.path)).filter((name) => name.endsWith('.tmp'));
      await eventually(async () => (await drafts()).length > 0);
      for (const draft of await drafts()) await unlink(join(folder.path, draft));
      await release();
      assert.equal(await withDeadline(waiting, patience, 'the lock'), 'done');
    });
  });

  it('is not read as a whole: one that is large is of nobody', async () => {
    await writeFile(`${file}.lock`, ' '.repeat(10_000_000));
    await assert.rejects(
      withFileLock(file, () => Promise.resolve(), { wait: 50 }),
      { code: 'configLocked' },
    );
    await access(`${file}.lock`);
  });
});
