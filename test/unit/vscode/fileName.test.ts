import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fileName } from '../../../src/vscode/fileName.ts';

describe('a file name made from a server’s name', () => {
  it('is the name itself where that is safe', () => {
    assert.equal(fileName('read-file_2.v1'), 'read-file_2.v1');
    assert.equal(fileName('读取'), '读取');
  });

  it('holds nothing that a path could take for more than letters', () => {
    for (const name of ['../../x', '/etc/passwd', 'a\\b', '..', 'a\u0000b', 'x'.repeat(300)]) {
      assert.doesNotMatch(fileName(name), /[\\/\u0000]|^\.\./, name);
      assert.ok(fileName(name).length <= 70);
    }
  });

  it('keeps names apart that had to be changed', () => {
    assert.notEqual(fileName('a b'), fileName('a/b'));
  });
});
