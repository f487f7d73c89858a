import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import { ConfigStore } from '../../src/core/config/configStore.ts';
import { claimPath, withFileLock } from '../../src/core/config/fileLock.ts';
import { ownIdentity, type ProcessFacts, systemFacts } from '../../src/core/config/processIdentity.ts';
import { readConfigText } from '../../src/core/config/readConfigText.ts';
import { ConfigProcesses } from '../support/configProcesses.ts';
import { patience } from '../support/patience.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { withDeadline } from '../support/withDeadline.ts';

describe('configuration written by several processes', () => {
  let tools: Awaited<ReturnType<typeof temporaryFolder>>;
  let processes: ConfigProcesses;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;

  before(async () => {
    tools = await temporaryFolder();
    processes = await ConfigProcesses.build(tools.path);
  });
  after(async () => {
    await processes.dispose();
    await tools.remove();
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'home', 'mcp.json');
    await mkdir(join(folder.path, 'home'), { mode: 0o700 });
  });
  afterEach(async () => {
    await processes.dispose();
    await folder.remove();
  });

  const open = (): ConfigStore =>
    new ConfigStore({ file, scope: { kind: 'user' }, clock: systemClock({ unref: true }) });

  async function read() {
    return readConfigText(await readFile(file, 'utf8'), { file, scope: { kind: 'user' } });
  }

  it('loses no update of 16 processes with 50 each, and no reader meets a broken file [CFG-7d, CFG-7e, CFG-7f, CFG-7g]', async () => {
    await writeFile(file, '{\n  // written by hand\n  "version": 2,\n  "mcpServers": {}\n}\n', { mode: 0o600 });
    const names = Array.from({ length: 16 }, (_, index) => `w${index}`);
    const writers = names.map((name) => processes.start(file, 'write', name, '50'));
    const done = Promise.all(writers.map((writer) => writer.ended));
    const running = { yes: true };
    void done.then(() => (running.yes = false));
    let reads = 0;
    while (running.yes || reads < 100) {
      const reading = await read();
      assert.equal(reading.kind, 'config', JSON.stringify(reading));
      reads += 1;
      await delay(2);
    }
    assert.deepEqual(
      await done,
      names.map(() => 0),
      writers.map((writer) => writer.errors).join(''),
    );

    const reading = await read();
    assert.ok(reading.kind === 'config');
    assert.equal(reading.raw['x-count'], 800);
    assert.deepEqual(reading.servers.map((server) => server.id).sort(), [...names].sort());
    for (const { definition } of reading.servers) {
      assert.ok(definition.kind === 'stdio');
      assert.equal(Object.keys(definition.env).length, 50);
    }
    assert.match(await readFile(file, 'utf8'), /^\{\n {2}\/\/ written by hand\n {2}"version": 3,\n/);
    assert.deepEqual(await readdir(join(folder.path, 'home')), ['mcp.json']);
  });

  it('keeps a usable file and recovers the lock when writers are killed at any moment [CFG-7b, CFG-7d]', async () => {
    const store = open();
    await store.upsert('mine', { command: 'node' });
    for (let round = 0; round < 10; round += 1) {
      const writer = processes.start(file, 'churn', 'other');
      await writer.said('writing');
      // Somewhere in the few milliseconds that one update takes; each round at another place.
      await delay(round);
      await writer.kill();
      const reading = await read();
      assert.equal(reading.kind, 'config', JSON.stringify(reading));
      await withDeadline(
        store.transform((_, raw) => [{ path: ['round'], value: Number(raw['round'] ?? 0) + 1 }]),
        patience,
        'the lock',
      );
    }
    const reading = await read();
    assert.ok(reading.kind === 'config');
    assert.equal(reading.raw['round'], 10);
    assert.deepEqual(
      (await readdir(join(folder.path, 'home'))).filter(
        (name) => name !== 'mcp.json' && !/\.lock\..*\.tmp$/.test(name),
      ),
      [],
      'drafts of killed writers are tidied up; a draft of a lock is kept for a minute',
    );
    store.dispose();
  });

  it('lets many waiters take over the lock of a dead process one at a time [CFG-7d]', async () => {
    const mark = join(folder.path, 'mark');
    for (let round = 0; round < 3; round += 1) {
      const holder = processes.start(file, 'hold');
      await holder.said('held');
      const waiters = Array.from({ length: 6 }, () => processes.start(file, 'guard', mark, '10'));
      // They wait while it lives: nobody enters.
      await eventually(async () => (await readdir(join(folder.path, 'home'))).length === 1 + waiters.length);
      assert.deepEqual(await readdir(folder.path), ['home']);
      await holder.kill();
      const ends = await withDeadline(Promise.all(waiters.map((waiter) => waiter.ended)), patience, 'the waiters');
      assert.deepEqual(
        ends,
        waiters.map(() => 0),
        waiters.map((waiter) => waiter.errors).join(''),
      );
      assert.deepEqual(
        waiters.map((waiter) => waiter.output),
        waiters.map(() => ''),
      );
    }
  });

  it('lets one in at a time although the holder died and two takers died after it [CFG-7d]', async () => {
    const lock = `${file}.lock`;
    const dead = (token: string): string => JSON.stringify({ ...own, start: 'another', token });
    const own = await ownIdentity();
    for (let round = 0; round < 5; round += 1) {
      const claim = claimPath(lock, 'holder');
      await writeFile(lock, dead('holder'));
      await writeFile(claim, dead('taker'));
      await writeFile(claimPath(claim, 'taker'), dead('taker of the taker'));
      let inside = 0;
      let entered = 0;
      const enter = (): Promise<void> =>
        withFileLock(
          file,
          async () => {
            inside += 1;
            entered += 1;
            assert.equal(inside, 1);
            await delay(1);
            inside -= 1;
          },
          { wait: patience },
        );
      await withDeadline(Promise.all(Array.from({ length: 20 }, enter)), patience, 'all of them');
      assert.equal(entered, 20);
      assert.deepEqual(await readdir(join(folder.path, 'home')), []);
    }
  });

  it('removes nothing when the lock it judged was replaced by a living one meanwhile [CFG-7d]', async () => {
    const own = await ownIdentity();
    const living = JSON.stringify({ ...own, token: 'living' });
    await writeFile(`${file}.lock`, JSON.stringify({ ...own, pid: 2 ** 30, token: 'dead' }));
    const facts: ProcessFacts = {
      ...systemFacts,
      exists: (pid) => {
        if (pid !== 2 ** 30) return systemFacts.exists(pid);
        // At the very moment of the judgement somebody else takes over.
        writeFileSync(`${file}.lock`, living);
        return false;
      },
    };
    await assert.rejects(
      withFileLock(file, () => Promise.resolve(), { facts, wait: 500 }),
      { code: 'configLocked' },
    );
    assert.equal(await readFile(`${file}.lock`, 'utf8'), living);
    assert.deepEqual(await readdir(join(folder.path, 'home')), ['mcp.json.lock']);
  });

  it('takes over the lock of a process that ended but was not collected [CFG-7d]', async function () {
    if (process.platform === 'win32') return this.skip();
    // The shell starts a child, and becomes a program that never collects it.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const dead = { ...(await ownIdentity()), pid: Number(line.toString()), start: 'another', token: 'dead' };
      await writeFile(`${file}.lock`, JSON.stringify(dead));
      await withDeadline(
        withFileLock(file, () => Promise.resolve()),
        patience,
        'the lock',
      );
    } finally {
      parent.kill('SIGKILL');
      await once(parent, 'close');
    }
  });

  it('never takes over the lock of a living process, of another machine, or one that cannot be read [CFG-7d]', async () => {
    const own = { ...(await ownIdentity()), token: 'other' };
    for (const lock of [JSON.stringify(own), JSON.stringify({ ...own, host: 'elsewhere', pid: 1 }), '', '{"pid":1}']) {
      await writeFile(`${file}.lock`, lock);
      await assert.rejects(
        withFileLock(file, () => Promise.resolve(), { wait: 400 }),
        { name: 'ManagerError', code: 'configLocked' },
        lock,
      );
      assert.equal(await readFile(`${file}.lock`, 'utf8'), lock);
    }
  });

  it('stops waiting when it is told to, and writes nothing', async () => {
    const holder = processes.start(file, 'hold');
    await holder.said('held');
    const store = open();
    const controller = new AbortController();
    const write = store.upsert('a', { command: 'x' }, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await assert.rejects(write, /enough/);
    assert.equal((await store.reload()).exists, false);
    store.dispose();
  });

  it('applies ten quick toggles of one server in order: the last one wins and one field changed [CFG-7c]', async () => {
    const text =
      '{\n  "version": 3,\n  "mcpServers": {\n    "a": { "command": "x", "enabled": true } // mine\n  }\n}\n';
    await writeFile(file, text);
    const store = open();
    await store.reload();
    const toggles = Array.from({ length: 10 }, (_, index) => store.setEnabled('a', index % 2 === 1));
    await Promise.all(toggles);
    assert.equal(await readFile(file, 'utf8'), text);
    await store.setEnabled('a', false);
    assert.equal(await readFile(file, 'utf8'), text.replace('true', 'false'));
    store.dispose();
  });
});
