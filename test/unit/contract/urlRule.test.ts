import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkServerUrl, checkUrlTemplate, isLoopbackHost, urlReasons } from '../../../src/contract/urlRule.ts';

describe('checkServerUrl', () => {
  it('allows https anywhere and http on this machine', () => {
    for (const url of [
      'https://example.com/mcp',
      'HTTPS://EXAMPLE.com:8443/a?b=c#d',
      'https://10.0.0.1/',
      'https://[2001:db8::1]/',
      'http://localhost:3000/mcp',
      'http://LOCALHOST/',
      'http://127.0.0.1/',
      'http://127.255.3.4:1/',
      'http://127.1/',
      'http://[::1]:9/',
      'https://example.com/@user',
      'https://example.com/?mail=a@b.c',
    ]) {
      assert.equal(checkServerUrl(url), undefined, url);
    }
  });

  const refused: readonly (readonly [string, string])[] = [
    ['http://127.0.0.1:0/', urlReasons.port],
    ['https://example.com:00/mcp', urlReasons.port],
    ['http://example.com/', urlReasons.cleartext],
    ['http://128.0.0.1/', urlReasons.cleartext],
    ['http://0.0.0.0/', urlReasons.cleartext],
    ['http://[::]/', urlReasons.cleartext],
    ['http://[::ffff:127.0.0.1]/', urlReasons.cleartext],
    ['http://localhost./', urlReasons.cleartext],
    ['http://localhost.evil.example/', urlReasons.cleartext],
    ['http://127.0.0.1.evil.example/', urlReasons.cleartext],
    ['https://a:b@example.com/', urlReasons.userInfo],
    ['https://a@example.com/', urlReasons.userInfo],
    ['https://@example.com/', urlReasons.userInfo],
    ['https://:@example.com', urlReasons.userInfo],
    ['ftp://example.com/', urlReasons.scheme],
    ['javascript:alert(1)', urlReasons.scheme],
    ['https:example.com', urlReasons.scheme],
    ['//example.com/', urlReasons.scheme],
    ['', urlReasons.scheme],
    ['https://', urlReasons.malformed],
    ['https://exa%mple/', urlReasons.malformed],
    ['https://example.com/a b', urlReasons.characters],
    [' https://example.com/', urlReasons.characters],
    ['ht\ntps://example.com/', urlReasons.characters],
    ['https://example.com\\@evil.example/', urlReasons.characters],
    ['https://example.com/\u0000', urlReasons.characters],
  ];
  for (const [url, reason] of refused) {
    it(`refuses ${JSON.stringify(url)}`, () => assert.equal(checkServerUrl(url), reason));
  }
});

describe('checkUrlTemplate', () => {
  it('lets through what only values can decide', () => {
    for (const url of [
      'https://${env:HOST}/mcp',
      'http://${env:HOST}/mcp',
      'https://api.${env:DOMAIN}/mcp',
      '${input:url}',
      '${env:SCHEME}://example.com/',
      'https://example.com/${workspaceFolder}',
      'http://localhost:${env:PORT}/mcp',
      'https://example.com/?mail=a@${env:DOMAIN}',
    ]) {
      assert.equal(checkUrlTemplate(url), undefined, url);
    }
  });

  it('refuses what no value can mend', () => {
    const cases = {
      'http://example.com/${env:A}': urlReasons.cleartext,
      'https://${env:USER}@example.com/': urlReasons.userInfo,
      'https://me:${secret:pw}@example.com/': urlReasons.userInfo,
      'https://me@${env:HOST}/': urlReasons.userInfo,
      'ftp://${env:HOST}/': urlReasons.scheme,
      'file:${env:PATH}': urlReasons.scheme,
      'https://${env:HOST}/a b': urlReasons.characters,
      '${env:HOST}\r\nx': urlReasons.characters,
    };
    for (const [url, reason] of Object.entries(cases)) assert.equal(checkUrlTemplate(url), reason, url);
  });

  it('judges a URL without variables whole', () => {
    assert.equal(checkUrlTemplate('http://example.com'), urlReasons.cleartext);
    assert.equal(checkUrlTemplate(''), urlReasons.scheme);
  });
});

describe('isLoopbackHost', () => {
  it('takes names that can only be this machine', () => {
    assert.deepEqual(
      [
        'localhost',
        '127.0.0.1',
        '[::1]',
        '::1',
        '127.9.9.9',
        'localhost.',
        'a.localhost',
        '127.0.0.1.x',
        '1127.0.0.1',
      ].map(isLoopbackHost),
      [true, true, true, true, true, false, false, false, false],
    );
  });
});
