// Whose rules hold on the command line: those of the file that is named, and the person's own, whatever is named.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type CommandLine, commandLine } from '../support/commandLine.ts';
import { fixtureCommand, type FixtureLog, fixtureLog } from '../support/fixtureServer.ts';

describe('the rules for tools on the command line', () => {
  let cli: CommandLine;
  let log: FixtureLog;
  let own: string;
  let project: string;
  beforeEach(() => {
    cli = commandLine();
    log = fixtureLog();
    own = join(cli.folder, 'home/.mcp-roundhouse/mcp.json');
    project = join(cli.folder, 'work/.roundhouse/mcp.json');
  });
  afterEach(async () => {
    log.dispose();
    await cli.dispose();
  });

  const server = (more: object = {}): object => ({
    demo: { ...fixtureCommand('small-legacy', undefined, log), ...more },
  });
  function write(file: string, content: object | string): void {
    mkdirSync(dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify({ version: 3, mcpServers: {}, ...content });
    writeFileSync(file, text);
  }
  const call = (file = cli.configFile): ReturnType<CommandLine['run']> =>
    cli.run(['call', 'demo', 'echo', '{"text":"hi"}'], { file });
  async function notMade(file: string, why: RegExp): Promise<void> {
    const { code, err } = await call(file);
    assert.equal(code, 3, err);
    assert.match(err, why);
    assert.equal(log.runs('echo'), 0);
  }
  const denied = /policy denies/;

  it('are those at the top of the file that is named, in the entry, and the person’s own in either place [POL-1a, POL-1c, POL-1f]', async () => {
    const rules = { toolPolicies: { demo: { '*': 'deny' } } };
    write(cli.configFile, { mcpServers: server(), ...rules });
    await notMade(cli.configFile, denied);
    for (const file of [cli.configFile, project]) {
      write(file, { mcpServers: server({ toolPolicies: { echo: 'allow' } }) });
      write(own, rules);
      await notMade(file, denied);
      write(own, { mcpServers: { demo: { command: 'mine', toolPolicies: { echo: 'deny' } } } });
      await notMade(file, denied);
      rmSync(own);
      const { code, out, err } = await call(file);
      assert.equal(code, 0, err);
      assert.match(out, /hi/);
      rmSync(file);
      log.dispose();
      log = fixtureLog();
    }
    // Named itself, the person's own file is read once.
    write(own, { mcpServers: server(), toolPolicies: { demo: { add: 'deny' } } });
    assert.equal((await call(own)).code, 0);
  });

  it('let nothing be called while the person’s own file is refused, and say where it is wrong; lists are shown [CFG-5b, POL-1h]', async () => {
    for (const file of [cli.configFile, project]) {
      write(file, { mcpServers: server({ toolPolicies: { echo: 'allow' } }) });
      for (const broken of ['{', { version: 4 }, { mcpServers: { other: { command: '' } } }]) {
        write(own, broken);
        await notMade(
          file,
          /home\/\.mcp-roundhouse\/mcp\.json:1:\d+: .*\n.*not confirmed.*\nYour own rules could not be read/,
        );
      }
      const { code, out } = await cli.run(['list'], { file });
      assert.equal(code, 0);
      assert.match(out, /echo/);
    }
  });

  it('hold a project’s file to what projects may hold, though naming it approves it [TRUST-5a, TRUST-6b, TRUST-9a, GATE-5m]', async () => {
    const marker = join(cli.folder, 'loaded');
    const evil = join(cli.folder, 'work/evil.cjs');
    const env = { NODE_OPTIONS: '--require=${workspaceFolder}/evil.cjs' };
    write(project, { mcpServers: server({ env }) });
    writeFileSync(evil, `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'x')\n`);
    const { code, err } = await call(project);
    assert.equal(code, 3, err);
    assert.match(err, /NODE_OPTIONS/);
    write(project, { mcpServers: { demo: { url: 'http://127.0.0.1:9/', headers: { Authorization: 'x' } } } });
    assert.match((await call(project)).err, /Authorization/);
    assert.deepEqual([existsSync(marker), log.events('start').length], [false, 0]);
    // The same entry in a file of the person's is theirs to write.
    write(cli.configFile, { mcpServers: server({ env: { NODE_OPTIONS: `--require=${evil}` } }) });
    assert.equal((await call()).code, 0);
    assert.equal(existsSync(marker), true);

    rmSync(project);
    write(join(cli.folder, 'outside.json'), { mcpServers: server() });
    symlinkSync('../../outside.json', project);
    const linked = await cli.run(['list'], { file: project });
    assert.equal(linked.code, 2);
    assert.match(linked.err, /link/);
    assert.equal(log.events('start').length, 1);
  });
});
