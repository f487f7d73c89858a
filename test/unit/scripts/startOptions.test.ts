import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'mocha';
import { readStartOptions } from '../../../scripts/lib/startOptions.mjs';

describe('the options of npm start', () => {
  it('are the sample in a browser when nothing is asked for', () => {
    assert.deepEqual(readStartOptions([]), { smoke: false, desktop: false, folder: undefined });
  });

  it('name a folder by its absolute path', () => {
    const folder = resolve(import.meta.dirname);
    assert.deepEqual(readStartOptions(['--smoke', '--folder', folder]), { smoke: true, desktop: false, folder });
    assert.equal(readStartOptions(['--folder', '.']).folder, resolve('.'));
  });

  for (const [args, told] of [
    [['--folder', '/nonexistent'], /^--folder: there is no folder .*\/nonexistent\.$/],
    [['--folder', import.meta.filename], /^--folder: there is no folder/],
    [['--folder', ''], /^--folder needs a folder/],
    [['--bogus'], /^Unknown option '--bogus'\.\n\nHow to use it:/],
    [['folder'], /folder[^]*How to use it:/],
    [['--folder'], /--folder[^]*How to use it:/],
  ] as const) {
    it(`refuse ${JSON.stringify(args.map((arg) => arg.split('/').at(-1)))} in words, without a stack`, () => {
      assert.throws(
        () => readStartOptions(args),
        (error: Error) => {
          assert.equal(error.name, 'SetupError');
          assert.match(error.message, told);
          return true;
        },
      );
    });
  }
});
