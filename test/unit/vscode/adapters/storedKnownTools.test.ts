import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { checkTool } from '../../../../src/core/discovery/checkItem.ts';
import { limits } from '../../../../src/core/limits.ts';
import { KnownTools } from '../../../../src/core/policy/knownTools.ts';
import { StoredKnownTools } from '../../../../src/vscode/adapters/storedKnownTools.ts';
import { rawTool } from '../../../support/fakeLiveClient.ts';
import { MementoMap } from '../../../support/mementoMap.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

describe('what is known of tools, in files', () => {
  let folder: string;
  let remove: () => Promise<void>;
  let state: MementoMap;
  beforeEach(async () => {
    const made = await temporaryFolder();
    state = new MementoMap();
    [folder, remove] = [made.path, () => made.remove()];
  });
  afterEach(() => remove());

  it('is read back by the next window, each server for itself, and is for the person alone', async () => {
    const one = new StoredKnownTools(folder, state);
    one.write('project:/secret/path:a', 'first');
    one.write('project:/secret/path:a', 'second');
    one.write('user:b', 'other');
    assert.equal(await one.read('project:/secret/path:a'), 'second');
    const next = new StoredKnownTools(folder, state);
    assert.deepEqual([await next.read('user:b'), await next.read('user:none')], ['other', undefined]);
    const names = readdirSync(join(folder, 'tools'));
    assert.deepEqual(
      names.map((name) => /^[0-9a-f]{64}\.json$/.test(name)),
      [true, true],
    );
    if (process.platform !== 'win32') {
      const modes = [join(folder, 'tools'), ...names.map((name) => join(folder, 'tools', name))];
      assert.deepEqual(
        modes.map((path) => statSync(path).mode & 0o777),
        [0o700, 0o600, 0o600],
      );
    }
  });

  it('fails where what was seen once is gone: a file that was never written, or made room for others', async () => {
    writeFileSync(join(folder, 'tools'), 'a file in the place of the folder');
    const full = new StoredKnownTools(folder, state);
    full.write('user:a', 'x');
    await full.settled();
    rmSync(join(folder, 'tools'));
    const next = new StoredKnownTools(folder, state);
    await assert.rejects(next.read('user:a'));
    assert.equal(await next.read('user:never'), undefined);
  });

  it('is told by KnownTools: whatever such a server offers is new', async () => {
    const store = new StoredKnownTools(folder, state, 1);
    const before = new KnownTools(store);
    const list = { tools: [checkTool(rawTool('t'), { mirrors: false }).item!] };
    for (const key of ['user:a', 'user:b']) {
      await before.load(key);
      before.acceptFirst(key, list);
      assert.equal(before.changes(key, list).size, 0);
    }
    await store.settled();
    const after = new KnownTools(new StoredKnownTools(folder, state, 1));
    await after.load('user:a');
    after.acceptFirst('user:a', list);
    assert.deepEqual([...after.changes('user:a', list)], [['t', 'new']]);
  });

  it('keeps what is in use, however long ago it was written', async () => {
    const store = new StoredKnownTools(folder, state, 2);
    for (const key of ['user:daily', 'user:old']) store.write(key, key);
    await store.settled();
    for (const name of readdirSync(join(folder, 'tools'))) utimesSync(join(folder, 'tools', name), 1, 1);
    await store.read('user:daily');
    store.write('user:new', 'new');
    assert.equal(await store.read('user:daily'), 'user:daily');
    await assert.rejects(store.read('user:old'));
  });

  it('fails on a file that is too large to be ours', async () => {
    const store = new StoredKnownTools(folder, state);
    store.write('user:a', 'x');
    await store.settled();
    const [name] = readdirSync(join(folder, 'tools'));
    writeFileSync(join(folder, 'tools', name!), Buffer.alloc(2 * limits.knownTools.bytes + 1));
    await assert.rejects(store.read('user:a'), RangeError);
  });

  it('goes on where it cannot write', async () => {
    writeFileSync(join(folder, 'tools'), 'a file in the place of the folder');
    const store = new StoredKnownTools(folder, state);
    store.write('user:a', 'x');
    await store.settled();
    await assert.rejects(store.read('user:a'));
  });

  it('keeps so many servers and no more, those written last', async () => {
    const tools = join(folder, 'tools');
    mkdirSync(tools);
    const old = Array.from({ length: 10 }, (_, index) => join(tools, `${index}.json`));
    for (const [index, file] of old.entries()) {
      writeFileSync(file, '');
      utimesSync(file, index + 1, index + 1);
    }
    const store = new StoredKnownTools(folder, state, 10);
    store.write('user:a', 'x');
    assert.equal(await store.read('user:a'), 'x');
    assert.deepEqual([existsSync(old[0]!), existsSync(old[1]!)], [false, true]);
    assert.equal(readdirSync(tools).length, 10);
  });
});
