import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { nearest } from '../../../src/base/nearest.ts';

describe('the name that was most likely meant', () => {
  const names = ['read_file', 'write_file', 'echo', 'gh', 'Echo2'];

  it('is one slip away: a letter too many, too few, wrong, or two exchanged', () => {
    for (const text of ['read_fille', 'read_fil', 'reed_file', 'raed_file', 'read_flie']) {
      assert.equal(nearest(text, names), 'read_file', text);
    }
  });

  it('may be written with other capitals and marks, and one that is only that comes before a slip', () => {
    for (const text of ['readFile', 'read-file', 'READ.FILE']) assert.equal(nearest(text, names), 'read_file', text);
    assert.equal(nearest('echo2', names), 'Echo2');
  });

  it('is none where two letters are wrong, or the word has only two', () => {
    for (const text of ['raed_fil', 'delete_file', 'hg', 'g', '', '_'])
      assert.equal(nearest(text, names), undefined, text);
  });
});
