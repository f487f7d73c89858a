import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ManagerError } from '../../../../src/core/errors.ts';
import {
  addressRange,
  addressRefusal,
  configuredUrl,
  hostRange,
  shownUrl,
  suppliedUrlRefusal,
} from '../../../../src/core/transport/urlRules.ts';

describe("the rules for a person's own URL", () => {
  for (const url of [
    'https://example.com/mcp',
    'https://10.0.0.1/mcp',
    'http://127.0.0.1:3000/mcp',
    'http://localhost/mcp',
    'http://[::1]:1/mcp',
    'http://127.1/mcp',
    'http://0x7f000001/mcp',
  ]) {
    it(`allow ${url}`, () => assert.equal(configuredUrl(url).protocol, new URL(url).protocol));
  }

  for (const url of [
    'http://example.com/',
    'http://10.0.0.1/',
    'http://0.0.0.0/',
    'http://localhost.example.com/',
    // Reserved for this machine, though what answers for it elsewhere is up to the resolver.
    'http://api.localhost/mcp',
    'http://localhost./',
    'http://[::ffff:127.0.0.1]/',
    'https://example.com/a b',
    'http://127.0.0.1.example.com/',
    'ftp://localhost/',
    'file:///etc/passwd',
    'https://user@example.com/',
    'https://:password@example.com/',
    'example.com',
    '',
  ]) {
    it(`refuse ${url === '' ? 'nothing' : url}`, () => {
      assert.throws(
        () => configuredUrl(url),
        (error) => error instanceof ManagerError && error.code === 'urlForbidden',
      );
    });
  }

  it('drop the fragment', () => assert.equal(configuredUrl('https://example.com/#a').href, 'https://example.com/'));
});

describe('where an address lies', () => {
  const rows: Readonly<Record<string, readonly string[]>> = {
    loopback: [
      '127.0.0.1',
      '127.255.255.254',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:0:127.0.0.1',
      '0:0:0:0:0:0:0:1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '::1%lo',
    ],
    private: [
      ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
      ...[
        '198.18.0.1',
        '224.0.0.1',
        '255.255.255.255',
        '::',
        'fe80::1',
        'fe80::1%eth0',
        'fd00::1',
        'fc00::1',
        'ff02::1',
      ],
      ...['::ffff:10.0.0.1', '::ffff:a00:1', '64:ff9b::a9fe:a9fe', '2002:a00:1::', '2001:db8::1', 'no address'],
      // The ends of each range that has no row above.
      ...['192.0.0.1', '192.0.2.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '239.255.255.255', '240.0.0.0'],
      // IANA's special-purpose registries, and what is outside of all that was given out.
      ...['192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1', '3fff::1', '3fff:fff::1', '2620:4f:8000::1'],
      ...['5f00::1', '100:0:0:1::1', '4000::1', '1fff::1', '::ffff:0:10.0.0.1'],
      ...['::8.8.8.8', '64:ff9b:1::1', '100::1', '2001::1', '2001:1ff::1', 'fec0::1', 'fdff::1', 'febf::1'],
    ],
    public: [
      '8.8.8.8',
      '172.32.0.1',
      '100.128.0.1',
      '198.20.0.1',
      '223.255.255.255',
      '2001:200::1',
      '2606:4700::1111',
      '2606:4700::1111%eth0',
      '::ffff:8.8.8.8',
      '::ffff:0:8.8.8.8',
      '192.88.100.1',
      '2620:4f:8001::1',
      '3ffe::1',
      '2002:808:808::',
    ],
  };
  for (const [range, addresses] of Object.entries(rows)) {
    for (const address of addresses) it(`${address} is ${range}`, () => assert.equal(addressRange(address), range));
  }

  it('is not known of a name that has to be looked up', () => {
    assert.equal(hostRange('example.com'), undefined);
    assert.equal(hostRange('notlocalhost'), undefined);
    assert.equal(hostRange('LOCALHOST.'), 'loopback');
    assert.equal(hostRange('api.localhost'), 'loopback');
    assert.equal(hostRange('[::1]'), 'loopback');
  });
});

describe('the rules for a URL that a server supplied', () => {
  const refusal = (url: string, home: Parameters<typeof suppliedUrlRefusal>[1]) =>
    suppliedUrlRefusal(new URL(url), home);

  it('allow the public internet, encrypted, from everywhere', () => {
    for (const home of ['loopback', 'private', 'public'] as const) {
      assert.equal(refusal('https://example.com/', home), undefined);
      assert.equal(refusal('https://8.8.8.8/', home), undefined);
      assert.ok(refusal('http://example.com/', home)?.includes('encrypted'));
    }
  });

  it('allow loopback and private ranges only from there', () => {
    assert.equal(refusal('http://127.0.0.1:9/', 'loopback'), undefined);
    assert.equal(refusal('https://localhost/', 'loopback'), undefined);
    assert.equal(refusal('https://10.0.0.2/', 'private'), undefined);
    assert.ok(refusal('http://api.localhost/', 'loopback')?.includes('encrypted'));
    for (const url of ['http://127.0.0.1/', 'https://localhost/', 'https://api.localhost/', 'https://[::1]/']) {
      assert.ok(refusal(url, 'public')?.includes('this machine'), url);
      assert.ok(refusal(url, 'private')?.includes('this machine'), url);
    }
    for (const home of ['public', 'loopback'] as const) {
      assert.ok(refusal('https://192.168.1.1/', home)?.includes('private network'));
      assert.ok(addressRefusal('169.254.169.254', home)?.includes('private network'));
    }
  });

  it('refuse other schemes and user names', () => {
    assert.ok(refusal('file:///etc/passwd', 'loopback')?.includes('file'));
    assert.ok(refusal('https://user@example.com/', 'public')?.includes('user name'));
  });
});

it('a URL is shown without what may be secret', () => {
  assert.equal(shownUrl(new URL('https://user:pw@example.com:8443/a/b?token=1#c')), 'https://example.com:8443/a/b');
  assert.equal(shownUrl(new URL('file:///etc/passwd')), 'file:/etc/passwd');
});
