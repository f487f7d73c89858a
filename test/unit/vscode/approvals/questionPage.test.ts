import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type QuestionPage, questionPage } from '../../../../src/vscode/approvals/questionPage.ts';
import { english } from '../../../../src/vscode/translate.ts';

const frame = { nonce: 'n0nce', language: 'en', room: 100 };
const html = (page: Partial<QuestionPage>, more: Partial<typeof frame> = {}): string =>
  questionPage({ title: 'Run it?', sections: [], ...page }, { ...frame, ...more }, english);

describe('the page beside a question', () => {
  it('lets nothing in but its own style, and no script at all', () => {
    const page = html({ sections: [{ heading: 'One', lines: ['a'] }] });
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)![1]!;
    assert.deepEqual(policy.replaceAll('&#39;', "'").split('; ').sort(), [
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "style-src 'nonce-n0nce'",
    ]);
    assert.doesNotMatch(page, /<script|<img|<link| on\w+=| style=/);
    assert.deepEqual(page.match(/<a [^>]*>/g), [
      '<a href="command:workbench.action.focusQuickOpen" title="Back to the answers">',
    ]);
  });

  it('shows every text as text, wherever it is put', () => {
    const hostile = '</p><script>alert(1)</script><a href="command:x">\'&amp;';
    const shown = '&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;a href=&quot;command:x&quot;&gt;&#39;&amp;amp;';
    const sections = [{ heading: hostile, lines: [hostile, { side: 'now' as const, text: hostile }] }];
    const page = html({ title: hostile, sections }, { language: hostile });
    assert.equal(page.split(shown).length - 1, 6);
    assert.doesNotMatch(page, /<script|command:x">/);
  });

  it('takes no colour, font or line length from the window, and wraps what is long', () => {
    const page = html({});
    assert.doesNotMatch(page, /--vscode/);
    for (const rule of ['color: CanvasText !important', 'background: Canvas !important', 'white-space: pre-wrap'])
      assert.ok(page.includes(rule), rule);
    assert.match(page, /overflow-wrap: anywhere/);
  });

  it('has a heading, an order of headings and landmarks, and a way back to the answers', () => {
    const page = html({ sections: [{ heading: 'One', lines: ['a'] }] });
    assert.match(page, /<html lang="en">/);
    assert.match(
      page,
      /<main>\n<h1>Run it\?<\/h1>\n<section>\n<h2>One<\/h2>\n<p class="line">a<\/p>\n<\/section>\n<\/main>/,
    );
    assert.match(page, /<nav><a [^>]*>Back to the answers<\/a><\/nav>\n<main>/);
  });

  it('marks what differs within a line', () => {
    const lines = (['before', 'now'] as const).map((side) => ({ side, text: 'a<b>c', part: { start: 1, end: 4 } }));
    const page = html({ sections: [{ lines }] });
    assert.ok(
      page.includes('</span> a<del>&lt;b&gt;</del>c</p>') && page.includes('</span> a<ins>&lt;b&gt;</ins>c</p>'),
      page,
    );
  });

  it('tells the sides of a comparison by sign and by word, each run of lines under its own', () => {
    const lines = ['same', ...(['before', 'now'] as const).map((side) => ({ side, text: side })), 'end'];
    const page = html({ sections: [{ lines }] });
    const text = page.slice(page.indexOf('<section>'), page.indexOf('</section>')).replaceAll(/<[^>]*>/g, '');
    assert.equal(text.trim().replaceAll(/\n+/g, '|'), 'same|Before|− before|Now|+ now|end');
    assert.deepEqual(page.match(/aria-label="\w+"/g), ['aria-label="Before"', 'aria-label="Now"']);
    assert.equal(page.match(/<div/g)?.length, page.match(/<\/div>/g)?.length);
  });
});
