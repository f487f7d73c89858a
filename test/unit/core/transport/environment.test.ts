import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  childEnvironment,
  defaultInherit,
  droppedFolders,
  droppedVariables,
  markVariable,
  marksIn,
} from '../../../../src/core/transport/environment.ts';

type Variables = Readonly<Record<string, string>>;

const on =
  (platform: NodeJS.Platform) =>
  (base: Variables, inherit: readonly string[] = [], own: Variables = {}) =>
    childEnvironment({ inherited: { base, inherit }, own, mark: undefined, platform });
const linux = on('linux');
const windows = on('win32');
/** On Windows, so that a batch file finds no program in its working folder. */
const searched = { NoDefaultCurrentDirectoryInExePath: '1' };

describe('childEnvironment', () => {
  it('passes the names of the allow list and nothing else', () => {
    const passed = {
      ...{ PATH: '/p', HOME: 'h', USER: 'u', LOGNAME: 'l', SHELL: 's', LANG: 'C', TMPDIR: 't' },
      ...{ LC_ALL: 'C', LC_CTYPE: 'C', XDG_RUNTIME_DIR: 'x' },
    };
    const others = { AWS_SECRET_ACCESS_KEY: 'k', NODE_OPTIONS: '--x', LD_PRELOAD: 'l', TERM: 'xterm', path: 'lower' };
    assert.deepEqual(linux({ ...passed, ...others }), passed);
  });

  it('passes the names that the person lets through', () => {
    assert.deepEqual(linux({ TERM: 'xterm', HTTPS_PROXY: 'p', FOO: 'f' }, ['TERM', 'HTTPS_PROXY']), {
      TERM: 'xterm',
      HTTPS_PROXY: 'p',
    });
    for (const name of ['HTTPS_PROXY', 'no_proxy', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'DISPLAY', 'TZ']) {
      assert.deepEqual(linux({ [name]: 'v' }, defaultInherit), { [name]: 'v' });
    }
  });

  it('never inherits what is the editor’s or ours, even when asked to', () => {
    const names = ['VSCODE_IPC_HOOK', 'ELECTRON_RUN_AS_NODE', 'ROUNDHOUSE_TOKEN', 'MCP_ROUNDHOUSE_TOKEN', 'vscode_pid'];
    const base = Object.fromEntries(names.map((name) => [name, 'v']));
    assert.deepEqual(linux(base, names), {});
    assert.deepEqual(windows(base, names), searched);
  });

  it('lets the entry’s own variables come last', () => {
    assert.deepEqual(linux({ PATH: 'a', HOME: 'h' }, [], { PATH: 'b', ANY: 'x' }), { PATH: 'b', HOME: 'h', ANY: 'x' });
  });

  it('leaves out functions that a shell exports', () => {
    assert.deepEqual(linux({ LANG: '() { :;}' }), {});
  });

  it('takes names that differ in case only for one on Windows', () => {
    const env = windows({ Path: 'a', SystemRoot: 'C:\\Windows', comspec: 'cmd', foo: 'x' }, ['FOO'], { PATH: 'b' });
    assert.deepEqual(env, { SystemRoot: 'C:\\Windows', comspec: 'cmd', foo: 'x', PATH: 'b', ...searched });
  });

  it('keeps cmd.exe from looking for programs in the working folder, whatever the entry says', () => {
    assert.deepEqual(windows({}, [], { NODEFAULTCURRENTDIRECTORYINEXEPATH: '' }), searched);
    assert.deepEqual(linux({}), {});
  });

  it('adds our mark behind the marks of outer trees, and lets no entry set it', () => {
    const inherited = { base: { [markVariable]: 'outer' }, inherit: [] };
    const own = { [markVariable]: 'forged' };
    const env = childEnvironment({ inherited, own, mark: 'inner', platform: 'linux' });
    assert.deepEqual(env, { [markVariable]: 'outer,inner' });
    assert.deepEqual(linux({}, [], own), {});
    assert.deepEqual(marksIn(Object.entries(env).map(([name, value]) => `${name}=${value}`)), ['outer', 'inner']);
    assert.deepEqual(marksIn(['A=1', `X${markVariable}=a`]), []);
  });
});

describe('folders of PATH that are not absolute', () => {
  const passed = (path: string, platform: NodeJS.Platform): string | undefined =>
    childEnvironment({ inherited: { base: { PATH: path }, inherit: [] }, own: {}, mark: undefined, platform })['PATH'];

  it('are not inherited: a file of the project would stand in for a program there', () => {
    assert.equal(passed('./node_modules/.bin:/usr/bin::bin:.:/bin:', 'linux'), '/usr/bin:/bin');
    assert.equal(passed('.\\bin;C:\\Windows;;"C:\\Program Files\\x"', 'win32'), 'C:\\Windows;"C:\\Program Files\\x"');
  });

  it('leave no empty PATH behind, which stands for the working folder as well', () => {
    for (const path of ['', '.', ':']) assert.equal(passed(path, 'linux'), undefined, path);
  });

  it('are told by name', () => {
    const dropped = (PATH: string | undefined) => droppedFolders({ base: { PATH }, inherit: [] }, 'linux');
    assert.deepEqual(dropped('./a:/usr/bin::b'), ['./a', '""', 'b']);
    assert.deepEqual([dropped('/usr/bin'), dropped(undefined), dropped('')], [[], [], []]);
  });
});

describe('droppedVariables', () => {
  it('names what a server does not get, but for the editor’s own', () => {
    const base = { PATH: '/p', FOO: '1', BAR: '2', TERM: 't', VSCODE_PID: '3', OVERRIDDEN: 'o', ABSENT: undefined };
    const names = droppedVariables({
      inherited: { base, inherit: ['TERM'] },
      own: { OVERRIDDEN: 'x' },
      platform: 'linux',
    });
    assert.deepEqual(names, ['BAR', 'FOO']);
  });
});
