import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limits } from '../../../../src/core/limits.ts';
import { readRuntimes, withRuntime, writtenRuntimes } from '../../../../src/core/launcher/runtimeList.ts';

const all = { platform: 'linux', isThere: () => true } as const;

describe('the list of runtimes', () => {
  it('has a new one first, and leaves a known one where it is', () => {
    assert.deepEqual(withRuntime(['/a', '/b'], '/c', all), ['/c', '/a', '/b']);
    assert.deepEqual(withRuntime(['/a', '/b'], '/b', all), ['/a', '/b']);
  });

  it('loses those that are gone, as an editor that was moved or updated', () => {
    const isThere = (path: string): boolean => path !== '/gone';
    assert.deepEqual(withRuntime(['/gone', '/b'], '/c', { ...all, isThere }), ['/c', '/b']);
  });

  it('stays short, and keeps the own one', () => {
    const many = Array.from({ length: 20 }, (_, at) => `/${at}`);
    assert.equal(withRuntime(many, '/new', all).length, limits.launcher.runtimes);
    assert.equal(withRuntime(many, '/new', all)[0], '/new');
    assert.deepEqual(withRuntime(many, '/19', all), ['/19', '/0', '/1', '/2', '/3', '/4', '/5', '/6']);
  });

  it('keeps the others where the own one is not to be tried', () => {
    assert.deepEqual(withRuntime(['/a', '/b'], undefined, all), ['/a', '/b']);
  });

  it('takes absolute paths of one line only', () => {
    assert.deepEqual(withRuntime(['node', './code', '/a\nb', '/ok'], '/c', all), ['/c', '/ok']);
    assert.deepEqual(withRuntime([], 'code', all), []);
    const windows = { platform: 'win32', isThere: () => true } as const;
    assert.deepEqual(withRuntime(['/a"b', 'C:\\x" & calc & "', 'C:\\ok.exe'], 'D:\\Code.exe', windows), [
      'D:\\Code.exe',
      'C:\\ok.exe',
    ]);
  });

  it('is read back as it was written, and is empty where the file is not ours', () => {
    assert.deepEqual(readRuntimes(writtenRuntimes(['/a', '/b c'])), ['/a', '/b c']);
    for (const text of [undefined, '', 'no', '[]', '{}', 'null', '{"runtimes":{}}']) {
      assert.deepEqual(readRuntimes(text), [], text);
    }
    assert.deepEqual(readRuntimes('{"runtimes":[1,"/a",null,"/a"]}'), ['/a']);
  });
});
