import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { shownLine, shownName } from '../../../src/vscode/shownText.ts';

describe('text of others on the editor’s surfaces', () => {
  it('draws no icon', () => {
    assert.equal(shownLine('$(flame) hot'), '$ (flame) hot');
  });

  it('makes no link, so no command behind one', () => {
    const text = shownLine('[click](command:workbench.action.quit) [x](https://evil.example)');
    assert.doesNotMatch(text, /\]\(/);
  });

  it('shows what is hidden and stays on one line', () => {
    assert.equal(shownLine('a\u202Eb\nc'), 'a[U+202E]b⏎c');
  });

  it('shows two names alike only if they are the same', () => {
    const names = ['read1', 'read1\uFE0F', 'read1[U+FE0F]', 'read1<U+FE0F>', 'a$(b)', 'a$ (b)', 'a]<U+0028>b', 'a](b'];
    assert.equal(new Set(names.map((name) => shownName(name))).size, names.length);
    assert.equal(shownName('read1\uFE0F'), 'read1<U+FE0F>');
    assert.doesNotMatch(names.map((name) => shownName(name)).join(' '), /[\]$]\(/);
  });

  it('leaves ordinary text of any language alone', () => {
    assert.equal(shownLine('读取文件 (fast) [1]'), '读取文件 (fast) [1]');
  });
});
