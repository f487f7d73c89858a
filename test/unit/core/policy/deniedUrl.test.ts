import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { canDeny, deniesUrl } from '../../../../src/core/policy/deniedUrl.ts';

describe('a pattern of denied URLs', () => {
  const evil = 'https://evil.example/mcp';

  for (const pattern of ['*/*', '*//evil.example/*', 'https:/*', '*/*evil*', '*:/*', '*://evil.example/*', evil]) {
    it(`denies what the editor denies by it: ${pattern}`, () => {
      assert.equal(canDeny(pattern), true);
      assert.equal(deniesUrl(pattern, evil), true);
    });
  }

  it('keeps a star before the path within it, and lets a port be any and none', () => {
    assert.equal(deniesUrl('https://*.example/*', 'https://a.b.example/x'), true);
    assert.equal(deniesUrl('https://*.example/*', 'https://good/evil.example/x'), false);
    for (const port of ['', ':8443'])
      assert.equal(deniesUrl('https://evil.example:*/*', `https://evil.example${port}/x`), true);
    assert.equal(deniesUrl('https://evil.example:*/*', 'https://evil.example.org/x'), false);
    assert.equal(deniesUrl('https://evil.example/*', 'https://other.example/evil.example/'), false);
  });

  it('denies a host with a dot behind it, and one that is written in another way', () => {
    for (const pattern of ['https://evil.example/*', 'https://*.example/*', evil]) {
      assert.equal(deniesUrl(pattern, 'https://evil.example./mcp'), true, pattern);
      assert.equal(deniesUrl(pattern, 'https://evil.example.:443/mcp'), true, pattern);
    }
    assert.equal(deniesUrl('http://127.0.0.1:443/*', 'http://2130706433:443/x'), true);
    assert.equal(deniesUrl('https://b\u00fccher.example/*', 'https://xn--bcher-kva.example/x'), true);
  });

  for (const pattern of [
    'evil.example',
    '*',
    'https//evil.example/*',
    '*evil.example*',
    'ftp://evil.example/*',
    'https://',
  ]) {
    it(`is not understood where it can deny nothing: ${pattern}`, () => {
      assert.equal(canDeny(pattern), false);
    });
  }

  it('takes no long time, whatever it says', () => {
    const started = performance.now();
    assert.equal(deniesUrl(`${'*/'.repeat(500)}x`, `https://evil.example/${'a/'.repeat(1_000)}`), false);
    assert.ok(performance.now() - started < 2_000);
  });
});
