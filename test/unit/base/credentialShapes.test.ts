import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { behindScheme, hasTokenShape, isSchemeWord } from '../../../src/base/credentialShapes.ts';
import { Redactor } from '../../../src/base/redact.ts';

const redact = (text: string): string => new Redactor().text(text);

describe('What looks like a credential', () => {
  for (const scheme of ['Bearer', 'Basic', 'token', 'ApiKey', 'Negotiate', 'Digest', 'DPoP', 'NTLM', 'SomeScheme']) {
    it(`is the whole value of an Authorization header, also behind ${scheme}`, () => {
      for (const value of [`${scheme} 0123abcd-word`, `${scheme} user="me", response="0123abcd", x=y`]) {
        assert.equal(redact(`> Authorization: ${value}\nAccept: x`), '> Authorization: [redacted]\nAccept: x');
        const json = JSON.stringify({ authorization: value, a: 1 });
        assert.equal(redact(json), '{"authorization":"[redacted]","a":1}');
        const escaped = JSON.stringify(json);
        assert.equal(redact(escaped), JSON.stringify('{"authorization":"[redacted]","a":1}'));
      }
      assert.equal(
        redact(`curl -H 'Proxy-Authorization: ${scheme} "q" x' url`),
        "curl -H 'Proxy-Authorization: [redacted]' url",
      );
      assert.ok(hasTokenShape(`Authorization: ${scheme} x`));
    });
  }

  it('is a key that says what it is by its beginning', () => {
    const made = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';
    for (const key of [
      `SG.${made.slice(10)}.${made}`,
      `dop_v1_${made}${made}`,
      `sk-${made}`,
      `ghp_${made}`,
      `hf_${made}`,
    ]) {
      assert.equal(redact(`uses ${key}.`), 'uses [redacted].', key);
    }
    for (const text of ['SG.1.2', 'dop_v1_', 'SG.port.name']) assert.equal(redact(text), text);
  });

  it('is the whole value of a cookie', () => {
    assert.equal(redact('Cookie: a=1; session=0123abcd'), 'Cookie: [redacted]');
    assert.equal(redact('set-cookie: a=1; Path=/\r\nDate: x'), 'set-cookie: [redacted]\r\nDate: x');
    assert.equal(redact("{ cookie: 'a=1; b=2', date: 'x' }"), "{ cookie: '[redacted]', date: 'x' }");
    assert.equal(redact('Cookies="a=1'), 'Cookies="[redacted]');
  });

  it('is what follows a scheme by itself: a word that is one in ordinary text too only before what looks made up', () => {
    assert.equal(redact('sent Bearer opaque-words'), 'sent Bearer [redacted]');
    assert.equal(redact('sent token 0123456789abcdef'), 'sent token [redacted]');
    for (const text of [
      'the token expires tomorrow',
      'could not negotiate a protocol revision',
      'key bindings-of-editor',
    ]) {
      assert.equal(redact(text), text);
    }
  });

  it('is the same to all who know schemes', () => {
    for (const scheme of [
      'Bearer',
      'basic',
      'Digest',
      'Negotiate',
      'NTLM',
      'token',
      'JWT',
      'DPoP',
      'ApiKey',
      'api-key',
    ]) {
      assert.equal(behindScheme(`${scheme}  secret-value`), scheme.length + 2, scheme);
      assert.ok(isSchemeWord(scheme), scheme);
      assert.equal(new Redactor([`${scheme} secret-value`]).text('a secret-value b'), 'a [redacted] b', scheme);
    }
    for (const value of ['secret value', 'Bearer', 'tokens x']) assert.equal(behindScheme(value), 0, value);
  });
});
