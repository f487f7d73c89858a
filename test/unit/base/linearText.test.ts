// Text of servers is looked at in linear time: 128 KiB of whatever is awkward for a pattern,
// where a quadratic one takes minutes.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Redactor } from '../../../src/base/redact.ts';
import { markdownText, stripTerminal, truncate, visibleLine, visibleText } from '../../../src/base/sanitise.ts';
import { expandTemplate, templateVariables } from '../../../src/core/discovery/uriTemplate.ts';
import { processorTime } from '../../support/processorTime.ts';

const size = 128 * 1024;
const awkward: readonly (readonly [name: string, unit: string])[] = [
  ['blanks', ' '],
  ['tabs', '\t'],
  ['line ends', '\r\n'],
  ['blanks and line ends', ' \n '],
  ['combining marks', '\u0301'],
  ['joiners', '\u200D'],
  ['emoji and joiners', '😀\u200D'],
  ['variation selectors', '\uFE0F'],
  ['bidi controls', '\u202E'],
  ['lone surrogates', '\uD800'],
  ['escapes', '\u001B'],
  ['escapes of colour', '\u001B[1;'],
  ['links of a terminal', '\u001B]8;;'],
  ['C1 controls', '\u009B'],
  ['punctuation', '[<&*'],
  ['braces', '{'],
  ['expressions', '{a,'],
  ['open expressions', '{a'],
  ['percent signs', '%2'],
  ['beginnings of a token', 'eyJ-'],
  ['parts of a token', 'eyJaaaaaaaa.'],
  ['beginnings of a key', 'sk-'],
  ['private keys', '-----BEGIN PRIVATE KEY-----'],
  ['schemes', 'bearer '],
  ['URLs', '://a'],
  ['assignments', 'token= '],
  ['ordinary text', 'word '],
];

const redactor = new Redactor(['abcdefgh', 'aaaaaaaaaaaaaaaaaaaa']);
const functions: Readonly<Record<string, (text: string) => unknown>> = {
  markdownText: (text) => markdownText(text, Infinity),
  visibleText,
  visibleLine: (text) => visibleLine(text, Infinity),
  stripTerminal,
  truncate: (text) => truncate(text, size / 2),
  redact: (text) => redactor.text(text, { cut: true }),
  templateVariables,
  expandTemplate: (text) => expandTemplate(text, { a: text }),
};

describe('A long text', () => {
  it('of a mebibyte of blanks is made plain at once', () => {
    const took = processorTime(() => {
      assert.equal(markdownText(`a${' '.repeat(1024 * 1024)}x`, Infinity).length, 1024 * 1024 + 2);
      assert.equal(markdownText(`a${' '.repeat(1024 * 1024)}\nx`, Infinity), 'a  \nx');
    });
    assert.ok(took < 3_000);
  });

  it('of many lines is shown about as fast as one line of the same length', () => {
    const time = (unit: string): number => {
      const text = unit.repeat(10_000_000 / unit.length);
      const once = (): number => processorTime(() => assert.equal(visibleText(text).length, text.length));
      return Math.min(once(), once(), once());
    };
    const plain = time('word ');
    // Looking at each line end in turn takes twenty times as long.
    for (const unit of ['\n', '\t', 'ab\n\t ']) {
      const took = time(unit);
      assert.ok(
        took < 5 * plain + 50,
        `${JSON.stringify(unit)}: ${Math.round(took)} ms against ${Math.round(plain)} ms`,
      );
    }
  });

  it('of which every character has to be shown otherwise neither ends the process nor fails', () => {
    assert.equal(visibleText('\u007F'.repeat(10_000_000)).length, 80_000_000);
    assert.equal(visibleText('\u0301'.repeat(10_000_000)).startsWith(`${'\u0301'.repeat(8)}[+`), true);
    assert.equal(visibleText('a\u200B'.repeat(2_000_000)).length, 18_000_000);
  });

  for (const [name, look] of Object.entries(functions)) {
    it(`is looked at by ${name} in linear time, whatever it holds`, () => {
      for (const [what, unit] of awkward) {
        if (name === 'expandTemplate' && unit.includes('{')) continue;
        // Closed by something else: a pattern that has to match to its end fails there.
        const text = `a${unit.repeat(Math.ceil(size / unit.length))}x`;
        const took = processorTime(() => look(text));
        assert.ok(took < 3_000, `${what} took ${Math.round(took)} ms`);
      }
    });
  }
});
