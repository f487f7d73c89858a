import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LogRing } from '../../../../src/core/transport/logRing.ts';

describe('LogRing', () => {
  it('keeps the newest lines within its size and counts what went', () => {
    const ring = new LogRing({ size: 12, line: 100 });
    for (const line of ['one', 'two', 'three', 'four']) ring.push(line);
    assert.deepEqual(ring.lines(), ['three', 'four']);
    assert.equal(ring.dropped, 2);
  });

  it('answers with the last lines only when asked for so many', () => {
    const ring = new LogRing({ size: 1_000, line: 100 });
    for (const line of ['a', 'b', 'c']) ring.push(line);
    assert.deepEqual(ring.lines(2), ['b', 'c']);
    assert.deepEqual(ring.lines(9), ['a', 'b', 'c']);
  });

  it('cuts a line that is too long and says so', () => {
    const ring = new LogRing({ size: 1_000, line: 5 });
    ring.push('abcdefgh');
    assert.deepEqual(ring.lines(), ['abcd…']);
  });

  it('keeps the newest line even when it alone is beyond the size', () => {
    const ring = new LogRing({ size: 3, line: 100 });
    ring.push('old');
    ring.push('longer than three');
    assert.deepEqual(ring.lines(), ['longer than three']);
  });

  it('is bounded against a stream of empty lines', () => {
    const ring = new LogRing({ size: 10, line: 100 });
    for (let index = 0; index < 5_000; index++) ring.push('');
    assert.equal(ring.lines().length, 10);
    assert.equal(ring.dropped, 4_990);
  });

  it('forgets everything when it is cleared', () => {
    const ring = new LogRing({ size: 3, line: 100 });
    ring.push('one');
    ring.push('two');
    ring.clear();
    ring.push('x');
    assert.deepEqual(ring.lines(), ['x']);
    assert.equal(ring.dropped, 0);
  });
});
