import assert from 'node:assert/strict';
import { chmod, mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import type { ConfigScope } from '../../src/contract/serverConfig.ts';
import { projectConfigFile } from '../../src/core/config/configPaths.ts';
import { readConfigText } from '../../src/core/config/readConfigText.ts';
import type { ConfiguredServer } from '../../src/core/config/model.ts';
import { openClient } from '../../src/core/connection/openClient.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { createManager } from '../../src/core/manager/createManager.ts';
import type { PersonalValues } from '../../src/core/ports.ts';
import type { StdioLaunch } from '../../src/core/transport/launch.ts';
import { StdioTransport } from '../../src/core/transport/stdioTransport.ts';
import type { LaunchContext } from '../../src/core/trust/launchContext.ts';
import { resolveLaunch } from '../../src/core/trust/resolveLaunch.ts';
import { type CommandLine, commandLine } from '../support/commandLine.ts';
import { eventually } from '../support/eventually.ts';
import { startHttpFixture } from '../support/fixtureServer.ts';
import { legacyPeer, startPeer } from '../support/httpPeer.ts';
import { opening, remoteLaunch } from '../support/openOptions.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const stored: PersonalValues = {
  input: (id) => Promise.resolve(`typed-${id}-canary`),
  secret: (name) => Promise.resolve(`stored-${name}-canary`),
};

