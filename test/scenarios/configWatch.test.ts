import assert from 'node:assert/strict';
import { appendFile, mkdir, open as openFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import { type Disposable, toDisposable } from '../../src/base/disposable.ts';
import { ConfigStore } from '../../src/core/config/configStore.ts';
import { watchFile } from '../../src/core/config/watchFile.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manualClock.ts';
import { patience } from '../support/patience.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const clock = systemClock({ unref: true });
const fileWith = (...ids: readonly string[]): string =>
  JSON.stringify({ version: 3, mcpServers: Object.fromEntries(ids.map((id) => [id, { command: 'x' }])) });

describe('a watched configuration file', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let disposables: Disposable[];

  beforeEach(async () => {
    folder = await temporaryFolder();
    disposables = [];
  });
  afterEach(async () => {
    for (const disposable of disposables) disposable.dispose();
    await folder.remove();
  });

  async function watched(file: string): Promise<ConfigStore> {
    const store = new ConfigStore({ file, scope: { kind: 'user' }, clock, watch: true });
    disposables.push(store);
    await store.reload();
    return store;
  }

  async function shows(store: ConfigStore, ...ids: readonly string[]): Promise<void> {
    const now = (): string =>
      store
        .get()
        .servers.map((server) => server.id)
        .join();
    await eventually(() => now() === ids.join(), patience, `the servers ${ids.join()} (${now()})`);
  }

  it('is followed through writing, replacing, removing and making anew [CFG-4e]', async () => {
    const file = join(folder.path, 'mcp.json');
    await writeFile(file, fileWith('a'));
    const store = await watched(file);
    await shows(store, 'a');
    await writeFile(file, fileWith('b'));
    await shows(store, 'b');
    await writeFile(`${file}.new`, fileWith('c'));
    await rename(`${file}.new`, file);
    await shows(store, 'c');
    await appendFile(file, '}');
    await eventually(() => store.get().problem?.code === 'configSyntax');
    assert.deepEqual(
      store.get().servers.map((server) => server.id),
      ['c'],
    );
    await rm(file);
    await shows(store);
    assert.equal(store.get().problem, undefined);
    await writeFile(file, fileWith('d'));
    await shows(store, 'd');
  });

  it('is found when its folders are made later, and again after they were removed', async () => {
    const home = join(folder.path, 'x', 'y');
    const file = join(home, 'mcp.json');
    const store = await watched(file);
    for (const id of ['a', 'b']) {
      await mkdir(home, { recursive: true });
      await writeFile(file, fileWith(id));
      await shows(store, id);
      await rm(join(folder.path, 'x'), { recursive: true });
      await shows(store);
    }
  });

  it('is followed when its folder is replaced by another one', async () => {
    const home = join(folder.path, 'home');
    const file = join(home, 'mcp.json');
    await mkdir(home);
    await writeFile(file, fileWith('a'));
    const store = await watched(file);
    await mkdir(join(folder.path, 'next'));
    await writeFile(join(folder.path, 'next', 'mcp.json'), fileWith('b'));
    await rename(home, join(folder.path, 'last'));
    await rename(join(folder.path, 'next'), home);
    await shows(store, 'b');
    await writeFile(file, fileWith('c'));
    await shows(store, 'c');
  });

  it('is followed where only the target of a link changes, which the system does not report', async function () {
    if (process.platform === 'win32') return this.skip();
    const target = join(folder.path, 'elsewhere.json');
    await mkdir(join(folder.path, 'home'));
    const file = join(folder.path, 'home', 'mcp.json');
    await writeFile(target, fileWith('a'));
    await symlink(target, file);
    const store = await watched(file);
    await writeFile(target, fileWith('b'));
    await shows(store, 'b');
  });

  /**
   * Watches by the test's own clock: a sign of a change starts the pause, which ends when the test says so.
   * `reported` resolves when the system has reported all that was done to the folder before.
   */
  async function watchedByHand(file: string) {
    const time = new HandClock();
    let told = 0;
    disposables.push(watchFile(file, () => (told += 1), { clock: time, settle, poll }));
    const names = new Set<string>();
    const events = watch(dirname(file), (_, name) => names.add(name ?? ''));
    disposables.push({ dispose: () => events.close() });
    let fences = 0;
    const reported = async (): Promise<void> => {
      const fence = `fence${(fences += 1)}`;
      await writeFile(join(dirname(file), fence), 'x');
      await eventually(() => names.has(fence), patience, 'the report of the system');
    };
    // A change that is noticed shows that the watch stands.
    await eventually(async () => {
      await writeFile(file, fileWith('a'));
      return time.running(settle) > 0;
    });
    await reported();
    time.advance(settle);
    await eventually(() => told === 1 && time.running(poll) === 1);
    return { time, reported, told: () => told };
  }

  it('is told of once after a change of several steps, and not for its neighbours', async () => {
    const file = join(folder.path, 'mcp.json');
    const { time, reported, told } = await watchedByHand(file);
    for (let index = 0; index < 20; index += 1) await writeFile(join(folder.path, `other${index}`), 'x');
    await reported();
    assert.equal(time.running(settle), 0, 'a neighbour is no sign of a change');
    const handle = await openFile(file, 'w');
    for (const piece of fileWith('c').match(/.{1,8}/g) ?? []) await handle.write(piece);
    await handle.close();
    await reported();
    assert.equal(time.running(settle), 1);
    assert.equal(told(), 1, 'it waits for the pause');
    time.advance(settle);
    await eventually(() => told() === 2 && time.running(poll) === 1);
    await reported();
    assert.equal(time.running(settle), 0, 'nothing more is to be told');
  });

  it('is told of although it never comes to rest', async () => {
    const file = join(folder.path, 'mcp.json');
    await writeFile(file, fileWith('a'));
    let told = 0;
    disposables.push(watchFile(file, () => (told += 1), { clock, settle: 300, poll: 60_000 }));
    await eventually(async () => {
      await appendFile(file, ' ');
      return told > 1;
    });
  });

  it('is left alone after disposal', async () => {
    const file = join(folder.path, 'mcp.json');
    const { time, reported, told } = await watchedByHand(file);
    await writeFile(file, fileWith('b'));
    await reported();
    assert.equal(time.running(settle), 1, 'a pause is running');
    disposables[0]?.dispose();
    assert.equal(time.pending, 0);
    await writeFile(file, fileWith('c'));
    await reported();
    assert.equal(time.pending, 0, 'no change is noticed any more');
    assert.equal(told(), 1);
  });

  it('is not read for a store that is gone', async () => {
    const file = join(folder.path, 'mcp.json');
    await writeFile(file, fileWith('a'));
    const store = await watched(file);
    const other = await watched(file);
    let fired = 0;
    store.onDidChange(() => (fired += 1));
    store.dispose();
    // What watches the same file sees each change, after the same pause.
    for (const id of ['b', 'c']) {
      await writeFile(file, fileWith(id));
      await shows(other, id);
    }
    assert.equal(fired, 0);
    assert.deepEqual(
      store.get().servers.map(({ id }) => id),
      ['a'],
    );
  });
});

/** In milliseconds of the test's own clock. */
const settle = 100;
const poll = 60_000;

/** Tells the pause after a change from the time until the next look. */
class HandClock extends ManualClock {
  readonly #running = new Map<number, Set<object>>();

  /** How many timers of this length are running. */
  running(ms: number): number {
    return this.#running.get(ms)?.size ?? 0;
  }

  override after(ms: number, action: () => void): Disposable {
    const own = this.#running.get(ms) ?? new Set();
    this.#running.set(ms, own);
    const timer = super.after(ms, () => {
      own.delete(timer);
      action();
    });
    own.add(timer);
    return toDisposable(() => {
      own.delete(timer);
      timer.dispose();
    });
  }
}
