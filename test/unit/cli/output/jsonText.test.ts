import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { jsonText } from '../../../../src/cli/output/jsonText.ts';

describe('jsonText', () => {
  it('is the same value for every JSON value, and holds nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = jsonText(value);
        assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));

        assert.doesNotMatch(text, /[\u0000-\u001F\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      }),
      { numRuns: 2_000, seed: 20 },
    );
  });

  it('escapes characters outside the basic plane as their two halves', () => {
    assert.equal(jsonText('\u{E0041}\u202E'), '"\\udb40\\udc41\\u202e"');
    assert.equal(jsonText('é漢😀'), '"é漢😀"');
  });

  it('escapes what a terminal draws nothing for', () => {
    assert.equal(jsonText('a\uFE0F\u{E0100}\u3164\u115F\u034F'), '"a\\ufe0f\\udb40\\udd00\\u3164\\u115f\\u034f"');
  });
});