describe('A launch under attack', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let project: ConfigScope & { kind: 'project' };
  let root: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    root = await realpath(folder.path);
    project = { kind: 'project', folder: join(root, 'work'), name: 'work' };
    await mkdir(project.folder);
    await mkdir(join(root, 'home'));
  });
  afterEach(() => folder.remove());

  function defined(entry: object, scope: ConfigScope = project): ConfiguredServer {
    const text = JSON.stringify({ version: 3, mcpServers: { a: entry } });
    const reading = readConfigText(text, { file: projectConfigFile(project.folder), scope });
    assert.ok(reading.kind === 'config');
    return reading.servers[0]!;
  }

  const context = (changes: Partial<LaunchContext> = {}): LaunchContext => ({
    ...{ home: join(root, 'home'), env: process.env, personalValues: stored },
    ...changes,
  });

  async function stdio(entry: object, scope?: ConfigScope): Promise<StdioLaunch> {
    const launch = await resolveLaunch(defined(entry, scope), context());
    assert.ok(launch.kind === 'stdio');
    return launch;
  }

  /** What a program says on stderr until it ends. */
  async function said(launch: StdioLaunch): Promise<readonly string[]> {
    const lines: string[] = [];
    const transport = new StdioTransport(launch, {
      environment: { base: process.env, inherit: [] },
      clock: systemClock(),
      onStderr: (line) => void lines.push(line),
    });
    try {
      await transport.start();
      await eventually(() => transport.exit !== undefined && lines.length > 0);
    } finally {
      await transport.close();
    }
    return lines;
  }

  async function program(name: string, text: string): Promise<string> {
    const path = join(root, name);
    await writeFile(path, text);
    await chmod(path, 0o755);
    return path;
  }

  describe('with a program of its own', function () {
    before(function () {
      if (process.platform === 'win32') this.skip();
    });

    it('starts the file that was looked at, wherever its link leads by then [TRUST-2b]', async () => {
      await program('good', '#!/bin/sh\necho good >&2\n');
      await program('evil', '#!/bin/sh\necho evil >&2\n');
      const link = join(root, 'link');
      await symlink('good', link);
      const launch = await stdio({ command: link });
      await rm(link);
      await symlink('evil', link);
      assert.deepEqual(await said(launch), ['good']);
    });

    it('starts it in the folder that was looked at, wherever its link leads by then [TRUST-2c]', async () => {
      for (const name of ['looked-at', 'swapped']) await mkdir(join(root, name));
      const link = join(root, 'folder');
      await symlink('looked-at', link);
      const launch = await stdio({ command: await program('where', '#!/bin/sh\npwd -P >&2\n'), cwd: link });
      await rm(link);
      await symlink('swapped', link);
      assert.deepEqual(await said(launch), [join(root, 'looked-at')]);
    });

    it('tells a program by which link it was called [TRUST-2b]', async () => {
      const link = join(root, 'called-by-this');
      await symlink(process.execPath, link);
      const launch = await stdio({ command: link, args: ['-e', 'console.error(process.argv0, process.execPath)'] });
      assert.deepEqual(await said(launch), [`${link} ${await realpath(process.execPath)}`]);
    });

    it('starts nothing that appeared after the project’s launch was looked at [TRUST-2b]', async () => {
      const launch = await stdio({ command: './late' });
      await program('work/late', '#!/bin/sh\necho late >&2\n');
      await assert.rejects(said(launch), { code: 'blockedApproval' });
      assert.deepEqual(await said(await stdio({ command: './late' })), ['late']);
    });
  });

  it('shows no secret that it passed as an argument [CONN-10b]', async () => {
    const echo = 'console.error("got", process.argv[1], process.argv[2], "plain")';
    const entry = { command: process.execPath, args: ['-e', echo, '${secret:s}', '--p=${input:pw}'] };
    assert.deepEqual(await said(await stdio(entry)), ['got [redacted] --p=[redacted] plain']);
  });

  it('shows no header or secret of its URL that a remote server says back [CONN-10b]', async () => {
    const peer = await startPeer((request, answer) => {
      const back = `${request.headers['x-trace']} ${request.headers['x-user-token']} ${request.path}`;
      if (request.path.startsWith('/broken')) answer.error(-32000, back);
      else legacyPeer((_, rest) => rest.error(-32001, back))(request, answer);
    });
    try {
      const headers = { 'X-Trace': '${secret:s}', 'X-User-Token': 'Bearer literal-canary' };
      const told = async (path: string): Promise<unknown> => {
        const url = `${peer.origin}/${path}/\${secret:url}`;
        const launch = await resolveLaunch(defined({ url, headers }, { kind: 'user' }), context());
        assert.ok(launch.kind === 'remote');
        const options = opening();
        const settled = await openClient(remoteLaunch(launch.url, launch), options).then(
          async (client) => {
            const error: unknown = await client.request('x/y', {}, { kind: 'request' }).catch((why: unknown) => why);
            await client.close();
            return error;
          },
          (error: unknown) => error,
        );
        assert.ok(settled instanceof ManagerError);
        return settled.data['detail'];
      };
      assert.equal(await told('broken'), '[redacted] [redacted] /broken/[redacted]');
      assert.equal(await told('asked'), '[redacted] [redacted] /asked/[redacted]');
      assert.ok(peer.requests.every(({ headers: sent }) => sent['x-trace'] === 'stored-s-canary'));
    } finally {
      await peer.stop();
    }
  });

  it("keeps the person's own server out of a folder until it is trusted, and not after [TRUST-1a, TRUST-1d]", async () => {
    const workspace = project.folder;
    const server = (id: string, entry: object): object => ({ [id]: entry });
    const text = JSON.stringify({
      version: 3,
      mcpServers: {
        ...server('plain', { command: process.execPath }),
        ...server('inside', { command: process.execPath, cwd: workspace }),
        ...server('named', { command: process.execPath, args: ['${workspaceFolder}'] }),
      },
    });
    const file = { file: join(root, 'mcp.json'), scope: { kind: 'user' } } as const;
    const reading = readConfigText(text, file);
    assert.ok(reading.kind === 'config');
    let trusted = false;
    const circumstances = () => ({ workspaceTrusted: trusted, mayReach: () => false });
    const manager = createManager({
      clock: systemClock(),
      circumstances: circumstances(),
      approvedByName: true,
      launchContext: () =>
        Promise.resolve(context(trusted ? { workspaceFolder: workspace } : { untrustedFolders: [workspace] })),
      environment: () => Promise.resolve({ base: process.env, inherit: [] }),
      handlers: () => ({}),
      reload: () => Promise.resolve(),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    try {
      manager.apply({ files: [{ ...file, exists: true, version: 3, servers: reading.servers, inputs: [] }] });
      const cwd = async (id: string): Promise<string> => {
        const key = manager.keyOf(id);
        assert.ok(key !== undefined);
        const launch = await manager.launch(key);
        assert.ok(launch.kind === 'stdio');
        return launch.cwd;
      };
      assert.equal(await cwd('plain'), join(root, 'home'));
      for (const id of ['inside', 'named']) await assert.rejects(cwd(id), { code: 'blockedTrust' }, id);
      trusted = true;
      manager.setCircumstances(circumstances());
      assert.deepEqual(
        [await cwd('plain'), await cwd('inside'), await cwd('named')],
        [workspace, workspace, workspace],
      );
    } finally {
      await manager.dispose();
    }
  });
});

describe('A URL with variables on the command line', () => {
  let cli: CommandLine;
  beforeEach(() => {
    cli = commandLine();
  });
  afterEach(() => cli.dispose());

  it('is judged when it is finished: this machine may be reached, another only with --allow-remote [GATE-5m, GATE-5n]', async () => {
    const fixture = await startHttpFixture('basic-legacy');
    try {
      const { port, pathname } = new URL(fixture.url);
      cli.configure({
        here: { url: `http://localhost:\${env:PORT}${pathname}` },
        there: { url: 'https://${env:HOST}/' },
      });
      const env = { PORT: port, HOST: 'mcp.invalid' };
      const here = await cli.run(['call', 'here', 'echo', '{"text":"hello"}'], { env });
      assert.equal(here.code, 0, here.err);
      assert.match(here.out, /hello/);
      const call = async (...more: string[]): Promise<string> => {
        const { out, err } = await cli.run(['call', 'there', 'echo', '{}', '--json', ...more], { env });
        return (JSON.parse(out || err) as { error: { code: string } }).error.code;
      };
      assert.equal(await call(), 'blockedRemoteOff');
      assert.equal(await call('--allow-remote'), 'networkFailed');
    } finally {
      await fixture.stop();
    }
  });
});
