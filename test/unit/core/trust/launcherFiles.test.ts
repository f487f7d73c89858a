import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'mocha';
import { limits } from '../../../../src/core/limits.ts';
import { describeLaunch } from '../../../../src/core/trust/describeLaunch.ts';
import { launchFingerprint } from '../../../../src/core/trust/launchFingerprint.ts';
import { folder, serverOf, user } from '../config/snapshots.ts';
import { contextOf, type FakePlace } from './launchFixture.ts';

const project = folder('one');
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
type Files = Record<string, string>;

/** What is bound of these files, without the folder of the project, by path. */
async function bound(entry: object, files: Files, scope = project, place: FakePlace = {}) {
  const { what } = await describeLaunch(serverOf(scope, entry), contextOf({ ...place, files }));
  assert.ok(what.kind === 'stdio');
  return what.launcherFiles ?? {};
}

async function names(entry: object, files: readonly string[]): Promise<readonly string[]> {
  const found = await bound(entry, Object.fromEntries(files.map((name) => [`/work/one/${name}`, '{"bin":"x"}'])));
  return Object.keys(found).map((path) => path.replace('/work/one/', ''));
}

describe('launcherFiles', () => {
  const npx = { command: 'npx', args: ['-y', '@scope/server@1.2', '--stdio'] };
  const npmrc = { '/work/one/.npmrc': 'node-options=--require=./evil.cjs\n' };

  it('are a part of what is asked about, with their content, for a project and for the person’s own file', async () => {
    for (const scope of [project, user]) {
      const open = { workspaceFolder: '/work/one' };
      assert.deepEqual(await bound(npx, npmrc, scope, open), {
        '/work/one/.npmrc': hash('node-options=--require=./evil.cjs\n'),
      });
      const print = (files: Files) => launchFingerprint(serverOf(scope, npx), contextOf({ ...open, files }));
      const prints = [{}, npmrc, { '/work/one/.npmrc': 'fund=false\n' }, { '/work/.npmrc': 'fund=false\n' }].map(print);
      assert.equal(new Set(await Promise.all(prints)).size, prints.length);
    }
  });

  it('are those that the launcher reads, and none of what no launcher runs', async () => {
    const all = [
      ...['.npmrc', 'bunfig.toml', '.yarnrc.yml', 'pnpm-workspace.yaml', 'deno.json', 'uv.toml', 'pyproject.toml'],
      ...['compose.yaml', '.env', '.tool-versions', 'package.json', 'Pipfile', '.env.yarn', 'NuGet.config'],
    ];
    for (const [command, args, read] of [
      ['npx', ['x'], ['.npmrc', '.tool-versions', 'package.json']],
      ['npm', ['run', 'serve'], ['.npmrc', '.tool-versions', 'package.json']],
      ['pnpm', ['dlx', 'x'], ['.npmrc', '.tool-versions', 'package.json', 'pnpm-workspace.yaml']],
      ['yarn', ['dlx', 'x'], ['.env.yarn', '.npmrc', '.tool-versions', '.yarnrc.yml', 'package.json']],
      ['bunx', ['x'], ['.env', '.npmrc', '.tool-versions', 'bunfig.toml', 'package.json']],
      ['deno', ['run', 'x'], ['.npmrc', '.tool-versions', 'deno.json', 'package.json']],
      ['uv', ['run', 'x'], ['.tool-versions', 'pyproject.toml', 'uv.toml']],
      ['poetry', ['run', 'x'], ['.tool-versions', 'pyproject.toml']],
      ['pipenv', ['run', 'x'], ['.env', '.tool-versions', 'Pipfile']],
      ['dnx', ['x'], ['.tool-versions', 'NuGet.config']],
      ['docker', ['compose', 'run', 'x'], ['.env', '.tool-versions', 'compose.yaml']],
      // uv: "For tool commands … local configuration files will be ignored."
      ['uvx', ['x'], ['.tool-versions']],
      ['docker', ['run', 'x'], []],
      ['/usr/bin/node', ['server.js'], []],
    ] as const) {
      assert.deepEqual([...(await names({ command, args }, all))].sort(), read, `${command} ${args.join(' ')}`);
    }
  });

  it('are found however the launcher is named or told to start', async () => {
    for (const [command, args] of [
      ['C:\\node\\npx.cmd', ['x']],
      ['/usr/bin/NPX', ['x']],
      ['cmd', ['/c', 'npx', 'x']],
      ['sh', ['-c', 'cd /tmp; exec npx -y x']],
      ['bash', ['-lc', '"/usr/bin/npx" x']],
      ['env', ['A=1', 'npx', 'x']],
      ['node', ['/usr/lib/node_modules/npm/bin/npx-cli.js', 'x']],
    ] as const) {
      assert.deepEqual(await names({ command, args }, ['.npmrc']), ['.npmrc'], `${command} ${args.join(' ')}`);
    }
    const linked = { commands: { mine: '/bin/mine' }, links: { '/bin/mine': '/lib/npm/bin/npx-cli.js' } };
    assert.deepEqual(Object.keys(await bound({ command: 'mine' }, npmrc, project, linked)), ['/work/one/.npmrc']);
  });

  it('are what npx takes before it asks a registry', async () => {
    const local = ['node_modules/.bin/server', 'node_modules/@scope/server/package.json'];
    assert.deepEqual(await names(npx, local), local);
    assert.deepEqual(
      await names({ command: 'npx', args: ['-p', 'a', '--package=b', 'cmd'] }, [
        ...['node_modules/.bin/cmd', 'node_modules/a/package.json', 'node_modules/b/package.json'],
      ]),
      ['node_modules/a/package.json', 'node_modules/b/package.json', 'node_modules/.bin/cmd'],
    );
    // A path of the machine is no name below node_modules.
    assert.deepEqual(await names({ command: 'npx', args: ['-y', '../x', '/tools/pack', '..'] }, ['package.json']), [
      'package.json',
    ]);
  });

  it('leave out what changes daily in a package.json that a fetched package is run beside', async () => {
    const of = async (content: object, entry: object = npx) =>
      Object.values(await bound(entry, { '/work/one/package.json': JSON.stringify(content) }));
    assert.deepEqual(await of({ name: 'app', dependencies: { a: '1' }, scripts: { x: 'y' } }), []);
    const before = await of({ bin: { server: './evil.js' }, dependencies: { a: '1' } });
    assert.equal(before.length, 1);
    assert.deepEqual(await of({ dependencies: { a: '2' }, bin: { server: './evil.js' } }), before);
    assert.notDeepEqual(await of({ bin: { server: './other.js' } }), before);
    const run = { command: 'npm', args: ['run', 'serve'] };
    assert.notDeepEqual(await of({ scripts: { serve: 'a' } }, run), await of({ scripts: { serve: 'b' } }, run));
  });

  it('lie in the working folder and in those above it, but for the person’s home', async () => {
    const found = async (files: readonly string[], cwd: string, scope = project) =>
      Object.keys(await bound({ ...npx, cwd }, Object.fromEntries(files.map((path) => [path, 'x'])), scope));
    const above = ['/work/one/sub/.npmrc', '/work/one/.npmrc', '/work/.npmrc'];
    assert.deepEqual(await found(above, 'sub'), above);
    const home = ['/home/me/code/.npmrc', '/home/me/.npmrc', '/home/.npmrc'];
    assert.deepEqual(await found(home, '/home/me/code'), home.slice(0, 1));
    assert.deepEqual(await found(home, '${userHome}', user), []);
    const dotfiles = { kind: 'project', folder: '/home/me', name: 'me' } as const;
    assert.deepEqual(await found(home, '.', dotfiles), ['/home/me/.npmrc']);
  });

  it('are refused where they are too large or too deep to be bound', async () => {
    const large = { '/work/one/.npmrc': '#'.repeat(limits.launcherFiles.bytes + 1) };
    await assert.rejects(bound(npx, large), ({ code, data }: { code: string; data: Record<string, string> }) => {
      assert.equal(code, 'blockedPolicy');
      assert.match(data['detail'] ?? '', /^\/work\/one\/\.npmrc decides what runs, and it is too large/);
      return true;
    });
    const deep = { ...npx, cwd: `/work/one${'/d'.repeat(limits.launcherFiles.folders)}` };
    await assert.rejects(bound(deep, {}), { code: 'blockedPolicy' });
    assert.deepEqual(await bound({ ...deep, command: 'node' }, {}), {});
  });
});
