import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ManagerError } from '../../../../src/core/errors.ts';
import { resolveLaunch } from '../../../../src/core/trust/resolveLaunch.ts';
import { fileOf, folder, serverOf, user } from '../config/snapshots.ts';
import { contextOf, type FakePlace } from './launchFixture.ts';
import type { LaunchContext } from '../../../../src/core/trust/launchContext.ts';

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
      assert.ok(failed.data['server'] === 'a' && failed.data['field'] !== undefined, JSON.stringify(failed));
    }
  });

  it('tells how a variable is miswritten', async () => {
    for (const [arg, fault] of [
      ['${env:A', 'unclosed'],
      ['${env:A:-${env:B}}', 'nested'],
      ['${nothing}', undefined],
    ] as const) {
      const failed = await failure({ command: 'x', args: [arg] }, {});
      assert.deepEqual([failed.code, failed.field, failed.data['fault']], ['variableUnknown', 'args.0', fault]);
    }
  });

  it('refuses an envFile that is missing, broken, too large or no text, without showing it', async () => {
    const files = {
      '/work/one/broken': 'A=1\nCANARY\n',
      '/work/one/large': `A=${'x'.repeat(256 * 1024)}`,
      '/work/one/binary': new Uint8Array([65, 61, 0xff, 0xfe]),
    };
    const [details, faults]: [unknown[], unknown[]] = [[], []];
    for (const envFile of ['missing', 'broken', 'large', 'binary']) {
      const failed = await failure({ command: 'x', envFile }, { files });
      assert.equal(failed.code, 'envFileUnreadable');
      assert.equal(failed.data['path'], `/work/one/${envFile}`);
      details.push(failed.data['detail']);
      faults.push(failed.data['fault']);
    }
    assert.deepEqual(faults, [undefined, 'line', 'size', 'encoding']);
    assert.deepEqual(details, [
      'there is no such file',
      'line 2 is not NAME=value',
      'it is too large',
      'it is not UTF-8 text',
    ]);
  });

  it('reads an envFile whose path an input of an own server gives', async () => {
    const place = { inputs: { p: '/home/me/x.env' }, files: { '/home/me/x.env': 'A=1' } };
    assert.deepEqual({ ...(await stdio({ command: 'x', envFile: '${input:p}' }, place, user)).env }, { A: '1' });
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

  it('names the one file to start, and the link by which it was found', async () => {
    const place = { commands: { npx: '/bin/npx' }, links: { '/bin/npx': '/lib/npx.js' } };
    for (const scope of [project, user]) {
      const launch = await stdio({ command: 'npx' }, place, scope);
      assert.deepEqual(
        [launch.command, launch.executable, launch.calledAs, launch.bound],
        ['npx', '/lib/npx.js', '/bin/npx', true],
      );
    }
    assert.equal('executable' in (await stdio({ command: 'gone' }, place)), false);
  });

  it("leaves open only which program values of the person's decide, and guesses none of these", async () => {
    const place = { inputs: { i: 'npx' }, commands: { npx: '/bin/npx', './x': '/work/open/x' } };
    for (const entry of [{ command: '${input:i}' }, { command: './x', cwd: '/w/${input:i}' }]) {
      const launch = await stdio(entry, place, user);
      assert.deepEqual([launch.executable, launch.calledAs, launch.bound], [undefined, undefined, false]);
    }
  });

  it('refuses what was approved when the envFile changes while a value is typed', async () => {
    let content = 'A=1';
    const context = contextOf({ secrets: { s: 'S' } });
    const reading: LaunchContext = {
      ...context,
      files: {
        readFile: () => Promise.resolve(new TextEncoder().encode(content)),
        realPath: (path) => Promise.resolve(path),
      },
      personalValues: {
        ...context.personalValues,
        secret: () => {
          content = 'A=2';
          return Promise.resolve('S');
        },
      },
    };
    const entry = { command: 'x', envFile: 'e', args: ['${secret:s}'] };
    for (const scope of [project, user]) {
      content = 'A=1';
      await assert.rejects(resolveLaunch(serverOf(scope, entry), reading), { code: 'blockedApproval' });
    }
  });

  it('refuses what was approved when the program changes while a value is typed', async () => {
    const place: FakePlace = { commands: { x: '/bin/x' }, secrets: { s: 'S' } };
    const context = contextOf(place);
    const typing: LaunchContext = {
      ...context,
      personalValues: {
        ...context.personalValues,
        secret: () => {
          place.commands = { x: '/tmp/x' };
          return Promise.resolve('S');
        },
      },
    };
    await assert.rejects(resolveLaunch(serverOf(project, { command: 'x', args: ['${secret:s}'] }), typing), {
      code: 'blockedApproval',
    });
  });

  it('judges the finished URL, not the one with variables', async () => {
    const mayReach = (url: string): boolean => url === 'http://localhost:3000/';
    const reach = (port: string) =>
      resolveLaunch(serverOf(project, { url: 'http://localhost:${env:PORT}/' }), {
        ...contextOf({ env: { PORT: port } }),
        mayReach,
      });
    assert.equal((await reach('3000')).kind, 'remote');
    await assert.rejects(reach('3001'), { code: 'blockedRemoteOff', data: { server: 'a' } });
  });

  it('fails at once when nobody waits any more, and closes the question', async () => {
    const stop = new AbortController();
    const asked: (AbortSignal | undefined)[] = [];
    const context: LaunchContext = {
      ...contextOf(),
      signal: stop.signal,
      personalValues: {
        input: (_id, _scope, options) => {
          asked.push(options?.signal);
          stop.abort(new Error('gone'));
          return new Promise<undefined>(() => undefined);
        },
        secret: () => Promise.resolve(undefined),
      },
    };
    await assert.rejects(resolveLaunch(serverOf(user, { command: 'x', args: ['${input:i}'] }), context), {
      message: 'gone',
    });
    assert.deepEqual(asked, [stop.signal]);
  });

  describe('in a workspace that is not trusted', () => {
    const untrusted = (links: Record<string, string> = {}): LaunchContext => ({
      ...contextOf({ workspaceFolder: '/work/open', inputs: { d: '/work/open/x' }, links }),
      untrustedFolders: ['/work/open', '/work/more'],
    });
    const own = async (entry: object, links = {}): Promise<string> => {
      const launch = await resolveLaunch(serverOf(user, entry), untrusted(links));
      assert.ok(launch.kind === 'stdio');
      return launch.cwd;
    };

    it("runs the person's own server at home", async () => {
      assert.equal(await own({ command: 'x' }), '/home/me');
      assert.equal(await own({ command: 'x', cwd: 'sub' }), '/home/me/sub');
      assert.equal(await own({ command: 'x', cwd: '/work/opened' }), '/work/opened');
    });

    it('refuses every way into one of its folders', async () => {
      for (const [entry, field] of [
        [{ command: 'x', cwd: '${workspaceFolder}' }, 'cwd'],
        [{ command: 'x', args: ['${workspaceFolder}'] }, 'args.0'],
        [{ command: 'x', env: { A: '${workspaceFolder}/x' } }, 'env.A'],
        [{ command: 'x', cwd: '/work/open' }, 'cwd'],
        [{ command: 'x', cwd: '/work/more/..x' }, 'cwd'],
        [{ command: 'x', cwd: '${input:d}' }, 'cwd'],
        [{ command: 'x', cwd: '/elsewhere/../work/open' }, 'cwd'],
      ] as const) {
        await assert.rejects(own(entry), { code: 'blockedTrust', data: { server: 'a', field } }, JSON.stringify(entry));
      }
      await assert.rejects(own({ command: 'x', cwd: '/link' }, { '/link': '/work/more/a' }), { code: 'blockedTrust' });
    });
  });

  describe('names the values that have to stay out of logs', () => {
    const place: FakePlace = {
      env: { GITHUB_TOKEN: 'from-env', PGPASS: 'pg', PLAIN: `ghp_${'a1'.repeat(18)}`, MODE: 'fast', URL_TOKEN: 'u' },
      inputs: { pw: 'typed', region: 'eu-west' },
      secrets: { s: 'stored' },
    };

    it('whichever field they are used in', async () => {
      const { secrets } = await stdio(
        {
          command: 'x',
          args: ['--t=${env:GITHUB_TOKEN}', '${secret:s}', '${env:MODE}', '${env:PLAIN}'],
          cwd: '/a/${env:PGPASS}',
          env: { A: '${input:pw}' },
        },
        place,
      );
      assert.deepEqual([...(secrets ?? [])].sort(), ['from-env', 'pg', place.env?.['PLAIN'], 'stored', 'typed'].sort());
    });

    it('takes an input for a password unless it is known not to be one', async () => {
      const entry = { command: 'x', args: ['${input:pw}', '${input:region}'] };
      const inputs = ['pw', 'region'].map((id) => ({ id, type: 'promptString', password: id === 'pw' }));
      const [server] = fileOf(project, { a: entry }, inputs).servers;
      const launch = await resolveLaunch(server!, contextOf(place));
      assert.deepEqual(launch.secrets, ['typed']);
      assert.deepEqual((await stdio(entry, place)).secrets, ['typed', 'eu-west']);
    });

    it('literals behind the names of sensitive options, and in sensitive parameters of a URL', async () => {
      const args = [
        '--api-key',
        'one',
        '--token=two',
        'PASSWORD=three',
        '--mode',
        'fast',
        '--region=eu',
        '-v',
        'four',
        '--secret',
        '--verbose',
      ];
      assert.deepEqual((await stdio({ command: 'x', args }, place)).secrets, ['one', 'two', 'three']);
      const entry = { url: 'https://x/mcp?api_key=five&page=6' };
      assert.deepEqual((await resolveLaunch(serverOf(user, entry), contextOf(place))).secrets, ['five']);
    });

    it('in URL and headers of a remote, literals of sensitive headers too', async () => {
      const entry = {
        url: 'https://x/${env:URL_TOKEN}',
        headers: { 'X-A': '${secret:s}', Authorization: 'Bearer literal-words', Accept: 'text/plain' },
      };
      const launch = await resolveLaunch(serverOf(user, entry), contextOf(place));
      assert.deepEqual([...(launch.secrets ?? [])].sort(), ['Bearer literal-words', 'stored', 'u']);
    });
  });
});
