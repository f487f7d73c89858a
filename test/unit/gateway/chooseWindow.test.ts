import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { chooseWindow } from '../../../src/gateway/chooseWindow.ts';

interface Named {
  readonly kind: 'serving' | 'restricted';
  readonly name: string;
  readonly focusedAt: number;
  readonly folders: string[];
}

const window = (name: string, focusedAt: number, ...folders: string[]): Named => {
  return { kind: 'serving', name, focusedAt, folders };
};
const restricted = (name: string, focusedAt: number, ...folders: string[]): Named => {
  return { kind: 'restricted', name, focusedAt, folders };
};
const chosen = (folder: string, ...windows: Named[]): string | undefined =>
  chooseWindow(windows, folder, path.posix)?.name;

describe('the window that serves an agent', () => {
  it('is the one with the nearest folder around it, whichever was in front last', () => {
    const windows = [
      window('outer', 9, '/work'),
      window('inner', 1, '/other', '/work/app'),
      window('else', 5, '/else'),
    ];
    assert.equal(chosen('/work/app/src', ...windows), 'inner');
    assert.equal(chosen('/work/app', ...windows), 'inner');
    assert.equal(chosen('/work/lib', ...windows), 'outer');
  });

  it('is no neighbour whose name only begins the same', () => {
    assert.equal(chosen('/work/app2', window('app', 1, '/work/app'), window('last', 2, '/x')), 'last');
    assert.equal(chosen('/work/..app', window('work', 1, '/work'), window('last', 2, '/x')), 'work');
  });

  it('is among equals the one that was in front last, and that one too where none is around it', () => {
    assert.equal(chosen('/work', window('old', 1, '/work'), window('new', 2, '/work')), 'new');
    assert.equal(chosen('/nowhere', window('old', 1, '/work'), window('new', 2, '/else'), window('empty', 3)), 'empty');
    assert.equal(chosen('/nowhere'), undefined);
  });

  it('is none but the one in Restricted Mode where that is the nearest, and any other where it is not [TRUST-1c]', () => {
    const windows = [window('last', 9, '/home'), restricted('hostile', 1, '/home/hostile'), window('else', 8)];
    assert.equal(chosen('/home/hostile/src', ...windows), 'hostile');
    assert.equal(chosen('/home/mine', ...windows), 'last');
    assert.equal(chosen('/nowhere', restricted('hostile', 9, '/hostile'), window('else', 1, '/else')), 'else');
    assert.equal(chosen('/nowhere', restricted('hostile', 9, '/hostile')), undefined);
    // The very folder is trusted in another window.
    assert.equal(chosen('/both/a', restricted('hostile', 9, '/both', '/x'), window('trusted', 1, '/both')), 'trusted');
  });

  it('is found on Windows without regard to case and across drives', () => {
    const windows = [window('c', 1, 'C:\\Work'), window('d', 2, 'D:\\Work')];
    assert.equal(chooseWindow(windows, 'c:\\work\\app', path.win32)?.name, 'c');
    assert.equal(chooseWindow(windows, 'E:\\Work', path.win32)?.name, 'd');
  });
});
