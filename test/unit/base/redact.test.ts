import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { Redactor } from '../../../src/base/redact.ts';
import { processorTime } from '../../support/processorTime.ts';

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

  for (const [name, written] of [
    ['base64', (value: string) => Buffer.from(value).toString('base64')],
    ['base64 behind one byte', (value: string) => Buffer.from(`u${value}`).toString('base64')],
    ['base64 as the password of a user', (value: string) => Buffer.from(`me:${value}`).toString('base64')],
    ['base64 for URLs', (value: string) => Buffer.from(`{"k":"${value}"}`).toString('base64url')],
    ['hex', (value: string) => Buffer.from(value).toString('hex').toUpperCase()],
    ['JSON of ASCII', (value: string) => JSON.stringify(value).replaceAll('ö', '\\u00f6')],
    ['JSON with each slash escaped', (value: string) => JSON.stringify(value).replaceAll('/', '\\/')],
    ['JSON in JSON', (value: string) => JSON.stringify(JSON.stringify(value))],
    ['a form', (value: string) => new URLSearchParams({ value }).toString()],
    [
      'a query in small letters',
      (value: string) => encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase()),
    ],
    ['HTML', (value: string) => value.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')],
  ] as const) {
    it(`hides a known value that a server writes as ${name}`, () => {
      const secret = 'Gö/hei"m <x> ~1?';
      const echo = written(secret);
      assert.notEqual(echo, secret);
      const shown = new Redactor([secret]).text(`before ${echo} after`);
      const [, head = '?', tail = '?'] = /^before (.*)\[redacted\](.*) after$/.exec(shown) ?? [];
      const rest = head + tail;
      // What stands around, and the characters of base64 that it shares with that.
      assert.ok(rest.length <= '{"k":"'.length * 2 && echo.startsWith(head) && echo.endsWith(tail), shown);
    });
  }

  it('hides the credential of a scheme and the password of a URL where it stands alone', () => {
    const redactor = new Redactor(['Bearer opaque-words', 'postgres://me:pa55-word@db/x', 'two words']);
    assert.equal(redactor.text('a opaque-words b pa55-word c words'), 'a [redacted] b [redacted] c words');
  });

  it('leaves content as it is but for known values that are no ordinary words', () => {
    const redactor = new Redactor(['Zq81-very-secret', 'postgres', '20261129', 'Monday']);
    const result = {
      text: 'Monday: postgres 20261129, sk-aaaaaaaaaaaaaaaaaaaaaaaa',
      deep: [{ list: ['x Zq81-very-secret y', 1, null, true] }, { 'Zq81-very-secret': 'Monday' }],
    };
    assert.deepEqual(redactor.content(result), {
      text: result.text,
      deep: [{ list: ['x [redacted] y', 1, null, true] }, { '[redacted]': 'Monday' }],
    });
    assert.equal(
      redactor.content('base64 ' + Buffer.from('Zq81-very-secret').toString('base64')),
      'base64 [redacted]A==',
    );
  });

  it('answers the same content where nothing is hidden, and keeps names that are no fields', () => {
    const redactor = new Redactor(['Zq81-very-secret']);
    const plain = { a: [1, { b: 'c' }] };
    assert.equal(redactor.content(plain), plain);
    const bare = JSON.parse('{ "__proto__": "Zq81-very-secret", "b": "c" }') as object;
    const shown = redactor.content(bare);
    assert.equal(JSON.stringify(shown), '{"__proto__":"[redacted]","b":"c"}');
    assert.equal(Object.getPrototypeOf(shown), Object.prototype);
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
    ['a bearer token', 'Authorization: Bearer abcdefgh.ijkl', 'Authorization: [redacted]'],
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
    const text =
      'Server listening on http://localhost:3000/mcp?session=5, 12 tools, monkey = banana, ${secret:my.TOKEN}';
    assert.equal(new Redactor().text(text), text);
  });

  it('hides the beginning of a known value where the text was cut', () => {
    const redactor = new Redactor(['super-secret-value']);
    assert.equal(redactor.text('x super-sec', { cut: true }), 'x [redacted]');
    assert.equal(redactor.text('x super-sec'), 'x super-sec');
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

  it('hides what a person keeps from content from six characters on, words and numbers too', () => {
    for (const secret of ['swordfishes', '123456789012345', 'CORRECTHORSE', 'hunter2', 'abcdef']) {
      const redactor = new Redactor([secret]);
      const guessed = redactor.content(`key ${secret}`);
      redactor.add(secret, { kept: true });
      redactor.add(secret); // Whoever else knows it takes nothing back.
      assert.equal(redactor.content(`key ${secret}`), 'key [redacted]', guessed);
    }
    const short = new Redactor();
    short.add('x7!pQ', { kept: true });
    assert.equal(short.content('x7!pQ'), 'x7!pQ');
    assert.equal(short.text('x7!pQ'), '[redacted]');
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

  it('takes about as long for hostile text as for any other, and eight times as long for eight times as much', () => {
    const secret = `${'a'.repeat(4_000)}b`;
    const redactor = new Redactor([secret]);
    const time = (unit: string, size: number): number => {
      const text = unit.repeat(Math.ceil(size / unit.length));
      return Math.min(...Array.from({ length: 4 }, () => processorTime(() => redactor.text(text, { cut: true }))));
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
