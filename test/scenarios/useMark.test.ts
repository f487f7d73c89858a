// Who uses a build, told by marks of processes that live, are gone, or cannot be judged from here.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ownIdentity, type ProcessFacts } from '../../src/core/config/processIdentity.ts';
import { isUsed, markUse } from '../../src/core/launcher/useMark.ts';
import { limits } from '../../src/core/limits.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const facts: ProcessFacts = {
  pid: 100,
  host: 'here',
  boot: () => Promise.resolve('boot-1'),
  namespace: () => Promise.resolve('pid:[1]'),
  exists: (pid) => pid === 100 || pid === 200,
  start: (pid) => Promise.resolve(pid === 100 || pid === 200 ? { start: `s${pid}`, zombie: false } : undefined),
};

describe('the mark of a process on a build', () => {
  let build: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    build = await temporaryFolder();
    await mkdir(join(build.path, 'used'));
  });
  afterEach(() => build.remove());

  it('counts while the process lives, and is taken away when it is gone', async () => {
    assert.equal(await isUsed(build.path, facts), false);
    const alive = await mark({ pid: 200, start: 's200' });
    assert.equal(await isUsed(build.path, facts), true);
    await mark({ pid: 200, start: 's199' });
    assert.equal(await isUsed(build.path, facts), false, 'the process id was used again');
    assert.ok(!existsSync(alive));
    const dead = await mark({ pid: 300, start: 's300' });
    assert.equal(await isUsed(build.path, facts), false);
    assert.ok(!existsSync(dead));
    await mark({ pid: 300, start: 's300' });
    await mark({ pid: 200, start: 's200' });
    assert.equal(await isUsed(build.path, facts), true, 'one of two lives');
  });

  it('counts where it has no start time, for as long as there is such a process', async () => {
    await mark({ pid: 200, start: '' });
    assert.equal(await isUsed(build.path, facts), true);
    await mark({ pid: 200, start: '' }, limits.launcher.foreignMark * 2);
    assert.equal(await isUsed(build.path, facts), true, 'what may live here counts however old it is');
    await rm(join(build.path, 'used', '200.json'));
    await mark({ pid: 300, start: '' });
    assert.equal(await isUsed(build.path, facts), false);
  });

  it('of a process in another container does not take the place of one with the same id', async () => {
    await markUse(build.path, facts);
    await markUse(build.path, { ...facts, host: 'there', namespace: () => Promise.resolve('pid:[2]') });
    const marks = join(build.path, 'used');
    assert.equal((await readdir(marks)).length, 2);
    assert.equal(await isUsed(build.path, { ...facts, exists: () => false }), true, 'the other may live');
    assert.equal((await readdir(marks)).length, 1);
  });

  it('of another machine counts for as long as that renews it', async () => {
    await mark({ pid: 1, start: 's1', host: 'there' });
    assert.equal(await isUsed(build.path, facts), true);
    await mark({ pid: 1, start: 's1', host: 'there' }, limits.launcher.foreignMark + 60_000);
    assert.equal(await isUsed(build.path, facts), false);
  });

  it('that names nobody counts while it may be being written', async () => {
    const file = join(build.path, 'used', '7.json');
    await writeFile(file, '{"pid":');
    assert.equal(await isUsed(build.path, facts), true);
    const old = new Date(Date.now() - limits.launcher.settle - 1_000);
    await utimes(file, old, old);
    assert.equal(await isUsed(build.path, facts), false);
    assert.ok(!existsSync(file));
  });

  async function mark(who: { pid: number; start: string; host?: string }, age = 0): Promise<string> {
    const file = join(build.path, 'used', `${who.pid}.json`);
    await writeFile(file, JSON.stringify({ ...(await ownIdentity(facts)), ...who }));
    const then = new Date(Date.now() - age);
    await utimes(file, then, then);
    return file;
  }
});
