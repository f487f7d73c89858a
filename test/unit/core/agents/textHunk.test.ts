import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { hunkBetween, takeBack } from '../../../../src/core/agents/textHunk.ts';

describe('the stretch in which two texts differ', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r\n', '\n', '😀', '{', ' '), maxLength: 20 });

  it('makes either text of the other, and splits no character and no line end', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { at, removed, inserted } = hunkBetween(before, after);
        assert.equal(before.slice(0, at) + inserted + before.slice(at + removed.length), after);
        for (const part of [removed, inserted, before.slice(0, at)]) assert.equal(Buffer.from(part).toString(), part);
        assert.equal(before.slice(0, at).endsWith('\r') && after[at] === '\n', false);
        if (before !== after) assert.ok(takeBack(after, { at, removed, inserted }).includes(before));
      }),
      { numRuns: 2_000, seed: 3 },
    );
  });

  it('is found again where the text before it grew, as long as it stands there once', () => {
    const hunk = hunkBetween('head tail', 'head OURS tail');
    assert.deepEqual(takeBack('more head OURS tail', hunk), ['more head tail']);
    assert.deepEqual(takeBack('head tail', hunk), []);
    assert.deepEqual(takeBack('x OURS OURS y', hunk), []);
  });
});
