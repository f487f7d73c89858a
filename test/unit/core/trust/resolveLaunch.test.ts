import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ManagerError } from '../../../../src/core/errors.ts';
import { resolveLaunch } from '../../../../src/core/trust/resolveLaunch.ts';
import { folder, serverOf, user } from '../config/snapshots.ts';
import { contextOf, type FakePlace } from './launchFixture.ts';

const project = folder('one');

async function stdio(entry: object, place: FakePlace = {}, scope = project) {
  const launch = await resolveLaunch(serverOf(scope, entry), contextOf(place));
  assert.ok(launch.kind === 'stdio');
  return launch;
}

async function remote(entry: object, place: FakePlace = {}) {
  const launch = await resolveLaunch(serverOf(project, entry), contextOf(place));
  assert.ok(launch.kind === 'remote');
  return launch;
}

async function failure(entry: object, place: FakePlace = {}, scope = project) {
  try {
    await resolveLaunch(serverOf(scope, entry), contextOf(place));
  } catch (error) {
    assert.ok(error instanceof ManagerError, String(error));
    const { server, field, variable } = error.data;
    return { code: error.code, server, field, variable, data: error.data };
  }
  return assert.fail('the launch was resolved');
}

describe('resolveLaunch', () => {
  it('expands every variable in every field that may hold one', async () => {
    const launch = await stdio(
      {
        command: '${workspaceFolder}/bin/${env:TOOL}',
        args: [
          '${userHome}',
          '--k=${input:key}',
          '$${env:TOOL}',
          '${env:NONE:-a b}',
          '${env:EMPTY:-d}',
          '${env:EMPTY}',
        ],
        env: { T: 'Bearer ${secret:t}', E: '' },
        envFile: '${workspaceFolder}/${env:TOOL}.env',
        cwd: '${env:TOOL}',
      },
      {
        env: { TOOL: 'srv', EMPTY: '' },
        inputs: { key: 'K' },
        secrets: { t: 'S' },
        files: { '/work/one/srv.env': 'F=1\nE=from file\n' },
      },
    );
    assert.equal(launch.command, '/work/one/bin/srv');
    assert.deepEqual(launch.args, ['/home/me', '--k=K', '${env:TOOL}', 'a b', 'd', '']);
    assert.deepEqual({ ...launch.env }, { F: '1', E: '', T: 'Bearer S' });
    assert.equal(launch.cwd, '/work/one/srv');
    const { url, headers } = await remote(
      { url: 'https://${env:H}/${input:key}', headers: { 'X-A': '${secret:t}-${userHome}' } },
      { env: { H: 'example.com' }, inputs: { key: 'K' }, secrets: { t: 'S' } },
    );
    assert.deepEqual([url, { ...headers }], ['https://example.com/K', { 'X-A': 'S-/home/me' }]);
  });

  it('expands once: a value that looks like a variable stays as it is', async () => {
    const place = { env: { A: '${env:B}', B: '${secret:s}' }, inputs: { i: '${env:B}' } };
    const { args } = await stdio({ command: 'x', args: ['${env:A}', '${input:i}'] }, place);
    assert.deepEqual(args, ['${env:B}', '${env:B}']);
  });

  it('runs nothing to get a value', async () => {
    for (const text of ['${cmd: touch f}', '${command:touch f}', '${shell:x}']) {
      assert.deepEqual(await failure({ command: 'x', env: { X: text } }), {
        ...{ code: 'variableUnknown', server: 'a', field: 'env.X', variable: text },
        data: { server: 'a', file: '/work/one/.roundhouse/mcp.json', field: 'env.X', variable: text },
      });
    }
    const { args } = await stdio({ command: 'x', args: ['$(touch f)', '`touch f`'] });
    assert.deepEqual(args, ['$(touch f)', '`touch f`']);
  });

  it('names server, field and variable where a value is missing', async () => {
    const cases = [
      [{ command: 'x', args: ['a', '${env:GONE}'] }, 'variableUnset', 'args.1', '${env:GONE}'],
      [{ command: 'x', cwd: '${input:dir}' }, 'blockedInput', 'cwd', '${input:dir}'],
      [{ url: 'https://x/', headers: { A: '${secret:s}' } }, 'blockedInput', 'headers.A', '${secret:s}'],
      [{ command: '${PWD}' }, 'variableUnknown', 'command', '${PWD}'],
    ] as const;
    for (const [entry, code, field, variable] of cases) {
      const found = await failure(entry);
      assert.deepEqual([found.code, found.server, found.field, found.variable], [code, 'a', field, variable]);
    }
    const alone = await failure({ command: 'x', args: ['${workspaceFolder}'] }, { workspaceFolder: undefined }, user);
    assert.deepEqual([alone.code, alone.variable], ['variableUnset', '${workspaceFolder}']);
  });

  it('asks for each value of the person once', async () => {
    const context = contextOf({ secrets: { s: 'S' }, inputs: { s: 'I' } });
    await resolveLaunch(serverOf(project, { command: 'x', args: ['${secret:s}', '${secret:s}${input:s}'] }), context);
    assert.deepEqual(context.asked, ['secret:s', 'input:s']);
  });

  it('works in the folder of the definition, in the open one, or at home', async () => {
    assert.equal((await stdio({ command: 'x' })).cwd, '/work/one');
    assert.equal((await stdio({ command: 'x', cwd: 'sub/../b' })).cwd, '/work/one/b');
    assert.equal((await stdio({ command: 'x', cwd: '/abs' })).cwd, '/abs');
    assert.equal((await stdio({ command: 'x' }, {}, user)).cwd, '/work/open');
    assert.equal((await stdio({ command: 'x' }, { workspaceFolder: undefined }, user)).cwd, '/home/me');
    assert.equal((await stdio({ command: 'x', persistent: true }, {}, user)).cwd, '/home/me');
    assert.equal((await stdio({ command: 'x', persistent: true }, {})).cwd, '/work/one');
  });

  it('finds variables of the environment without regard to case on Windows only', async () => {
    const entry = { command: 'x', args: ['${env:path:-none}'] };
    assert.deepEqual((await stdio(entry, { env: { Path: 'P' }, platform: 'win32' })).args, ['P']);
    assert.deepEqual((await stdio(entry, { env: { Path: 'P' } })).args, ['none']);
  });

  it('checks finished values again, and no value is in the error', async () => {
    const secret = 'canary\r\nHost: evil';
    const place = { secrets: { s: secret }, env: { S: secret, U: 'http://canary.example/', Z: 'x\0canary', E: ' ' } };
    const cases = [
      [{ url: 'https://x/', headers: { A: '${secret:s}' } }, 'configInvalid'],
      [{ url: '${env:U}' }, 'urlForbidden'],
      [{ url: 'https://x/${secret:s}' }, 'urlForbidden'],
      [{ command: 'x', args: ['${env:Z}'] }, 'configInvalid'],
      [{ command: 'x', env: { A: '${env:Z}' } }, 'configInvalid'],
      [{ command: '${env:E}' }, 'configInvalid'],
    ] as const;
    for (const [entry, code] of cases) {
      const failed = await failure(entry, place);
      assert.equal(failed.code, code, JSON.stringify(entry));
      assert.ok(!JSON.stringify(failed).includes('canary'), JSON.stringify(failed));
    }
  });

  it('refuses an envFile that is missing, broken, too large or no text, without showing it', async () => {
    const files = {
      '/work/one/broken': 'A=1\nCANARY\n',
      '/work/one/large': `A=${'x'.repeat(256 * 1024)}`,
      '/work/one/binary': new Uint8Array([65, 61, 0xff, 0xfe]),
    };
    const details = [];
    for (const envFile of ['missing', 'broken', 'large', 'binary']) {
      const failed = await failure({ command: 'x', envFile }, { files });
      assert.equal(failed.code, 'envFileUnreadable');
      assert.equal(failed.data['path'], `/work/one/${envFile}`);
      details.push(failed.data['detail']);
    }
    assert.deepEqual(details, [
      'there is no such file',
      'line 2 is not NAME=value',
      'it is too large',
      'it is not UTF-8 text',
    ]);
  });

  it('reads an envFile whose path the person gives after approval', async () => {
    const place = { inputs: { p: '/home/me/x.env' }, files: { '/home/me/x.env': 'A=1' } };
    assert.deepEqual({ ...(await stdio({ command: 'x', envFile: '${input:p}' }, place)).env }, { A: '1' });
  });

  it('refuses loader variables in the envFile of a project, not in the own one', async () => {
    const files = { '/work/one/e': 'NODE_OPTIONS=--require=./x.js', '/work/open/e': 'NODE_OPTIONS=x' };
    const failed = await failure({ command: 'x', envFile: 'e' }, { files });
    assert.deepEqual([failed.code, failed.field], ['blockedPolicy', 'envFile.NODE_OPTIONS']);
    assert.deepEqual({ ...(await stdio({ command: 'x', envFile: 'e' }, { files }, user)).env }, { NODE_OPTIONS: 'x' });
  });

  it('refuses what a project may not say before it looks at anything', async () => {
    const context = contextOf();
    const server = serverOf(project, { command: 'x', env: { PATH: '/evil' }, args: ['${secret:s}'] });
    await assert.rejects(resolveLaunch(server, context), { code: 'blockedPolicy' });
    assert.deepEqual([context.asked, context.searched], [[], []]);
  });
});
