import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { hasTokenShape, isSensitiveName, Redactor, secretValues } from '../../../src/base/redact.ts';

const hostile = [
  ...[
    'eyJ',
    'eyJ-',
    'eyJ-eyJaaaaaaaa.',
    'eyJaaaaaaaa.',
    'eyJaaaaaaaa.eyJ',
    'a=',
    'token=',
    'token: ',
    'token\"  =  \"',
  ],
  ...[
    '://',
    '://a',
    '://a:',
    '://a@',
    'Bearer ',
    'basic   ',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '?key=',
    'sk-',
  ],
  ...['sk-aaaaaaaaaaaaaaa ', 'ghp_', 'github_pat_', 'AKIA', 'AIza-', 'ya29.', 'npm_', 'xoxb-', ' \t', 'api_key ', 'a'],
];

describe('Redactor', () => {
  it('hides a known value wherever it stands, also as a part of a URL and inside of JSON', () => {
    const redactor = new Redactor(['pä"ss word']);
    const text = `plain pä"ss word, url ${encodeURIComponent('pä"ss word')}, json ${JSON.stringify('pä"ss word')}`;
    assert.equal(redactor.text(text), 'plain [redacted], url [redacted], json "[redacted]"');
  });

  it('hides each line of a value of several lines', () => {
    const redactor = new Redactor(['first-part\nsecond-part']);
    assert.equal(redactor.text('a first-part b'), 'a [redacted] b');
    assert.equal(redactor.text('a second-part b'), 'a [redacted] b');
  });

  it('leaves trivial values readable, which would make a log useless', () => {
    const redactor = new Redactor(['true', '1', 'abc', '']);
    assert.equal(redactor.text('true 1 abc'), 'true 1 abc');
  });

  for (const [what, text, expected] of [
    ['a bearer token', 'Authorization: Bearer abcdefgh.ijkl', 'Authorization: [redacted] [redacted]'],
    ['a vendor key', `using sk-ant-${'a1'.repeat(12)} now`, 'using [redacted] now'],
    ['a GitHub token', `ghp_${'a1'.repeat(18)}`, '[redacted]'],
    ['a JSON web token', `x eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl y`, 'x [redacted] y'],
    ['the user of a URL', 'http://user:pass@proxy:80/', 'http://[redacted]proxy:80/'],
    ['a query parameter', 'GET /a?b=c&access_token=zzz&d=e', 'GET /a?b=c&access_token=[redacted]&d=e'],
    ['an assignment', 'MY_API_KEY=qwertz rest', 'MY_API_KEY=[redacted] rest'],
    ['a JSON member', '{"password": "qwertz", "a": 1}', '{"password": "[redacted]", "a": 1}'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '[redacted]'],
  ] as const) {
    it(`hides ${what} that nobody named`, () => assert.equal(new Redactor().text(text), expected));
  }

  it('leaves ordinary text as it is', () => {
    const text = 'Server listening on http://localhost:3000/mcp?session=5, 12 tools, monkey = banana';
    assert.equal(new Redactor().text(text), text);
  });

  it('hides the beginning of a known value where the text was cut', () => {
    const redactor = new Redactor(['super-secret-value']);
    assert.equal(redactor.text('x super-sec', { cut: true }), 'x [redacted]');
    assert.equal(redactor.text('x super-sec'), 'x super-sec');
  });

  it('hides whole header values by their names', () => {
    const redactor = new Redactor(['known-secret']);
    const headers = redactor.headers({ Cookie: 'a=b', 'X-Api-Key': 'k', Accept: 'text', 'X-Trace': 'known-secret' });
    assert.deepEqual(headers, {
      Cookie: '[redacted]',
      'X-Api-Key': '[redacted]',
      Accept: 'text',
      'X-Trace': '[redacted]',
    });
  });

  it('hides a JSON web token wherever it begins and however long it is, and no two parts that are none', () => {
    const redact = (text: string): string => new Redactor().text(text);
    const long = 'a'.repeat(5_000);
    assert.equal(redact(`x-eyJhbGciOiJI.eyJzdWIiOiIx.sig-nature.more y`), 'x-[redacted].more y');
    assert.equal(redact(`(eyJ${long}.${long}.${long})`), '([redacted])');
    assert.equal(redact('www.eyJhbGciOiJI.eyJzdWIiOiIx'), 'www.[redacted]');
    assert.equal(redact('a.eyJshort.eyJhbGciOiJI.eyJzdWIiOiIx.'), 'a.eyJshort.[redacted]');
    for (const text of [
      'eyJhbGciOiJI.short',
      'eyJshort.eyJzdWIiOiIx',
      'aeyJhbGciOiJI.eyJzdWIi.x',
      'eyJhbGciOiJIeyJz',
    ]) {
      assert.equal(redact(text), text);
    }
  });

  it('finds the longest beginning of a secret at the end of a text that was cut', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(few, few, (secret, text) => {
        const lengths = Array.from({ length: secret.length - 4 }, (_, at) => secret.length - 1 - at);
        const longest = lengths.find((length) => text.endsWith(secret.slice(0, length))) ?? 0;
        const rest = new Redactor([secret]).text(text, { cut: true });
        // A whole one may stand there as well; what follows it is then hidden with it.
        if (!text.includes(secret)) {
          assert.equal(rest, longest === 0 ? text : `${text.slice(0, text.length - longest)}[redacted]`);
        }
      }),
      { seed: 5, numRuns: 2_000 },
    );
  });

  it('takes about as long for hostile text as for any other, and eight times as long for eight times as much', function () {
    this.timeout(30_000);
    const secret = `${'a'.repeat(4_000)}b`;
    const redactor = new Redactor([secret]);
    const time = (unit: string, size: number): number => {
      const text = unit.repeat(Math.ceil(size / unit.length));
      return Math.min(
        ...Array.from({ length: 4 }, () => {
          const started = performance.now();
          redactor.text(text, { cut: true });
          return performance.now() - started;
        }),
      );
    };
    time('word ', 200_000);
    const usual = time('word ', 200_000);
    // What patterns begin with, again and again: a pattern that reads on from each of them takes a hundred times as long.
    for (const unit of hostile) {
      const once = time(unit, 25_000);
      const eight = time(unit, 200_000);
      assert.ok(eight < 15 * usual, `${JSON.stringify(unit)}: ${eight} ms against ${usual} ms`);
      // Sixty-four times as long where the time grows with the square.
      assert.ok(eight < 30 * Math.max(once, usual / 8), `${JSON.stringify(unit)}: ${eight} ms after ${once} ms`);
    }
  });
});

