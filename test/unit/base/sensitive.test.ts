import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hasTokenShape } from '../../../src/base/credentialShapes.ts';
import {
  isCredentialName,
  isSensitiveName,
  namedArguments,
  secretArguments,
  secretValues,
} from '../../../src/base/sensitive.ts';

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
    for (const name of ['HTTPAUTHHEADER', 'BASICAUTHSTRING', 'GITHUBAUTHFILE', 'REAUTHENTICATE']) {
      assert.ok(isSensitiveName(name), name);
    }
    for (const name of ['NODE_TLS_REJECT_UNAUTHORIZED', 'GIT_AUTHOR_NAME', 'AUTHORITY', 'unauthenticated']) {
      assert.ok(!isSensitiveName(name), name);
    }
  });

  /** What no project may hold as a header, what else is not shown, and what is ordinary. */
  const table = {
    credential: [
      ...[
        'Authorization',
        'Proxy-Authorisation',
        'Cookie',
        'Set-Cookie',
        'X-Auth',
        'X-Jwt',
        'JWT',
        'githubJwt',
        'X-Pat',
      ],
      ...[
        'GITHUB_PAT',
        'githubPat',
        'AZURE_DEVOPS_EXT_PAT',
        'MYSQL_PWD',
        'dbPwd',
        'DBPWD',
        'X-Pwd',
        'DB_PW',
        'WIFI_PSK',
      ],
      ...[
        'X-Api-Key',
        'apikey',
        'account_key',
        'X-Token',
        'CLIENT_SECRET',
        'aws_credentials',
        'Password',
        'preauthorization',
      ],
    ],
    sensitive: [
      ...['SESSION_ID', 'sessionId', 'PHPSESSID', 'JSESSIONID', 'SIGNATURE', 'X-Sig', 'X-Hub-Signature', 'TOTP', 'OTP'],
      ...['SSH_KEY', 'Idempotency-Key', 'PGPASS', 'BEARER', 'OAUTH2_ID', 'BASICAUTH'],
    ],
    ordinary: [
      ...['PWD', 'OLDPWD', 'pwd', 'PATH', 'PATTERN', 'SPAT', 'PATCH', 'MANPATH', 'CWD', 'INIT_CWD', 'HOME', 'SIGTERM'],
      ...[
        'SESSION',
        'SESSION_NAME',
        'DESIGN',
        'SIGNAL',
        'AUTHOR',
        'GIT_AUTHOR_NAME',
        'X-Author',
        'unauthenticated',
        'OPTS',
      ],
      ...['Accept', 'User-Agent', 'X-Team', 'ID', 'COMPAT', 'JWTS_ON', 'PWDX', 'NODE_TLS_REJECT_UNAUTHORIZED'],
    ],
  };
  for (const [kind, names] of Object.entries(table)) {
    it(`knows a ${kind} name from others, whoever asks`, () => {
      for (const name of names) {
        const said = [isCredentialName(name), isSensitiveName(name)];
        assert.deepEqual(said, [kind === 'credential', kind !== 'ordinary'], name);
      }
    });
  }

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
