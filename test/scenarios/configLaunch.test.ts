import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import type { ConfigScope } from '../../src/contract/serverConfig.ts';
import { projectConfigFile } from '../../src/core/config/configPaths.ts';
import { ConfigStore } from '../../src/core/config/configStore.ts';
import type { ConfiguredServer } from '../../src/core/config/model.ts';
import type { ApprovalRequest } from '../../src/core/ports.ts';
import { findCommand } from '../../src/core/transport/findCommand.ts';
import { ApprovalDesk } from '../../src/core/trust/approvalDesk.ts';
import { describeLaunch } from '../../src/core/trust/describeLaunch.ts';
import type { LaunchContext } from '../../src/core/trust/launchContext.ts';
import { resolveLaunch } from '../../src/core/trust/resolveLaunch.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const never = new AbortController().signal;

describe('a definition on its way to a launch', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let scope: ConfigScope & { kind: 'project' };
  let asked: string[];
  let env: Record<string, string>;
  const stored: Record<string, string> = { 'input:region': 'eu', 'secret:token': 'hush' };

  beforeEach(async () => {
    folder = await temporaryFolder();
    scope = { kind: 'project', folder: join(folder.path, 'work'), name: 'work' };
    asked = [];
    env = { PATH: [join(folder.path, 'bin'), process.env['PATH']].join(delimiter), MODE: 'fast' };
    await mkdir(join(folder.path, 'bin'));
    await mkdir(join(scope.folder, '.roundhouse'), { recursive: true });
    for (const name of ['tool-1', 'tool-2']) {
      await writeFile(join(folder.path, 'bin', name), '#!/bin/sh\n');
      await chmod(join(folder.path, 'bin', name), 0o755);
    }
  });
  afterEach(() => folder.remove());

  const lend = (key: string): Promise<string | undefined> => {
    asked.push(key);
    return Promise.resolve(stored[key]);
  };
  const context = (): LaunchContext => ({
    home: join(folder.path, 'me'),
    env,
    personalValues: { input: (id) => lend(`input:${id}`), secret: (name) => lend(`secret:${name}`) },
    findExecutable: async (command, options) => {
      const found = await findCommand(command, {
        cwd: options.cwd,
        env: { ...env, ...options.env },
        platform: process.platform,
      });
      return found.kind === 'found' ? found.path : undefined;
    },
  });

  async function defined(
    entries: Record<string, object>,
    where: ConfigScope = scope,
  ): Promise<readonly ConfiguredServer[]> {
    const file = projectConfigFile(scope.folder);
    await writeFile(file, JSON.stringify({ version: 3, mcpServers: entries }));
    const store = new ConfigStore({ file, scope: where, clock: systemClock({ unref: true }) });
    const { servers, problem } = await store.reload();
    store.dispose();
    assert.equal(problem, undefined);
    return servers;
  }
  const one = async (entry: object, where: ConfigScope = scope): Promise<ConfiguredServer> =>
    (await defined({ a: entry }, where))[0]!;

  it('has its variables replaced in every field, once, and nothing else [CFG-11a, CFG-11b, CFG-11c, CFG-11d]', async () => {
    await writeFile(join(scope.folder, 'fast.env'), 'FROM_FILE="${env:MODE}"\n');
    const launch = await resolveLaunch(
      await one({
        command: '${workspaceFolder}/${env:MODE}',
        args: ['${userHome}', '${env:NONE:-default}', '${input:region}', '$${env:MODE}', '$MODE'],
        env: { TOKEN: 'Bearer ${secret:token}' },
        envFile: '${env:MODE}.env',
        cwd: '${workspaceFolder}/sub',
      }),
      context(),
    );
    assert.ok(launch.kind === 'stdio');
    assert.equal(launch.command, `${scope.folder}/fast`);
    assert.deepEqual(launch.args, [join(folder.path, 'me'), 'default', 'eu', '${env:MODE}', '$MODE']);
    assert.deepEqual({ ...launch.env }, { FROM_FILE: '${env:MODE}', TOKEN: 'Bearer hush' });
    assert.equal(launch.cwd, `${scope.folder}/sub`);
    const remote = await resolveLaunch(
      await one({ url: 'https://example.com/${input:region}', headers: { 'X-Mode': '${env:MODE}' } }),
      context(),
    );
    assert.ok(remote.kind === 'remote');
    assert.deepEqual([remote.url, { ...remote.headers }], ['https://example.com/eu', { 'X-Mode': 'fast' }]);
  });

  it('never runs a command for a value [CFG-11e]', async () => {
    const made = join(folder.path, 'made');
    for (const text of [`\${cmd: touch ${made}}`, `\${command:touch ${made}}`]) {
      await assert.rejects(resolveLaunch(await one({ command: 'tool-1', env: { X: text } }), context()), {
        code: 'variableUnknown',
      });
    }
    const launch = await resolveLaunch(await one({ command: 'tool-1', args: [`$(touch ${made})`] }), context());
    assert.ok(launch.kind === 'stdio');
    assert.deepEqual(launch.args, [`$(touch ${made})`]);
    assert.ok(!(await readdir(folder.path)).includes('made'));
  });

  it('fails alone where a variable is not set, and says which [CFG-11f]', async () => {
    const [bad, good] = await defined({
      bad: { command: 'tool-1', args: ['${env:GONE}'] },
      good: { command: 'tool-1' },
    });
    await assert.rejects(resolveLaunch(bad!, context()), {
      code: 'variableUnset',
      data: { server: 'bad', file: projectConfigFile(scope.folder), field: 'args.0', variable: '${env:GONE}' },
    });
    assert.equal((await resolveLaunch(good!, context())).kind, 'stdio');
  });

  it('asks for inputs and secrets only when it is resolved, and says what is missing [CFG-11h]', async () => {
    const server = await one({ command: 'tool-1', args: ['${input:region}', '${secret:other}'] });
    const request = await describeLaunch(server, context());
    assert.deepEqual(request.references, ['${input:region}', '${secret:other}']);
    assert.deepEqual(asked, []);
    await assert.rejects(resolveLaunch(server, context()), { code: 'blockedInput' });
    assert.deepEqual(asked, ['input:region', 'secret:other']);
  });

  describe('once approved', () => {
    let questions: ApprovalRequest[];
    let desk: ApprovalDesk;

    beforeEach(() => {
      questions = [];
      const launches = {
        identify: (server: ConfiguredServer) => describeLaunch(server, context()),
        resolve: (server: ConfiguredServer) => resolveLaunch(server, context()),
      };
      desk = new ApprovalDesk(launches, {
        prompt: {
          ask: (requests) => {
            questions.push(...requests);
            return Promise.resolve(new Map(requests.map((request) => [request.fingerprint, 'once' as const])));
          },
        },
      });
    });

    async function approved(entry: object): Promise<ConfiguredServer> {
      const server = await one(entry);
      await desk.ask([server], never);
      assert.equal(await desk.standing(server), 'approved');
      return server;
    }

    it('is bound to the executable behind all links [TRUST-2b]', async function () {
      if (process.platform === 'win32') return this.skip();
      const tool = join(folder.path, 'bin', 'tool');
      await symlink('tool-1', tool);
      const server = await approved({ command: 'tool' });
      const [question] = questions;
      assert.ok(question?.what.kind === 'stdio');
      assert.equal(question.what.executable, join(folder.path, 'bin', 'tool-1'));
      await rm(tool);
      await symlink('tool-2', tool);
      assert.equal(await desk.standing(server), 'waiting');
      await assert.rejects(desk.launch(server, never), { code: 'blockedApproval' });
    });

    it('is bound to args, cwd, env and the content of its envFile [TRUST-2c, TRUST-2g]', async () => {
      const envFile = join(scope.folder, '.env');
      await writeFile(envFile, 'A=1\n');
      const entry = { command: 'tool-1', args: ['x'], cwd: 'sub', env: { B: '1' }, envFile: '.env' };
      const server = await approved(entry);
      for (const change of [
        { args: ['y'] },
        { cwd: 'other' },
        { env: { B: '2' } },
        { command: 'tool-2' },
        { envFile: undefined },
      ]) {
        assert.equal(await desk.standing(await one({ ...entry, ...change })), 'waiting', JSON.stringify(change));
      }
      await writeFile(envFile, 'A=2\n');
      assert.equal(await desk.standing(server), 'waiting');
      await writeFile(envFile, 'A=1\n');
      assert.equal(await desk.standing(server), 'approved');
    });

    it('is bound to URL and header names of a remote [TRUST-2f, TRUST-2g]', async () => {
      const entry = { url: 'https://example.com/mcp', headers: { 'X-A': '1' } };
      await approved(entry);
      assert.equal(await desk.standing(await one({ ...entry, url: 'https://example.com/other' })), 'waiting');
      assert.equal(await desk.standing(await one({ ...entry, headers: { 'X-A': '1', 'X-B': '1' } })), 'waiting');
      assert.equal(await desk.standing(await one({ ...entry, description: 'new words' })), 'approved');
    });

    it('stays approved when a value of the person changes, which the question named [TRUST-2d, TRUST-2e]', async () => {
      const server = await approved({ command: 'tool-1', args: ['${env:MODE}'], env: { T: '${secret:token}' } });
      assert.deepEqual(questions[0]?.references, ['${env:MODE}', '${secret:token}']);
      env['MODE'] = 'slow';
      const launch = await desk.launch(server, never);
      assert.ok(launch.kind === 'stdio');
      assert.deepEqual(launch.args, ['slow']);
    });
  });

  it('refuses loader variables, client secrets and credential headers of a project, not of the person [TRUST-5a, TRUST-5b, TRUST-6a, TRUST-6b]', async () => {
    await writeFile(join(scope.folder, 'loader.env'), 'LD_PRELOAD=./x.so\n');
    for (const entry of [
      { command: 'tool-1', env: { NODE_OPTIONS: '--require=./x.js' } },
      { command: 'tool-1', envFile: 'loader.env' },
      { url: 'https://example.com/', oauth: { clientSecret: 'x' } },
      { url: 'https://example.com/', headers: { Authorization: '${secret:token}' } },
    ]) {
      await assert.rejects(
        resolveLaunch(await one(entry), context()),
        { code: 'blockedPolicy' },
        JSON.stringify(entry),
      );
      await assert.rejects(
        describeLaunch(await one(entry), context()),
        { code: 'blockedPolicy' },
        JSON.stringify(entry),
      );
      const own = { ...context(), workspaceFolder: scope.folder };
      await resolveLaunch(await one(entry, { kind: 'user' }), own);
    }
    assert.deepEqual(asked, ['secret:token'], 'asked for the own entry alone');
  });

  it('does not wait for an envFile that is a pipe', async function () {
    if (process.platform === 'win32') return this.skip();
    execFileSync('mkfifo', [join(scope.folder, 'pipe')]);
    await assert.rejects(resolveLaunch(await one({ command: 'tool-1', envFile: 'pipe' }), context()), {
      code: 'envFileUnreadable',
    });
  });
});
