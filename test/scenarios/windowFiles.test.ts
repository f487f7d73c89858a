import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { WindowDescriptor } from '../../src/contract/windowDescriptor.ts';
import { ownIdentity, systemFacts } from '../../src/core/config/processIdentity.ts';
import {
  announcedWindows,
  openWindows,
  removeWindow,
  windowsFolder,
  writeWindow,
} from '../../src/gateway/windowFiles.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('the files by which windows are found', () => {
  let home: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => (home = await temporaryFolder()));
  afterEach(() => home.remove());

  async function descriptor(changes: Partial<WindowDescriptor> = {}): Promise<WindowDescriptor> {
    const process = await ownIdentity();
    return {
      version: 1,
      kind: 'serving',
      process,
      url: 'http://127.0.0.1:4321',
      token: 'secret',
      folders: ['/work'],
      focusedAt: 1,
      ...changes,
    };
  }

  it('are the person’s alone, replaced in one step, and gone with their window', async () => {
    await writeWindow(home.path, await descriptor());
    await writeWindow(home.path, await descriptor({ focusedAt: 2 }));
    const folder = windowsFolder(home.path);
    const [name, ...others] = await readdir(folder);
    assert.deepEqual(others, []);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    assert.equal((await stat(join(folder, name!))).mode & 0o777, 0o600);
    assert.deepEqual(
      (await openWindows(home.path)).map(({ focusedAt }) => focusedAt),
      [2],
    );
    await removeWindow(home.path, await ownIdentity());
    assert.deepEqual([await openWindows(home.path), await readdir(folder)], [[], []]);
  });

  it('go with the next look where the process is gone, and where its number is another’s now', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    const own = await ownIdentity();
    await writeWindow(home.path, await descriptor({ process: { ...own, pid: child.pid!, start: '1' } }));
    await once(child, 'exit');
    await writeWindow(home.path, await descriptor({ process: { ...own, start: '1' } }));
    assert.deepEqual([await openWindows(home.path), await readdir(windowsFolder(home.path))], [[], []]);
  });

  it('are no window where others could have written or read them, or where they say something else', async () => {
    const folder = windowsFolder(home.path);
    await writeWindow(home.path, await descriptor());
    const [name] = await readdir(folder);
    const file = join(folder, name!);
    const good = JSON.stringify(await descriptor());
    for (const [text, mode] of [
      [good, 0o644],
      [good.replace('127.0.0.1', 'evil.example'), 0o600],
      [good.replace('"version":1', '"version":2'), 0o600],
      [good.replace(String(process.pid), String(process.pid + 1)), 0o600],
      ['{', 0o600],
      [`${good}${' '.repeat(100_000)}`, 0o600],
    ] as const) {
      await writeFile(file, text);
      await chmod(file, mode);
      assert.deepEqual(await openWindows(home.path), [], `${mode.toString(8)} ${text.slice(0, 80)}`);
    }
    await writeFile(file, good);
    await chmod(file, 0o600);
    assert.equal((await openWindows(home.path)).length, 1);
    const elsewhere = join(home.path, 'elsewhere.json');
    await writeFile(elsewhere, good, { mode: 0o600 });
    await removeWindow(home.path, await ownIdentity());
    await symlink(elsewhere, file);
    assert.deepEqual(await openWindows(home.path), []);
  });

  it('of another machine or container are no window here, and stay: the port would be somebody else’s', async () => {
    const own = await ownIdentity();
    await writeWindow(home.path, await descriptor({ process: { ...own, host: 'elsewhere' } }));
    await writeWindow(home.path, await descriptor({ process: { ...own, namespace: 'pid:[1]' } }));
    await writeWindow(home.path, await descriptor());
    const found = await announcedWindows(home.path);
    assert.deepEqual(
      found.map(({ process }) => process),
      [own],
    );
    assert.equal((await readdir(windowsFolder(home.path))).length, 3);
    const there = { ...systemFacts, host: 'elsewhere' };
    assert.deepEqual(
      (await announcedWindows(home.path, there)).map(({ process: { host } }) => host),
      ['elsewhere'],
    );
  });

  it('in Restricted Mode tell their folders and no way to reach them, whatever else is written there [TRUST-1c]', async () => {
    const { url, token, socket, ...common } = await descriptor({ socket: '/s' });
    const restricted = { ...common, kind: 'restricted' as const };
    await writeWindow(home.path, restricted);
    const [name] = await readdir(windowsFolder(home.path));
    assert.deepEqual([await announcedWindows(home.path), await openWindows(home.path)], [[restricted], []]);
    await writeFile(join(windowsFolder(home.path), name!), JSON.stringify({ ...restricted, url, token, socket }));
    assert.deepEqual(await announcedWindows(home.path), [restricted]);
  });

  it('are none where there is no folder', async () => {
    assert.deepEqual(await openWindows(home.path), []);
  });
});