describe('What counts as secret', () => {
  it('goes by the name of a variable in any case', () => {
    for (const name of ['API_KEY', 'githubToken', 'CLIENT_SECRET', 'Password', 'aws_credentials', 'Authorization']) {
      assert.ok(isSensitiveName(name), name);
    }
    for (const name of ['PGPASS', 'DB_PASS', 'PASSPHRASE', 'dbPass']) assert.ok(isSensitiveName(name), name);
    for (const name of ['PATH', 'HOME', 'PORT', 'LOG_LEVEL']) assert.ok(!isSensitiveName(name), name);
    for (const name of ['AUTH', 'X-Auth', 'authData', 'OAUTH2_ID', 'BASICAUTH', 'Proxy-Authorisation']) {
      assert.ok(isSensitiveName(name), name);
    }
    for (const name of ['NODE_TLS_REJECT_UNAUTHORIZED', 'GIT_AUTHOR_NAME', 'AUTHORITY', 'unauthenticated']) {
      assert.ok(!isSensitiveName(name), name);
    }
  });

  it('goes by the shape of a value too', () => {
    assert.ok(hasTokenShape(`ghp_${'a1'.repeat(18)}`));
    assert.ok(!hasTokenShape('/usr/local/bin'));
    assert.deepEqual(secretValues({ A: `ghp_${'a1'.repeat(18)}`, MY_TOKEN: 'short', B: 'plain' }), [
      `ghp_${'a1'.repeat(18)}`,
      'short',
    ]);
  });
});
