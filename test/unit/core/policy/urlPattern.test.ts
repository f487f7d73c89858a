import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { matchesUrl } from '../../../../src/core/policy/urlPattern.ts';

/** The editor's own code answers the same for each of these. */
const cases: readonly (readonly [pattern: string, url: string, matches: boolean])[] = [
  // Without a star both are URLs, whose scheme, host and default port have one form; capitals count nowhere.
  ['https://a.example/mcp', 'https://a.example/mcp', true],
  ['https://a.example:443/mcp', 'https://a.example/mcp', true],
  ['HTTPS://A.example/MCP', 'https://a.example/mcp', true],
  ['https://a.example', 'https://a.example/', true],
  ['https://a.example/mcp#x', 'https://a.example/mcp#y', true],
  ['https://a.example/mcp', 'https://a.example/mcp/', false],
  ['https://a.example/mcp', 'https://a.example/mcp?x=1', false],
  ['https://a.example/mcp', 'http://a.example/mcp', false],
  ['https://a.example/mcp', 'https://a.example.evil/mcp', false],
  ['a.example', 'https://a.example/', false],
  // A star in the path takes everything, also more slashes and the query.
  ['https://a.example/*', 'https://a.example/', true],
  ['https://a.example/*', 'https://a.example/x/y?z=1', true],
  ['https://a.example/x*z', 'https://a.example/x/y/z', true],
  ['https://a.example/x*z', 'https://a.example/x/y', false],
  ['https://a.example/*', 'https://b.example/', false],
  // A star in the host stays in the host.
  ['https://*.example/*', 'https://a.example/x', true],
  ['https://*.example/*', 'https://a.b.example/x', true],
  ['https://*.example/*', 'https://example/x', false],
  ['https://*.example/*', 'https://evil.com/a.example/x', false],
  ['https://*.example/*', 'https://evil.com?x=a.example/x', false],
  ['https://*', 'https://a.example/', true],
  ['https://*', 'https://a.example/x', false],
  ['*://a.example/*', 'http://a.example/x', true],
  ['http*://a.example/*', 'https://a.example/x', true],
  // Ports: the scheme's own is none, and `:*` is any or none.
  ['https://a.example:443/*', 'https://a.example/x', true],
  ['https://a.example:8443/*', 'https://a.example/x', false],
  ['https://a.example:*/*', 'https://a.example/x', true],
  ['https://a.example:*/*', 'https://a.example:8443/x', true],
  ['http://localhost:*/mcp', 'http://localhost:3000/mcp', true],
  ['http://[::1]:*/*', 'http://[::1]:3000/mcp', true],
  // Credentials in a pattern are none of the host, and a fragment is none of the path.
  ['https://user@a.example/*', 'https://a.example/x', true],
  ['https://a.example/*#x', 'https://a.example/x', true],
  ['https://a.example?*', 'https://a.example/?x', true],
  // What is no URL with a scheme matches nothing.
  ['*', 'https://a.example/', false],
  ['*.example/*', 'https://a.example/x', false],
  ['https://*.example/*', 'not a url', false],
];

describe('matchesUrl', () => {
  for (const [pattern, url, matches] of cases) {
    it(`${matches ? 'takes' : 'refuses'} ${url} for ${pattern}`, () => {
      assert.equal(matchesUrl(pattern, url), matches);
    });
  }

  it('stays quick with a pattern of stars', () => {
    // A regular expression would not come back from this.
    assert.equal(matchesUrl(`https://a.example/${'*a'.repeat(500)}b`, `https://a.example/${'a'.repeat(5_000)}`), false);
  });
});
