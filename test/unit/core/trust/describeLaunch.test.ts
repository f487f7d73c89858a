import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'mocha';
import { describeLaunch } from '../../../../src/core/trust/describeLaunch.ts';
import { fileOf, folder, serverOf, user } from '../config/snapshots.ts';
import { contextOf, type FakePlace } from './launchFixture.ts';

const project = folder('one');
const hash = (text: string): string => `SHA-256 ${createHash('sha256').update(text).digest('hex')}`;

async function stdio(entry: object, place: FakePlace = {}) {
  const request = await describeLaunch(serverOf(project, entry), contextOf(place));
  assert.ok(request.what.kind === 'stdio');
  return { ...request.what, references: request.references };
}

describe('describeLaunch', () => {
  it('shows what would run, with places filled in and values of the person by name', async () => {
    const context = contextOf({
      env: { A: 'secret value' },
      commands: { npx: '/bin/npx' },
      links: { '/bin/npx': '/lib/npx.js' },
      files: { '/work/one/e': 'FROM_FILE=1\nMODE=old' },
    });
    const entry = {
      command: 'npx',
      args: ['${workspaceFolder}/x', '${env:A}', '${input:i}'],
      env: { MODE: 'new', T: '${secret:s}' },
      envFile: 'e',
    };
    const request = await describeLaunch(serverOf(project, entry), context);
    assert.deepEqual(request.what, {
      kind: 'stdio',
      command: 'npx',
      executable: '/lib/npx.js',
      calledAs: '/bin/npx',
      args: ['/work/one/x', '${env:A}', '${input:i}'],
      cwd: '/work/one',
      realCwd: '/work/one',
      env: { FROM_FILE: '1', MODE: 'new', T: '${secret:s}' },
      envFile: 'e',
      envFileHash: createHash('sha256').update('FROM_FILE=1\nMODE=old').digest('hex'),
    });
    assert.deepEqual(request.references, ['${env:A}', '${input:i}', '${secret:s}']);
    const { file, position } = serverOf(project, entry);
    assert.deepEqual([request.id, request.scope, request.file, request.line], ['a', project, file, position?.line]);
    assert.deepEqual(context.asked, []);
  });

  it('names no folder of the person’s that a definition never writes', async () => {
    const of = async (entry: object) => (await describeLaunch(serverOf(user, entry), contextOf())).references;
    assert.deepEqual(await of({ command: 'x' }), []);
    assert.deepEqual(await of({ command: 'x', cwd: '${workspaceFolder}' }), ['${workspaceFolder}']);
  });

  it('shows the choices, defaults and kinds of the inputs that it uses, and of no other', async () => {
    const inputs = [
      { id: 'stage', type: 'pickString', options: ['a', 'b'], default: 'a', description: 'Which?' },
      { id: 'other', type: 'promptString' },
    ];
    const [server] = fileOf(project, { a: { command: 'x', args: ['${input:stage}'] } }, inputs).servers;
    assert.deepEqual((await describeLaunch(server!, contextOf())).inputs, inputs.slice(0, 1));
    const [changed] = fileOf(project, { a: { command: 'x', args: ['${input:stage}'] } }, [
      { ...inputs[0], options: ['a', 'b; evil'] },
    ]).servers;
    const print = async (of: typeof server) => (await describeLaunch(of!, contextOf())).fingerprint;
    assert.notEqual(await print(changed), await print(server));
  });

  it('shows the whole of it, however long', async () => {
    const long = `x${' '.repeat(10_000)}--evil`;
    assert.deepEqual((await stdio({ command: 'x', args: [long] })).args, [long]);
  });

  it('shows sensitive literals as hashes and ordinary ones in full', async () => {
    const token = 'ghp_0123456789abcdefghijABCDEFGHIJ';
    const { env, references } = await stdio(
      {
        command: 'x',
        env: {
          MODE: 'fast',
          API_KEY: 'k',
          my_password: 'p',
          Credentials: 'c',
          AUTH: 'a',
          NODE_TLS_REJECT_UNAUTHORIZED: '0',
          PLAIN: token,
          MIXED_TOKEN: 'Bearer ${secret:s}',
        },
        envFile: 'e',
      },
      { files: { '/work/one/e': 'FILE_SECRET=q' } },
    );
    assert.deepEqual(env, {
      FILE_SECRET: hash('q'),
      MODE: 'fast',
      API_KEY: hash('k'),
      my_password: hash('p'),
      Credentials: hash('c'),
      AUTH: hash('a'),
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      PLAIN: hash(token),
      MIXED_TOKEN: 'Bearer ${secret:s}',
    });
    assert.deepEqual(references, ['${secret:s}']);
  });

  it('shows URL and headers of a remote, with the places that values of the person go to', async () => {
    const headers = { 'X-Team': 'blue', 'X-Trace-Id': '${env:AWS_SECRET_ACCESS_KEY}', 'X-Key-Id': 'k' };
    const entry = { url: 'https://${env:H}/mcp', headers };
    const request = await describeLaunch(
      serverOf(project, entry),
      contextOf({ env: { H: 'example.com', AWS_SECRET_ACCESS_KEY: 'canary' } }),
    );
    assert.deepEqual(request.what, {
      kind: 'remote',
      url: 'https://${env:H}/mcp',
      headers: { ...headers, 'X-Key-Id': hash('k') },
    });
    assert.deepEqual(request.references, ['${env:H}', '${env:AWS_SECRET_ACCESS_KEY}']);
  });

  it('shows the URL and the host that are reached, however the URL is written', async () => {
    const target = async (url: string) => {
      const { what } = await describeLaunch(serverOf(project, { url }), contextOf({ env: { X: 'x' } }));
      assert.ok(what.kind === 'remote');
      assert.equal(what.url, url);
      return [what.reached, what.host];
    };
    for (const [url, reached, host] of [
      ['https://\u0430pple.com/', 'https://xn--pple-43d.com/', 'xn--pple-43d.com'],
      ['https://ex1\uFE0Fample.com/a1\uFE0Fb', 'https://ex1ample.com/a1%EF%B8%8Fb', 'ex1ample.com'],
      ['https://a.com\u3002evil.com/', 'https://a.com.evil.com/', 'a.com.evil.com'],
      ['https://good.com%2eevil.com/', 'https://good.com.evil.com/', 'good.com.evil.com'],
      ['https://2130706433/', 'https://127.0.0.1/', '127.0.0.1'],
      ['http://127.1:8080', 'http://127.0.0.1:8080/', '127.0.0.1:8080'],
      ['https://\u24d4vil.com/', 'https://evil.com/', 'evil.com'],
      ['https://\u0430pple.com/${env:X}', undefined, 'xn--pple-43d.com'],
      ['https://apple.com${env:X}/', undefined, undefined],
      ['https://${env:X}/', undefined, undefined],
    ] as const) {
      assert.deepEqual(await target(url), [reached, host], url);
    }
  });

  it('shows where a working folder leads that is a link, and one that a variable decides as written', async () => {
    const links = { '/work/one/data': '/etc' };
    const linked = await stdio({ command: 'x', cwd: 'data' }, { links });
    assert.deepEqual([linked.cwd, linked.realCwd], ['/work/one/data', '/etc']);
    const open = await stdio({ command: 'x', cwd: '${env:D}' }, { env: { D: '/etc' } });
    assert.deepEqual([open.cwd, open.realCwd], ['${env:D}', undefined]);
  });

  it('says that a command was not found, and that one is open until a value of the person is known', async () => {
    const gone = await stdio({ command: 'nowhere' });
    assert.deepEqual([gone.executable, gone.executableOpen], [undefined, undefined]);
    const { what } = await describeLaunch(serverOf({ kind: 'user' }, { command: '${input:c}' }), contextOf());
    assert.ok(what.kind === 'stdio');
    assert.deepEqual([what.executable, what.executableOpen], [undefined, true]);
  });

  it("looks the command up with the entry's own variables, in its folder", async () => {
    const context = contextOf({ env: { PATH: '/bin' } });
    await describeLaunch(
      serverOf({ kind: 'user' }, { command: './x', cwd: '/w', env: { PATH: '/o:${env:PATH}', S: '${secret:s}' } }),
      context,
    );
    assert.deepEqual(context.searched, [{ command: './x', cwd: '/w', env: { PATH: '/o:/bin' } }]);
  });

  it('approves no program or file that only a value given afterwards decides', async () => {
    for (const [entry, field] of [
      [{ command: '${input:c}' }, 'command'],
      [{ command: '/bin/${secret:c}' }, 'command'],
      [{ command: 'x', envFile: '${input:f}' }, 'envFile'],
      [{ command: 'x', envFile: '/a/${secret:f}' }, 'envFile'],
      [{ command: './x', cwd: '${input:d}' }, 'cwd'],
      [{ command: 'bin/x', cwd: '${secret:d}' }, 'cwd'],
      [{ command: '${env:C}', cwd: '${input:d}' }, 'cwd'],
    ] as const) {
      const context = contextOf({ env: { C: './guess' }, commands: { './x': '/work/one/x' } });
      const refused = (error: { code?: string; data?: Record<string, unknown> }): boolean =>
        error.code === 'blockedPolicy' && error.data?.['field'] === field && typeof error.data['detail'] === 'string';
      await assert.rejects(describeLaunch(serverOf(project, entry), context), refused, JSON.stringify(entry));
      assert.deepEqual([context.searched, context.asked], [[], []], 'nothing was guessed');
      await describeLaunch(serverOf({ kind: 'user' }, entry), context);
    }
    for (const entry of [
      { command: '/abs/x', cwd: '${input:d}' },
      { command: 'x', cwd: '${input:d}' },
      { command: './x', cwd: '${env:C}' },
    ]) {
      await describeLaunch(serverOf(project, entry), contextOf({ env: { C: 'sub' } }));
    }
  });
});
