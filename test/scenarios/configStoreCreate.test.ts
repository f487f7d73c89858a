import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import { ConfigStore } from '../../src/core/config/configStore.ts';

describe('a configuration file that is made for a person to edit', () => {
  let folder: string;
  let file: string;
  let store: ConfigStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'config-'));
    file = join(folder, 'home', 'mcp.json');
    store = new ConfigStore({ file, scope: { kind: 'user' }, clock: systemClock() });
    await store.reload();
  });
  afterEach(async () => {
    store.dispose();
    await rm(folder, { recursive: true });
  });

  it('is well-formed, of the current version, and for its owner only', async () => {
    const made = await store.create();
    assert.deepEqual([made.exists, made.version, made.servers], [true, 3, []]);
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { version: 3, mcpServers: {} });
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('stays as it is when it is there already', async () => {
    await store.create();
    const own = '{ "version": 3, /* mine */ "mcpServers": {} }';
    await writeFile(file, own);
    await store.create();
    assert.equal(await readFile(file, 'utf8'), own);
  });
});
