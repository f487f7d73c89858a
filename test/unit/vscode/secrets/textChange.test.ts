import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { textChange } from '../../../../src/vscode/secrets/textChange.ts';

const applied = (before: string, after: string): string => {
  const { start, end, text } = textChange(before, after);
  return before.slice(0, start) + text + before.slice(end);
};

describe('textChange', () => {
  it('is the lines that differ', () => {
    assert.deepEqual(textChange('a\nb\nc\n', 'a\nX\nc\n'), { start: 2, end: 4, text: 'X\n' });
    assert.deepEqual(textChange('a\nb\nc\n', 'a\nc\n'), { start: 2, end: 6, text: 'c\n' });
    assert.deepEqual(textChange('a', 'a'), { start: 0, end: 1, text: 'a' });
  });

  it('makes one text of the other, and cuts no character and no line end', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '\r\n', '\n', '😀', '😁'), maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        assert.equal(applied(before, after), after);
        const { start, end } = textChange(before, after);
        for (const at of [start, end]) {
          assert.ok(!/[\uD800-\uDBFF]$/.test(before.slice(0, at)));
          assert.ok(at === 0 || at === before.length || before[at - 1] === '\n');
        }
      }),
      { seed: 3, numRuns: 2_000 },
    );
  });
});
