import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fillIn, sentences } from '../../../src/contract/sentences.ts';

describe('a sentence with its data', () => {
  it('ends with one full stop, whatever its last value ends with', () => {
    assert.equal(fillIn('It said: {detail}.', { detail: 'No such row.' }), 'It said: No such row.');
    assert.equal(fillIn('It said: {detail}.', { detail: 'and so on...' }), 'It said: and so on...');
    assert.equal(fillIn('它说：{detail}。', { detail: 'No such row.' }), '它说：No such row。');
    assert.equal(fillIn('{first} and {detail}', { first: 'a.', detail: 'b.' }), 'a. and b.');
    assert.equal(fillIn('{file}: {detail}', { file: '.' }), '.: ?');
  });

  it('of a refused protocol does not propose the one that is set', () => {
    for (const mode of ['auto', 'legacy', '2026-07-28']) assert.ok(!sentences.eraUnsupported.remedy.includes(mode));
  });
});
