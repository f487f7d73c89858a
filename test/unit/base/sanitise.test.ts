import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { markdownText, stripTerminal, truncate, visibleLine, visibleText } from '../../../src/base/sanitise.ts';
import { processorTime } from '../../support/processorTime.ts';

const runs = { numRuns: 10_000, seed: 20261129 };
/** Ordinary text, mixed with what hides, reorders, colours, links or breaks. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        ...['\u202E', '\u2066', '\u200B', '\u200D', '\uFEFF', '\u{E0041}', '\u00AD', '\u0000', '\u0007', '\u001B[31m'],
        ...[
          '\u001B]8;;http://evil.example\u0007',
          '\u009B2J',
          '\r',
          '\r\n',
          '\n',
          '\u2028',
          '\uD800',
          '\uDC00',
          '\u3164',
        ],
        ...[
          '[x](command:evil)',
          '![i](https://e.example/p.png)',
          '<img src=x onerror=alert(1)>',
          '$(warning)',
          '`',
          '~~~',
        ],
        ...[
          'https://evil.example',
          'www.evil.example',
          'a@b.example',
          '<https://e.example>',
          '&lt;',
          '# h',
          '- ',
          '    ',
        ],
        ...['👩‍👩‍👧', '⚙️', 'é', '你好', 'e\u0301', '\u0301'.repeat(30), '|--|', '=== ', '1. ', '\\', '[a]: http://e'],
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const hidden =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}\p{Cs}]/u;

describe('visibleText', () => {
  it('shows what reorders, hides or controls text by its number', () => {
    assert.equal(visibleText('safe\u202Egnp.exe'), 'safe[U+202E]gnp.exe');
    assert.equal(visibleText('a\u200Bb\uFEFFc\u{E0041}'), 'a[U+200B]b[U+FEFF]c[U+E0041]');
    assert.equal(visibleText('\u001B[2J\u0000\rx'), '[U+001B][2J[U+0000][U+000D]x');
    assert.equal(visibleText('\uD800x'), '[U+D800]x');
  });

  it('keeps lines, tabs and ordinary text of any language', () => {
    const text = 'Grüße\n\t你好 नमस्ते שלום العربية ⚙️ 👩‍👩‍👧 1️⃣ 👍🏽 — “quoted”';
    assert.equal(visibleText(text), text);
    assert.equal(visibleText('a\r\nb'), 'a\nb');
  });

  it('shows a joiner that holds no emoji together', () => {
    assert.equal(visibleText('pay\u200Dpal'), 'pay[U+200D]pal');
    assert.equal(visibleText('x\uFE0F'), 'x[U+FE0F]');
    assert.equal(visibleText('server1\uFE0F.js'), 'server1[U+FE0F].js');
  });

  it('bounds marks that are stacked on one character', () => {
    assert.equal(visibleText(`a${'\u0301'.repeat(20)}b`), `a${'\u0301'.repeat(8)}[+12 marks]b`);
  });

  it('leaves nothing hidden in any text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        assert.doesNotMatch(visibleText(text), hidden);
        const line = visibleLine(text, 40);
        assert.doesNotMatch(line, hidden);
        assert.doesNotMatch(line, /[\n\t]/);
        assert.ok(line.length <= 40);
      }),
      runs,
    );
  });
});

describe('visibleLine', () => {
  it('shows line ends and cuts with a marker', () => {
    assert.equal(visibleLine('one\ntwo\tthree'), 'one⏎two three');
    assert.equal(visibleLine('0123456789', 5), '0123…');
  });

  it('says that it is cut also where what is left became shorter', () => {
    assert.equal(visibleText('\r\n'.repeat(50), 20), `${'\n'.repeat(10)}…`);
    assert.match(visibleLine(`a${'\u0301'.repeat(5_000)}`, 100), /^a\u0301{8}\[\+\d+ marks\]…$/u);
  });

  it('is bounded where nobody names a bound, and Markdown too', () => {
    assert.equal(visibleLine('x'.repeat(3_000_000)).length, 8_192);
    assert.equal(markdownText('x'.repeat(3_000_000)).length, 8_192);
  });

  it('does not look at megabytes behind its cut', () => {
    const text = '\u202E'.repeat(5_000_000);
    const took = processorTime(() => {
      for (let i = 0; i < 100; i++) visibleLine(text, 80);
    });
    // Looking at all of it takes about a second each time.
    assert.ok(took < 10_000);
  });
});

describe('stripTerminal', () => {
  it('takes colours, cursor moves and links out', () => {
    assert.equal(stripTerminal('\u001B[1;31mred\u001B[0m \u009B2Jx'), 'red x');
    assert.equal(stripTerminal('\u001B]8;;http://e.example\u0007label\u001B]8;;\u001B\\'), 'label');
    assert.equal(stripTerminal('\u001B]0;title\nnext'), '\nnext');
    assert.equal(stripTerminal('plain'), 'plain');
  });

  it('leaves no escape character', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        assert.doesNotMatch(stripTerminal(text), /[\u001B\u009B\u009D]/);
      }),
      runs,
    );
  });
});

describe('truncate', () => {
  it('never cuts inside of what a person sees as one character', () => {
    assert.equal(truncate('ab👩‍👩‍👧cd', 5), 'ab…');
    assert.equal(truncate('e\u0301e\u0301e\u0301', 4), 'e\u0301…');
  });

  it('cuts a pile of marks inside, but no pair of surrogates', () => {
    assert.equal(truncate(`a${'\u0301'.repeat(500)}`, 101).length, 101);
    assert.equal(truncate(`😀${'\u{E0100}'.repeat(500)}`, 102), `😀${'\u{E0100}'.repeat(49)}…`);
  });

  it('takes no longer for a long text than for a short one', () => {
    const text = '👩‍👩‍👧'.repeat(100_000);
    const took = processorTime(() => {
      for (let i = 0; i < 100; i++) truncate(text, 50_000);
    });
    assert.ok(took < 1_000);
  });

  it('keeps what fits as it is', () => {
    assert.equal(truncate('abc', 3), 'abc');
    assert.equal(truncate('abc', 0), '');
  });

  it('keeps its length, and ends with a whole cluster and the marker', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(40), (text, max) => {
        const cut = truncate(text, max);
        assert.ok(cut.length <= max);
        if (text.length <= max) assert.equal(cut, text);
        else if (max > 0) assert.ok(cut.endsWith('…') && text.startsWith(cut.slice(0, -1)));
      }),
      runs,
    );
  });
});

describe('markdownText', () => {
  it('makes links, images, HTML, code, icons and commands plain', () => {
    assert.equal(markdownText('[x](command:y)'), '&#91;x&#93;&#40;command&#58;y&#41;');
    assert.equal(markdownText('  1. a\n<b>'), '&#160;&#160;1&#46; a  \n&#60;b&#62;');
  });

  it('holds nothing that Markdown could take for syntax, and shows the same text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const markdown = markdownText(text);
        const withoutReferences = markdown.replace(/&#\d{2,3};/g, '');
        assert.doesNotMatch(withoutReferences, /[!-/:-@[-`{-~]/);
        assert.doesNotMatch(markdown, /^[ \t]/m);
        assert.doesNotMatch(markdown, hidden);
        assert.equal(decode(markdown), visibleText(text).replaceAll('\t', '    ').replace(/ +$/gm, ''));
      }),
      runs,
    );
  });
});

/** What a Markdown reader shows: hard line breaks and character references resolved. */
function decode(markdown: string): string {
  return markdown
    .replaceAll('  \n', '\n')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('\u00A0', ' ')
    .replace(/ +$/gm, '');
}
