import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { withLock } from '../../../scripts/lib/lock.mjs';

const goneProcess = 0x7fffffff; // Above every limit on pids: no process has it.

describe('the lock between set-ups', () => {
  let base: string;
  let lock: string;
  let count = 0;
  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'rh-lock-'));
  });
  beforeEach(() => {
    count += 1;
    lock = join(base, `lock-${count}`);
  });
  after(() => rm(base, { recursive: true }));

  it('lets one in at a time and leaves nothing behind', async () => {
    const steps: string[] = [];
    const work = (name: string): Promise<void> =>
      withLock(lock, async () => {
        steps.push(`${name} in`);
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`${name} out`);
      });
    await Promise.all([work('a'), work('b')]);
    assert.ok(steps.join() === 'a in,a out,b in,b out' || steps.join() === 'b in,b out,a in,a out', steps.join());
    assert.equal(existsSync(lock), false);
  });

  it('is free again after a failure, which is passed on', async () => {
    const failing = withLock(lock, () => Promise.reject(new Error('on purpose')));
    await assert.rejects(failing, /on purpose/);
    assert.equal(await withLock(lock, () => Promise.resolve('in')), 'in');
  });

  it('is taken over from a process that is gone', async () => {
    await mkdir(lock);
    await writeFile(join(lock, 'owner'), String(goneProcess));
    assert.equal(await withLock(lock, () => Promise.resolve('in')), 'in');
  });

  it('is taken over when its owner died before it wrote its name', async () => {
    await mkdir(lock);
    const long = new Date(Date.now() - 60_000);
    await utimes(lock, long, long);
    assert.equal(await withLock(lock, () => Promise.resolve('in')), 'in');
  });

  it('names the living owner that it waited for in vain', async () => {
    await mkdir(lock);
    await writeFile(join(lock, 'owner'), String(process.pid));
    const waiting = withLock(lock, () => Promise.resolve('in'), { timeout: 1 });
    await assert.rejects(waiting, new RegExp(`process ${process.pid}\\b`));
    assert.equal(existsSync(lock), true);
  });
});
