import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sizeOf } from '../../../src/base/sizeOf.ts';

describe('sizeOf', () => {
  it('counts text, keys and values', () => {
    assert.equal(sizeOf('abc'), 7);
    assert.equal(sizeOf({ key: 'abc', list: [1, null] }), 3 + 4 + 3 + 5 * 4);
    assert.equal(sizeOf(undefined), 4);
    assert.equal(sizeOf([1], Number.POSITIVE_INFINITY, 100), 200);
  });

  it('stops soon above its bound, also inside of one long list', () => {
    const size = sizeOf([Array<number>(3_000_000).fill(1), 'x'.repeat(10_000)], 1_000);
    assert.ok(size > 1_000 && size < 12_000, String(size));
    const deep = sizeOf([Array<number>(3_000_000).fill(1)], 1_000);
    assert.ok(deep > 1_000 && deep < 1_100, String(deep));
  });
});
