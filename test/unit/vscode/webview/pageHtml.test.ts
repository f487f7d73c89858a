import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pageHtml } from '../../../../src/vscode/webview/pageHtml.ts';

const options = {
  nonce: 'n0nce',
  cspSource: 'https://page.test',
  script: 'https://page.test/result.js',
  style: 'https://page.test/result.css',
  language: 'en',
  title: 'A page',
};

describe('the HTML of a page', () => {
  it('lets nothing in but its own script and style, and data for pictures and sound', () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(pageHtml(options))![1]!;
    assert.deepEqual(policy.replaceAll('&#39;', "'").split('; ').sort(), [
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      'img-src data:',
      'media-src data:',
      "script-src 'nonce-n0nce'",
      'style-src https://page.test',
    ]);
  });

  it('has one script, which carries the nonce, and nothing inline', () => {
    const scripts = pageHtml(options).match(/<script[^>]*>[^<]*<\/script>/g)!;
    assert.deepEqual(scripts, ['<script nonce="n0nce" type="module" src="https://page.test/result.js"></script>']);
    assert.doesNotMatch(pageHtml(options), /<style|style=| on\w+=/);
  });

  it('keeps what it is given inside of its attribute', () => {
    const text = '"><script>alert(1)</script>';
    const html = pageHtml({ ...options, language: text, title: text });
    assert.doesNotMatch(html, /<script>alert/);
  });
});
