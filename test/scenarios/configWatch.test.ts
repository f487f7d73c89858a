import assert from 'node:assert/strict';
import { appendFile, mkdir, open as openFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import type { Disposable } from '../../src/base/disposable.ts';
import { ConfigStore } from '../../src/core/config/configStore.ts';
import { watchFile } from '../../src/core/config/watchFile.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const clock = systemClock({ unref: true });
const fileWith = (...ids: readonly string[]): string =>
  JSON.stringify({ version: 3, mcpServers: Object.fromEntries(ids.map((id) => [id, { command: 'x' }])) });

describe('a watched configuration file', function () {
  this.timeout(60_000);
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
    await eventually(() => now() === ids.join(), 8_000, `the servers ${ids.join()} (${now()})`);
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

  it('is read once after a change of several steps, and not for its neighbours', async () => {
    const file = join(folder.path, 'mcp.json');
    await writeFile(file, fileWith('a'));
    let told = 0;
    const started = watchFile(file, () => (told += 1), { clock, settle: 500, poll: 60_000 });
    disposables.push(started);
    // A change that is seen shows that the watch stands.
    await eventually(async () => {
      await writeFile(file, fileWith('a', 'b'));
      await delay(1_000);
      return told > 0;
    });
    const before = told;
    for (let index = 0; index < 20; index += 1) await writeFile(join(folder.path, `other${index}`), 'x');
    await delay(1_000);
    assert.equal(told, before, 'a neighbour is not told of');
    const handle = await openFile(file, 'w');
    for (const piece of fileWith('c').match(/.{1,8}/g) ?? []) {
      await handle.write(piece);
      await delay(5);
    }
    await handle.close();
    await eventually(() => told > before);
    await delay(800);
    assert.equal(told, before + 1);
  });

  it('is told of although it never comes to rest', async () => {
    const file = join(folder.path, 'mcp.json');
    await writeFile(file, fileWith('a'));
    let told = 0;
    disposables.push(watchFile(file, () => (told += 1), { clock, settle: 300, poll: 60_000 }));
    await eventually(async () => {
      await appendFile(file, ' ');
      return told > 1;
    }, 20_000);
  });

  it('is left alone after disposal', async () => {
    const file = join(folder.path, 'mcp.json');
    await writeFile(file, fileWith('a'));
    const store = await watched(file);
    let fired = 0;
    store.onDidChange(() => (fired += 1));
    store.dispose();
    await writeFile(file, fileWith('b'));
    await delay(400);
    assert.equal(fired, 0);
  });
});
