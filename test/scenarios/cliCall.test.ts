import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'mocha';
import { type CommandLine, commandLine, type Ended, runsFromSources } from '../support/commandLine.ts';
import { eventually } from '../support/eventually.ts';
import { withDeadline } from '../support/withDeadline.ts';
import { fixtureCommand, type FixtureLog, fixtureLog } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';

describe('mcp-roundhouse call', () => {
  let cli: CommandLine;
  let log: FixtureLog;
  before(() => {
    cli = commandLine();
    log = fixtureLog();
    cli.configure({
      s: {
        ...fixtureCommand('basic-legacy', undefined, log),
        toolPolicies: { count: 'deny', unicode: 'ask' },
        timeouts: { call: 2_000 },
      },
      modern: { ...fixtureCommand('basic-modern', undefined, log), protocol: '2026-07-28' },
      other: fixtureCommand('silent', undefined, log),
    });
  });
  after(async () => {
    log.dispose();
    await cli.dispose();
  });

  it('prints what the tool said, in both eras, and starts no other server [GATE-5j, TOOL-2a]', async () => {
    const before = log.events('start').length;
    for (const server of ['s', 'modern']) {
      const { code, out, err } = await cli.run(['call', server, 'echo', '{"text":"hello"}']);
      assert.equal(code, 0, err);
      assert.match(out, /hello/);
    }
    const started = log.events('start').slice(before);
    assert.ok(started.length >= 2);
    assert.ok(started.every(({ title }) => title !== 'Reads everything and answers nothing'));
    assert.deepEqual(await cli.leftovers(), []);
  });

  it('prints the raw result as JSON, and reads the arguments from stdin [GATE-5p]', async () => {
    const { code, out } = await cli.run(['call', 's', 'echo', '-', '--json'], { input: '{"text":""}' });
    assert.equal(code, 0);
    const { content } = JSON.parse(out) as { content: { type: string }[] };
    assert.equal(content[0]?.type, 'text');
  });

  it("tells a tool's own error with server and tool, and exits with 1 [TOOL-4a]", async () => {
    const { code, out, err } = await cli.run(['call', 's', 'fail']);
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.match(err, /^Tool fail of server "s" reported an error:\n\S/);
  });

  it('sends nothing when the arguments do not fit the schema [TOOL-3a, TOOL-4d, TOOL-4e]', async function () {
    if (runsFromSources) return this.skip();
    const runs = log.runs('echo');
    const failure = await failing(cli, ['s', 'echo', '{"text":7}']);
    assert.equal(failure.error.code, 'argumentsInvalid');
    assert.equal(failure.error.outcome, 'notSent');
    assert.equal(log.runs('echo'), runs);
  });

  it('refuses structured content that does not fit the output schema [TOOL-3b]', async function () {
    if (runsFromSources) return this.skip();
    const failure = await failing(cli, ['s', 'bad_structure']);
    assert.equal(failure.error.code, 'resultInvalid');
    assert.equal(failure.error.outcome, 'completed');
  });

  it('never runs a tool with policy deny, nor one with ask, since nobody can be asked [POL-1f, POL-1h]', async () => {
    assert.equal((await failing(cli, ['s', 'count'])).error.code, 'toolDenied');
    assert.equal((await failing(cli, ['s', 'unicode'])).error.code, 'toolNotConfirmed');
    assert.equal(log.runs('count') + log.runs('unicode'), 0);
  });

  it('tells unknown servers, unknown tools and failures of the protocol apart [TOOL-4d]', async () => {
    assert.equal((await failing(cli, ['nobody', 'echo'])).error.code, 'unknownServer');
    assert.equal((await failing(cli, ['s', 'no_such_tool'])).error.code, 'unknownTool');
    const refused = await failing(cli, ['s', 'refuse']);
    assert.equal(refused.error.code, 'protocolError');
    assert.equal(refused.error.outcome, 'completed');
  });

  it('gives up at the deadline and says that the outcome is unknown [CONN-6e, CONN-6i, TOOL-4e]', async () => {
    const failure = await failing(cli, ['s', 'hang']);
    assert.equal(failure.error.code, 'callTimeout');
    assert.equal(failure.error.outcome, 'unknown');
    assert.deepEqual(await cli.leftovers(), []);
  });

  it('tells at once when the server ends in the middle of the call, with its exit, and calls once [TOOL-4f, TOOL-4e]', async () => {
    const runs = log.runs('crash');
    const failure = await failing(cli, ['s', 'crash', '{"code":7}']);
    assert.equal(failure.error.outcome, 'unknown');
    assert.ok(['processExited', 'connectionClosed'].includes(failure.error.code), failure.error.code);
    assert.equal(log.runs('crash'), runs + 1);
  });

  for (const [signal, expected] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    it(`ends at once on ${signal} while it waits for stdin [UI-5a]`, async () => {
      const { child, ended } = cli.start(['call', 's', 'echo', '-']);
      // It reads stdin once a part of what it is sent, larger than any pipe holds, is taken.
      child.stdin.write(Buffer.alloc(4 * 1024 * 1024, ' '));
      await once(child.stdin, 'drain');
      child.kill(signal);
      const { code, err } = await withDeadline(ended, patience, 'the end');
      assert.equal(code, expected, err);
      assert.equal(err, '');
    });
  }

  it('says that its output cannot be written on a full disk [UI-5a]', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const { code, err } = await cli.toFullDisk(['call', 's', 'echo', '{"text":"x"}']);
    assert.equal(code, 74, err);
    assert.match(err, /ENOSPC/);
    assert.deepEqual(await cli.leftovers(), []);
  });

  for (const args of [['list'], ['doctor', '--json'], ['list', '--help'], ['--help'], ['--version']]) {
    it(`says so, too, where little is written and nothing runs: ${args.join(' ')} [UI-5a]`, async function () {
      if (!existsSync('/dev/full')) this.skip();
      const empty = commandLine();
      try {
        empty.configure({});
        const { code, err } = await empty.toFullDisk(args);
        assert.equal(code, 74, err);
        assert.match(err, /ENOSPC/);
      } finally {
        await empty.dispose();
      }
    });
  }

  it('refuses a working directory that is gone in one line, where it is needed at all', async function () {
    if (process.platform === 'win32') this.skip();
    const needed = await cli.inRemovedFolder(['list', '--config-file', cli.configFile]);
    assert.equal(needed.code, 64, needed.err);
    assert.match(needed.err, /^mcp-roundhouse: the current folder is gone\. .*\n.*--help.*\n$/);
    const full = ['call', 's', 'echo', '{"text":"hello"}', '--config-file', cli.configFile, '--workspace', cli.folder];
    for (const args of [full, ['--version'], ['list', '--help']]) {
      const { code, err } = await cli.inRemovedFolder(args);
      assert.equal(code, 0, err);
    }
    assert.deepEqual(await cli.leftovers(), []);
  });

  it('refuses arguments on stdin that are not UTF-8, and takes a byte order mark', async () => {
    const runs = log.runs('echo');
    const told = async (bytes: Buffer): Promise<Ended> => {
      const { child, ended } = cli.start(['call', 's', 'echo', '-']);
      child.stdin.end(bytes);
      return withDeadline(ended, patience, 'the end');
    };
    const bad = await told(Buffer.from([...Buffer.from('{"text":"'), 0xc3, 0x28, ...Buffer.from('"}')]));
    assert.equal(bad.code, 64, bad.err);
    assert.match(bad.err, /not UTF-8 text\./);
    assert.equal(log.runs('echo'), runs);
    const marked = await told(Buffer.from('\uFEFF{"text":"hällo"}'));
    assert.equal(marked.code, 0, marked.err);
    assert.match(marked.out, /hällo/);
  });

  it('refuses arguments that are nested without end as arguments [TOOL-4d]', async () => {
    const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const { code, out } = await cli.run(['call', 's', 'echo', '-', '--json'], { input: nested });
    assert.equal(code, 3);
    const { error } = JSON.parse(out) as { error: { code: string; outcome: string } };
    assert.deepEqual([error.code, error.outcome], ['argumentsInvalid', 'notSent']);
  });

  it('cancels the call and ends the server on Ctrl-C [CONN-6k, UI-5a]', async () => {
    const runs = log.runs('slow');
    const { child, ended } = cli.start(['call', 's', 'slow', '{"ms":60000}']);
    await eventually(() => log.runs('slow') > runs, patience, 'the call to run');
    child.kill('SIGINT');
    assert.equal((await ended).code, 130);
    assert.deepEqual(await cli.leftovers(), []);
  });

  it('says in one line what is wrong with its own arguments [GATE-5j]', async () => {
    for (const args of [['call'], ['call', 's', 'echo', '[]'], ['call', 's', 'echo', '{'], ['list', '--nonsense']]) {
      const { code, out, err } = await cli.run(args);
      assert.equal(code, 64);
      assert.equal(out, '');
      assert.match(err, /^mcp-roundhouse: .+\nRun "mcp-roundhouse --help"/);
    }
  });
});

async function failing(cli: CommandLine, args: readonly string[]) {
  const ended: Ended = await cli.run(['call', ...args, '--json']);
  assert.equal(ended.code, 3, `${ended.out}${ended.err}`);
  assert.match(ended.err, /\S/);
  return JSON.parse(ended.out) as { error: { code: string; message: string; remedy: string; outcome: string } };
}
