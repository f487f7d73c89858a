import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { hasTokenShape, isSensitiveName, Redactor, secretValues } from '../../../src/base/redact.ts';

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

  it('finds values over every border of a stream and loses no other text', () => {
    const secret = 'canary-0123456789';
    const shaped = 'token=qwertzuiop';
    const text = `start ${secret} middle ${shaped} ${'.'.repeat(9000)} ${secret} ${shaped} end`;
    const whole = new Redactor([secret]).text(text);
    assert.ok(!whole.includes('canary') && !whole.includes('qwertz'));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 40 }), (sizes) => {
        const stream = new Redactor([secret]).stream();
        let result = '';
        let at = 0;
        for (const size of sizes) {
          result += stream.write(text.slice(at, at + size));
          at += size;
        }
        result += stream.write(text.slice(at)) + stream.end();
        assert.equal(result, whole);
      }),
      { seed: 7, numRuns: 50 },
    );
  });

  it('takes time linear in hostile text', () => {
    // Repetitions of what patterns begin with: with nested repetition in a pattern one of these would not end.
    for (const part of ['a=', 'token=', 'eyJ', '://', 'Bearer ', '-----BEGIN ', '?key=', 'sk-', ' \t']) {
      const text = part.repeat(200_000 / part.length);
      assert.equal(typeof new Redactor(['secret-value']).text(text), 'string');
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
