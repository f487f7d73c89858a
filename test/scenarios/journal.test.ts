// The journal of calls, with real windows, servers and disks: what is on the disk when, and what a crash leaves there.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import { type JournalledCall, readJournal } from '../../src/core/diagnostics/readJournal.ts';
import { limits } from '../../src/core/limits.ts';
import { createToolCalls, type ToolCalls } from '../../src/core/tools/createToolCalls.ts';
import { ConfigProcesses } from '../support/configProcesses.ts';
import { eventually } from '../support/eventually.ts';
import { type FixtureLog, fixtureCommand, fixtureLog, type Overrides } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';
import { stillThere } from '../support/processTable.ts';
import { openServerWindow, type ServerWindow, userFileIn, writeServers } from '../support/serverWindow.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('the journal of calls', () => {
  let programs: Awaited<ReturnType<typeof temporaryFolder>>;
  let windows: ConfigProcesses;
  let root: Awaited<ReturnType<typeof temporaryFolder>>;
  let log: FixtureLog;
  let folder: string;
  const open: { window: ServerWindow; calls: ToolCalls }[] = [];

  before(async () => {
    programs = await temporaryFolder();
    windows = await ConfigProcesses.build(programs.path, 'journalWindow');
  });
  after(() => programs.remove());
  beforeEach(async () => {
    root = await temporaryFolder();
    log = fixtureLog();
    folder = join(root.path, 'home', 'journal');
    await serve({ tools: { library: 'all' } });
  });
  afterEach(async () => {
    await windows.dispose();
    for (const { window, calls } of open.splice(0)) {
      await window.dispose();
      await calls.settled();
      calls.dispose();
    }
    await eventually(
      () => stillThere(log.events('start').map(({ pid }) => pid)).length === 0,
      patience,
      'no server left',
    );
    log.dispose();
    await root.remove();
  });

  const serve = (overrides: Overrides, env: Record<string, string> = {}): Promise<void> =>
    writeServers(userFileIn(root.path), { s: { ...fixtureCommand('small-legacy', overrides, log), env } });

  /** A window in this process. */
  const openWindow = async (
    isOn = (): boolean => true,
  ): Promise<{ calls: ToolCalls; call: (tool: string, args?: JsonObject) => Promise<JsonObject> }> => {
    const window = await openServerWindow(root.path);
    const calls = createToolCalls({ manager: window.manager, clock: systemClock(), journal: { folder, isOn } });
    open.push({ window, calls });
    const caller = { kind: 'tree', name: 'test' } as const;
    const call = (tool: string, args: JsonObject = {}): Promise<JsonObject> =>
      calls.call({ server: window.key('s'), tool, args, caller }, { validate: false });
    return { calls, call };
  };
  const startWindow = (tool: string, args: object = {}, count = 1, umask = '022') =>
    windows.start(root.path, 's', tool, JSON.stringify(args), String(count), umask);
  const journalled = async (): Promise<readonly JournalledCall[]> => {
    const { calls, fault } = await readJournal(folder);
    assert.equal(fault, undefined);
    return calls;
  };
  const allBytes = async (): Promise<string> => {
    const names = await readdir(folder);
    return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('');
  };
  const endsOf = (calls: readonly JournalledCall[]): readonly string[] =>
    calls.map(({ start, end }) => `${start.tool} ${typeof end === 'string' ? end : end.outcome}`);

  it('has the start of a call on the disk when the server receives it, and its end after the result [POL-3a, POL-3b]', async () => {
    const { calls, call } = await openWindow();
    const result = await call('files', { folder });
    const [{ text }] = result['content'] as unknown as readonly [{ readonly text: string }];
    const seen = Object.values(JSON.parse(text) as Record<string, string>)
      .join('')
      .trim()
      .split('\n');
    const kinds = seen.map((line) => JSON.parse(line) as { kind: string; tool?: string });
    assert.deepEqual(
      kinds.map(({ kind, tool }) => [kind, tool]),
      [
        ['process', undefined],
        ['start', 'files'],
      ],
    );
    await calls.settled();
    const [{ start, end }] = (await journalled()) as readonly [JournalledCall];
    assert.deepEqual([start.server, start.caller, start.callerName, start.decision], ['s', 'tree', 'test', 'allow']);
    assert.ok(typeof end === 'object' && end.outcome === 'completed' && (end.resultSize ?? 0) > 0);
  });

  it('does not let a call out whose start cannot be written, and says so [POL-3c]', async () => {
    const { call } = await openWindow();
    const refused = async (why: RegExp): Promise<void> => {
      await assert.rejects(call('echo', { text: 'x' }), ({ code, outcome, data }: Error & Record<string, unknown>) => {
        assert.deepEqual([code, outcome], ['journalFailed', 'notSent']);
        assert.match((data as { detail: string }).detail, why);
        return true;
      });
    };
    await mkdir(join(root.path, 'elsewhere'));
    await symlink(join(root.path, 'elsewhere'), folder);
    await refused(/a link is in its place/);
    assert.deepEqual(await readdir(join(root.path, 'elsewhere')), []);
    await rm(folder);
    await writeFile(folder, 'a file of somebody');
    await refused(/no folder/);
    assert.equal(await readFile(folder, 'utf8'), 'a file of somebody');
    await rm(folder);
    assert.equal(log.asked('tools/call'), 0);
    await call('echo', { text: 'x' });
    assert.deepEqual([log.runs('echo'), log.asked('tools/call')], [1, 1]);
  });

  it('lets no call out while the disk is full or read only, and goes on when that is over [POL-3c]', async function () {
    await mkdir(folder);
    const mount = (...args: readonly string[]): boolean => spawnSync('mount', args).status === 0;
    if (!mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder)) this.skip();
    try {
      const { call, calls } = await openWindow();
      const filler = join(folder, 'filler');
      await appendFile(filler, Buffer.alloc(1024 * 1024)).catch(() => undefined);
      await assert.rejects(call('count'), { code: 'journalFailed', outcome: 'notSent' });
      assert.equal(log.asked('tools/call'), 0);
      await truncate(filler, 56 * 1024);
      // The file of the journal grows until there is no room for one more line.
      let sent = 0;
      const untilFull = async (): Promise<void> => {
        for (;;) {
          await call('count');
          sent += 1;
        }
      };
      await assert.rejects(untilFull(), { code: 'journalFailed', outcome: 'notSent' });
      assert.ok(sent > 0);
      await rm(filler);
      await call('count');
      await calls.settled();
      assert.ok(mount('-o', 'remount,ro', folder));
      await assert.rejects(call('count'), { code: 'journalFailed', outcome: 'notSent' });
      assert.ok(mount('-o', 'remount,rw', folder));
      await call('count');
      await calls.settled();
      assert.deepEqual([log.runs('count'), log.asked('tools/call')], [sent + 2, sent + 2]);
      const known = endsOf(await journalled());
      assert.equal(known.filter((end) => end === 'count completed').length, sent + 2);
      assert.ok(known.every((end) => end !== 'count open' && end !== 'count lost'));
    } finally {
      assert.equal(spawnSync('umount', ['-l', folder]).status, 0);
    }
  });

  it('goes on in a new file where the old one was removed, moved or replaced under it [POL-3b]', async () => {
    const { calls, call } = await openWindow();
    await call('echo', { text: '1' });
    const [first = ''] = await readdir(folder);
    await rm(join(folder, first));
    await symlink(join(root.path, 'secret'), join(folder, first));
    await call('echo', { text: '2' });
    assert.equal((await journalled()).length, 1);
    await rm(folder, { recursive: true });
    await call('echo', { text: '3' });
    await calls.settled();
    assert.equal(existsSync(join(root.path, 'secret')), false);
    assert.deepEqual(endsOf(await journalled()), ['echo completed']);
  });

  it('shows a call whose window was killed as lost, never one of a living window, and runs none again [POL-3d]', async () => {
    const window = startWindow('hang');
    await eventually(() => log.runs('hang') === 1, patience, 'the call');
    assert.deepEqual(endsOf(await journalled()), ['hang open']);
    await window.kill();
    assert.deepEqual(endsOf(await journalled()), ['hang lost']);
    const next = startWindow('echo', { text: 'x' });
    assert.equal(await next.ended, 0, next.errors);
    assert.equal(next.output, 'done\n');
    assert.deepEqual(endsOf(await journalled()), ['hang lost', 'echo completed']);
    assert.deepEqual([log.runs('hang'), log.runs('echo')], [1, 1]);
  });

  it('is written by two windows at once, each call whole, with files that are the person’s alone [POL-3b]', async () => {
    await mkdir(folder, { mode: 0o755 });
    const both = ['000', '777'].map((umask) => startWindow('echo', { text: 'x' }, 50, umask));
    for (const window of both) assert.equal(await window.ended, 0, window.errors);
    assert.deepEqual(new Set(both.map(({ output }) => output)), new Set(['done\n']));
    const calls = await journalled();
    assert.deepEqual(endsOf(calls), Array<string>(100).fill('echo completed'));
    assert.equal(new Set(calls.map(({ start }) => start.id)).size, 100);
    const names = await readdir(folder);
    assert.equal(names.length, 2);
    if (process.platform === 'win32') return;
    const modes = await Promise.all([folder, ...names.map((name) => join(folder, name))].map((path) => stat(path)));
    assert.deepEqual(
      modes.map(({ mode }) => (mode & 0o777).toString(8)),
      ['700', '600', '600'],
    );
  });

  it('is read as far as it is whole: a torn last line and lines of somebody else are passed over [POL-3d]', async () => {
    const { calls, call } = await openWindow();
    await call('echo', { text: 'x' });
    await calls.settled();
    const [name = ''] = await readdir(folder);
    const file = join(folder, name);
    await appendFile(file, 'no line of ours\n{"kind":"start"}\n[1,2]\n{"kind":"later","id":"x"}\n');
    await appendFile(file, `{"kind":"start","id":"${'x'.repeat(100_000)}"}\n`);
    const whole = await readFile(file, 'utf8');
    await appendFile(file, whole.split('\n')[1]!.replace(/"id":"[^"]+"/, '"id":"torn"'));
    await truncate(file, Buffer.byteLength(whole) + 40);
    await writeFile(join(folder, 'notes.txt'), 'mine');
    assert.deepEqual(endsOf(await journalled()), ['echo completed']);
  });

  it('is neither made nor written while it is off, and what is kept in memory claims no more [POL-3a, POL-3e]', async () => {
    let isOn = false;
    const { calls, call } = await openWindow(() => isOn);
    const told: string[] = [];
    calls.recent.onDidChange(({ end }) =>
      told.push(`${end?.outcome ?? 'begun'} after ${log.asked('tools/call')} calls`),
    );
    await call('count');
    assert.deepEqual(told, ['begun after 0 calls', 'completed after 1 calls']);
    await calls.settled();
    assert.equal(existsSync(folder), false);
    isOn = true;
    await call('count');
    isOn = false;
    await call('count');
    await calls.settled();
    assert.deepEqual(endsOf(await journalled()), ['count completed']);
    assert.equal(calls.recent.calls.length, 3);
  });

  it('holds no argument, result, error text or credential, also not in the name of a tool [POL-3f]', async () => {
    const canary = 'canary-5f1c9b7e3a';
    const token = `ghp_${'Ab1'.repeat(12)}`;
    const raw = [{ name: token, inputSchema: { type: 'object' } }];
    await serve({ tools: { library: 'all', raw } }, { API_TOKEN: canary });
    const { calls, call } = await openWindow();
    await call('echo', { text: canary, [canary]: canary });
    await call('environment');
    await assert.rejects(call('refuse', { data: canary }), { code: 'protocolError' });
    await call(token).catch(() => undefined);
    await assert.rejects(call('echo', { text: canary, n: Number.NaN, deep: nested(600) }), {
      code: 'argumentsInvalid',
    });
    await calls.settled();
    const text = await allBytes();
    assert.equal((await journalled()).length, 5);
    for (const secret of [canary, token, root.path]) assert.ok(!text.includes(secret), secret);
  });

  it('stays within its bounds however much is called, the oldest going first [POL-3b]', async () => {
    const { calls, call } = await openWindow();
    await call('count');
    await calls.settled();
    // As many lines as a window writes in a long time, in files of processes that are gone.
    const [name = ''] = await readdir(folder);
    const [owner = ''] = (await readFile(join(folder, name), 'utf8')).split('\n');
    const gone = owner.replace(/"start":"[^"]*"/, '"start":"1"');
    const filling = `${gone}\n${`${'x'.repeat(99)}\n`.repeat(limits.journal.file / 100)}`;
    const old = (at: number): string => `calls-00000000${at}-00000000000000${at}0-0.jsonl`;
    for (let at = 0; at < 9; at += 1) await writeFile(join(folder, old(at)), filling);
    const alive = 'calls-000000000-00000000000000ff-0.jsonl';
    await writeFile(join(folder, alive), `${owner}\n`);
    const second = await openWindow();
    await second.call('count');
    await second.calls.settled();
    const names = await readdir(folder);
    const sizes = await Promise.all(names.map(async (each) => (await stat(join(folder, each))).size));
    const size = sizes.reduce((sum, each) => sum + each, 0);
    assert.ok(size <= limits.journal.total && size > limits.journal.total / 2, `${size} bytes`);
    assert.deepEqual(
      [0, 1, 8].map((at) => names.includes(old(at))),
      [false, false, true],
    );
    assert.ok(names.includes(alive), 'a living process loses no file');
    assert.deepEqual(endsOf(await journalled()), ['count completed', 'count completed']);
  });
});

function nested(depth: number): JsonObject {
  let value: JsonObject = {};
  for (let at = 0; at < depth; at += 1) value = { value };
  return value;
}
