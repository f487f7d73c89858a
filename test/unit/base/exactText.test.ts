import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { exactPart, exactText } from '../../../src/base/exactText.ts';
import { processorTime } from '../../support/processorTime.ts';

const runs = { numRuns: 10_000, seed: 20261130 };
/** What hides, what shows it, and what composes, so that two texts come close to looking alike. */
const telling = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['a', 'b', ' ', '  ', '   ', '\t', '\n', '\r', '\r\n', '⏎', '"', '""', '<', '<U+', '<U+202E>', '>'],
        ...['\u202E', '\u200B', '\u200D', '\uFE0F', '\uFE0E', '\u{E0100}', '\u{E0041}', '\u3164', '\u00AD', '\u2800'],
        ...['[U+202E]', '[1 × U+0020]', '<U+0020 × 3>', '<U+0020>', '<U+000A>', '\\n', '\\u202e', '[+3 marks]', '×'],
        ...[
          'e\u0301',
          'é',
          '\u0301',
          '\u0302\u0323',
          '\u0323\u0302',
          '\u0338',
          '\u212B',
          'Å',
          '\u1112\u1161\u11AB',
          '한',
        ],
        ...['\u00A0', '\u3000', '\u2003', '©', '1', '😀', '\uD800', '\uDC00', '\uFFFF', '\u{F0000}', '漢', '\uF900'],
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
/** A text, and one that is made from it or that stands for it. */
const pairs = fc.oneof(
  fc.tuple(telling, telling),
  telling.map((text) => [text, exactText(text)] as const),
  telling.map((text) => [text, text.normalize('NFC')] as const),
  telling.map((text) => [text, text.replace(/[\p{Default_Ignorable_Code_Point}\p{M}\r]/gu, '')] as const),
);

describe('text that a person decides by', () => {
  it('shows what draws no ink, of every script, as its number', () => {
    for (const blank of [
      '\u{13441}',
      '\u{13442}',
      '\u{1D159}',
      '\u{16FE4}',
      '\u{1DA7F}',
      '\u{1DA80}',
      '\u3164',
      '\uFFA0',
    ]) {
      const code = blank.codePointAt(0)!.toString(16).toUpperCase();
      assert.equal(exactText(`a${blank}b`), `a<U+${code}>b`);
    }
  });

  it('drops and hides nothing that another text does not have', () => {
    assert.equal(exactText('server1\uFE0F.js'), 'server1<U+FE0F>.js');
    assert.equal(exactText('©\uFE0F'), '©<U+FE0F>');
    assert.equal(exactText('x😀\u200D😀'), 'x😀<U+200D>😀');
    assert.equal(exactText('a\u202Eb\nc'), 'a<U+202E>b⏎c');
    assert.equal(exactText('a\r\nb'), 'a<U+000D>⏎b');
    const marks = (last: string): string => exactText(`a${'\u0302'.repeat(20)}${last}`);
    assert.notEqual(marks('\u0302\u0303'), marks('\u0303\u0302'));
  });

  it('shows blanks that a reader could miss as their number', () => {
    assert.equal(exactText('two words'), 'two words');
    assert.equal(exactText('two  words'), 'two<U+0020 × 2>words');
    assert.equal(exactText(' x '), '<U+0020>x<U+0020>');
    assert.equal(exactText(`ok${' '.repeat(10_000)}rm`), 'ok<U+0020 × 10000>rm');
    assert.equal(exactText(''), '""');
    assert.equal(exactPart(''), '');
    for (const blank of ['\u00A0', '\u1680', '\u2003', '\u202F', '\u205F', '\u3000', '\t']) {
      const name = `U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
      assert.equal(exactText(`a${blank}b`), `a<${name}>b`);
      assert.equal(exactText(`a ${blank.repeat(500)}b`), `a<U+0020><${name} × 500>b`);
    }
  });

  it('tells its own signs from the same letters in a text', () => {
    assert.equal(exactText('a⏎b'), 'a<U+23CE>b');
    assert.equal(exactText('<U+202E>'), '<U+003C>U+202E>');
    assert.equal(exactText('""'), '<U+0022>"');
    assert.equal(exactText('[3 × U+0020] [U+202E] \\u202e <b>'), '[3 × U+0020] [U+202E] \\u202e <b>');
  });

  it('tells spellings of the same character apart, and keeps languages that are written with marks', () => {
    assert.equal(exactText('é e\u0301'), 'é e<U+0301>');
    assert.equal(exactText('Å \u212B'), 'Å <U+212B>');
    const text = 'Grüße 你好 नमस्ते שלום العربية 👍🏽 — “quoted” <b>';
    assert.equal(exactText(text), text);
  });

  it('shows two texts alike only if they are the same', () => {
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        const alike = exactText(one) === exactText(other).normalize('NFC');
        assert.equal(alike, one === other);
      }),
      runs,
    );
  });

  it('can be read back, holds nothing hidden, and is in normal form', () => {
    fc.assert(
      fc.property(telling, fc.constantFrom('', ':', '<U'), (text, reserved) => {
        const shown = exactText(text, reserved);
        assert.equal(readBack(shown), text);
        assert.doesNotMatch(shown, /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]| {2}|^ | $/u);
        assert.equal(shown.normalize('NFC'), shown);
      }),
      runs,
    );
  });

  it('is made in linear time, whatever the text holds', () => {
    for (const unit of ['a', ' ', '\u0301', 'e\u0301', '\u202E', '漢', ' \u3000', '<U+', '\uD800']) {
      const took = processorTime(() => exactText(unit.repeat((128 * 1024) / unit.length)));
      assert.ok(took < 3_000, JSON.stringify(unit));
    }
  });
});

function readBack(shown: string): string {
  if (shown === '""') return '';
  return shown
    .replaceAll('⏎', '\n')
    .replace(/<U\+([0-9A-F]+)(?: × (\d+))?>/g, (_, code: string, times = '1') =>
      String.fromCodePoint(parseInt(code, 16)).repeat(Number(times)),
    );
}
