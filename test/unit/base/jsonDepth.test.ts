import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isDeeperThan } from '../../../src/base/jsonDepth.ts';

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

describe('isDeeperThan', () => {
  it('counts objects and lists that stand in each other', () => {
    for (const scalar of [null, 1, 'x', undefined]) assert.equal(isDeeperThan(scalar, 0), false);
    assert.equal(isDeeperThan({}, 1), false);
    assert.equal(isDeeperThan({}, 0), true);
    assert.equal(isDeeperThan({ a: [1, { b: null }] }, 3), false);
    assert.equal(isDeeperThan({ a: [1, { b: null }] }, 2), true);
  });

  it('answers for a depth at which recursion ends', () => {
    assert.equal(isDeeperThan(nested(200_000), 500), true);
    assert.equal(isDeeperThan(nested(200_000), 200_000), false);
  });
});
