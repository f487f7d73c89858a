import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isLoaderVariable } from '../../../../src/core/trust/loaderVariables.ts';
import { loaderRefusal, projectRefusal } from '../../../../src/core/trust/projectRefusal.ts';
import { folder, serverOf, user } from '../config/snapshots.ts';
import { loaderNames } from '../../../support/loaderNames.ts';

const project = folder('one');

function refusedField(entry: object, platform: NodeJS.Platform = 'linux', scope = project): unknown {
  const refusal = projectRefusal(serverOf(scope, entry), platform);
  if (refusal === undefined) return undefined;
  assert.equal(refusal.code, 'blockedPolicy');
  assert.equal(refusal.data['server'], 'a');
  return refusal.data['field'];
}

describe('projectRefusal', () => {
  const loaders = [
    ...loaderNames.map((name) => name.replace('*', 'X')),
    ...['LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'GIT_CONFIG', 'GIT_SSH', 'NPM_CONFIG_REGISTRY'],
    ...[
      'BUN_OPTIONS',
      'GLIBC_TUNABLES',
      'GIT_EXTERNAL_DIFF',
      'GIT_EXEC_PATH',
      'GIT_ASKPASS',
      'SSH_ASKPASS',
      'JDK_JAVA_OPTIONS',
      'OPENSSL_CONF',
      'OPENSSL_MODULES',
    ],
    ...['OPENSSL_ENGINES', 'GCONV_PATH', 'PYTHONUSERBASE', 'PYTHONBREAKPOINT', 'SHELLOPTS', 'PS4', 'PERL5DB'],
    ...['COREPACK_NPM_REGISTRY', 'YARN_RC_FILENAME', 'NODE_REPL_EXTERNAL_MODULE', 'COMSPEC', 'GEM_HOME', 'GEM_PATH'],
    ...['BUNDLE_GEMFILE', 'DOTNET_ADDITIONAL_DEPS', 'DOTNET_SHARED_STORE', 'CORECLR_PROFILER_PATH', 'COR_PROFILER'],
  ];
  for (const name of loaders) {
    it(`refuses ${name} in the env of a project`, () => {
      assert.equal(refusedField({ command: 'x', env: { OK: '1', [name]: '' } }), `env.${name}`);
    });
  }

  it('lets ordinary variables pass, and every variable in the own file', () => {
    for (const name of [
      'MY_PATH',
      'PATHS',
      'NODE_ENV',
      'ENVIRONMENT',
      'LDX',
      'GIT_AUTHOR_NAME',
      'PIPX',
      'path',
      'NODE_options',
      'HOME',
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'HTTPS_PROXY',
    ]) {
      assert.equal(refusedField({ command: 'x', env: { [name]: '' } }), undefined, name);
    }
    assert.equal(refusedField({ command: 'x', env: { PATH: '' } }, 'linux', user), undefined);
  });

  it('compares names without regard to case on Windows, in env and in an envFile', () => {
    for (const name of ['Path', 'node_options', 'Ld_x', 'uv_index']) {
      assert.deepEqual([isLoaderVariable(name, 'win32'), isLoaderVariable(name, 'linux')], [true, false], name);
      assert.equal(refusedField({ command: 'x', env: { [name]: '' } }, 'win32'), `env.${name}`);
      assert.equal(refusedField({ command: 'x', env: { [name]: '' } }, 'linux'), undefined, name);
      const server = serverOf(project, { command: 'x', envFile: 'e' });
      assert.equal(loaderRefusal(server, ['OK', name], 'envFile', 'win32')?.data['field'], `envFile.${name}`);
      assert.equal(loaderRefusal(server, [name], 'envFile', 'linux'), undefined, name);
    }
  });

  it('refuses credentials of remotes in a project whatever their value', () => {
    const url = 'https://x/';
    for (const name of [
      'Authorization',
      'proxy-authorization',
      'Cookie',
      'X-API-Key',
      'apikey',
      'api_key',
      'X-Auth-Token',
      'X-Secret',
      'My-Credential',
      'X-Auth',
      'Ocp-Apim-Subscription-Key',
    ]) {
      assert.equal(refusedField({ url, headers: { 'X-Team': '', [name]: '${secret:s}' } }), `headers.${name}`);
    }
    for (const name of ['X-Team', 'Accept-Language', 'X-Author', 'X-Keyboard', 'Idempotency-Key', 'User-Agent']) {
      assert.equal(refusedField({ url, headers: { [name]: '' } }), undefined, name);
    }
    assert.equal(refusedField({ url, oauth: { clientSecret: '${secret:s}' } }), 'oauth.clientSecret');
    assert.equal(refusedField({ url, oauth: { clientId: 'x' } }), undefined);
    assert.equal(
      refusedField({ url, headers: { Authorization: '' }, oauth: { clientSecret: 'x' } }, 'linux', user),
      undefined,
    );
  });
});
