import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hasTokenShape } from '../../../src/base/credentialShapes.ts';
import { isSensitiveName, namedArguments, secretArguments, secretValues } from '../../../src/base/sensitive.ts';

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

  it('goes by the option of an argument, with = or a blank, and by the name of a header', () => {
    const args = ['--token=a=b', '-p', 'x', '--api-key', 'k', 'MY_SECRET=s', 'X-Api-Key: h', '--key', '--next', 'n:v'];
    assert.deepEqual(secretArguments(args), ['a=b', 'k', 's', 'h']);
    assert.deepEqual(
      namedArguments(args).map(({ index, name }) => [index, name]),
      [
        [0, 'token'],
        [4, 'api-key'],
        [5, 'MY_SECRET'],
        [6, 'X-Api-Key'],
      ],
    );
  });
});
