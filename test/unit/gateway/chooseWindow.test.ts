import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { chooseWindow } from '../../../src/gateway/chooseWindow.ts';

const window = (name: string, focusedAt: number, ...folders: string[]) => ({ name, focusedAt, folders });
const chosen = (folder: string, ...windows: ReturnType<typeof window>[]): string | undefined =>
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

  it('is found on Windows without regard to case and across drives', () => {
    const windows = [window('c', 1, 'C:\\Work'), window('d', 2, 'D:\\Work')];
    assert.equal(chooseWindow(windows, 'c:\\work\\app', path.win32)?.name, 'c');
    assert.equal(chooseWindow(windows, 'E:\\Work', path.win32)?.name, 'd');
  });
});
