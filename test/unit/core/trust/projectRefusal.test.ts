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
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'HTTPS_PROXY',
    ]) {
      assert.equal(refusedField({ command: 'x', env: { [name]: '' } }), undefined, name);
    }
    assert.equal(refusedField({ command: 'x', env: { PATH: '' } }, 'linux', user), undefined);
  });

  const gaps = [
    ...['BASH_FUNC_cd%%', 'PERLLIB', 'HOME', 'USERPROFILE', 'PYTHONPYCACHEPREFIX', 'PYTHONWARNINGS', 'BROWSER'],
    ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_TEMPLATE_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_DIRS', 'DOCKER_CONFIG'],
    ...['yarn_registry', 'Yarn_Rc_Filename', 'YARN_IGNORE_PATH', 'LUA_INIT_5_4', 'PHPRC', 'PHP_INI_SCAN_DIR'],
    ...['DOTNET_ROOT', 'DOTNET_ROOT_X64', 'NODE_COMPILE_CACHE', 'JAVA_HOME', 'FPATH', 'EDITOR', 'GIT_EDITOR'],
    ...['AWS_CONFIG_FILE', 'CLAUDE_CONFIG_DIR', 'STARSHIP_CONFIG', 'CARGO_HOME', 'KUBECONFIG', 'SUDO_ASKPASS'],
    ...['A%', 'A()', 'f%%', '1A', 'ProgramFiles(x86)'],
  ];
  for (const name of gaps) {
    it(`refuses ${name}, which leads a program to another home, configuration or helper [TRUST-5a]`, () => {
      assert.equal(refusedField({ command: 'x', env: { OK: '1', [name]: '' } }), `env.${name}`);
    });
  }

  it('refuses a value that an old shell would take for a function, in env and in an envFile', () => {
    for (const value of ['() { :; }; touch x', ' ( ) { x; }']) {
      assert.equal(refusedField({ command: 'x', env: { PLAIN: value } }), 'env.PLAIN');
      const server = serverOf(project, { command: 'x', envFile: 'e' });
      assert.equal(loaderRefusal(server, { PLAIN: value }, 'envFile', 'linux')?.data['field'], 'envFile.PLAIN');
    }
    assert.equal(refusedField({ command: 'x', env: { PLAIN: 'f() { x; }' } }), undefined);
  });

  it('lets pass what well-known servers are told by', () => {
    for (const name of [
      ...['GITHUB_PERSONAL_ACCESS_TOKEN', 'GITHUB_HOST', 'GITHUB_TOOLSETS', 'GITLAB_API_URL', 'SLACK_BOT_TOKEN'],
      ...['BRAVE_API_KEY', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'AWS_PROFILE', 'AWS_REGION', 'AWS_ACCESS_KEY_ID'],
      ...['GOOGLE_APPLICATION_CREDENTIALS', 'DATABASE_URL', 'POSTGRES_CONNECTION_STRING', 'REDIS_URL', 'MONGODB_URI'],
      ...['MEMORY_FILE_PATH', 'ALLOWED_DIRECTORIES', 'BASIC_MEMORY_HOME', 'OBSIDIAN_VAULT_PATH', 'SQLITE_DB_PATH'],
      ...['JIRA_URL', 'CONFLUENCE_USERNAME', 'NOTION_VERSION', 'SENTRY_AUTH_TOKEN', 'GRAFANA_URL', 'FASTMCP_LOG_LEVEL'],
      ...['PUPPETEER_LAUNCH_OPTIONS', 'PLAYWRIGHT_BROWSERS_PATH', 'DOCKER_HOST', 'LOG_LEVEL', 'DEBUG', 'PORT', 'TZ'],
      ...['PYTHONUNBUFFERED', 'PYTHONIOENCODING', 'PYTHONUTF8', 'NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'TRANSPORT'],
      ...['GIT_AUTHOR_NAME', 'GIT_REPO_PATH', 'GIT_TOKEN', 'DOTNET_ENVIRONMENT', 'RUST_LOG', 'GO_ENV', 'HOME_DIR'],
      ...['HOME_ASSISTANT_URL', 'MCP_CONFIG_NAME', 'EDITOR_THEME', 'SHELL_TIMEOUT', 'BROWSER_TYPE', 'X.Y', 'A-B'],
    ]) {
      assert.equal(refusedField({ command: 'x', env: { [name]: 'value' } }), undefined, name);
    }
  });

  it('names the variable and the way out', () => {
    const { data } = projectRefusal(serverOf(project, { command: 'x', env: { HOME: '/x' } }), 'linux')!;
    assert.match(
      String(data['detail']),
      /^env sets HOME, .*; leave it out, or define this server in the person's own file$/,
    );
  });

  it('compares names without regard to case on Windows, in env and in an envFile', () => {
    for (const name of ['Path', 'node_options', 'Ld_x', 'uv_index']) {
      assert.deepEqual([isLoaderVariable(name, 'win32'), isLoaderVariable(name, 'linux')], [true, false], name);
      assert.equal(refusedField({ command: 'x', env: { [name]: '' } }, 'win32'), `env.${name}`);
      assert.equal(refusedField({ command: 'x', env: { [name]: '' } }, 'linux'), undefined, name);
      const server = serverOf(project, { command: 'x', envFile: 'e' });
      assert.equal(loaderRefusal(server, { OK: '', [name]: '' }, 'envFile', 'win32')?.data['field'], `envFile.${name}`);
      assert.equal(loaderRefusal(server, { [name]: '' }, 'envFile', 'linux'), undefined, name);
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
