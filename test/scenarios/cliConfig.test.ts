// What a configuration file may say, as the command line reads it.
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { type CommandLine, commandLine } from '../support/commandLine.ts';
import { fixtureCommand, type FixtureLog, fixtureLog, startHttpFixture } from '../support/fixtureServer.ts';

describe('a configuration file', () => {
  let cli: CommandLine;
  let log: FixtureLog;
  before(() => {
    cli = commandLine();
    log = fixtureLog();
  });
  after(async () => {
    log.dispose();
    await cli.dispose();
  });

  it('may use every field of a stdio entry, and starts it as it says [CFG-1a, CFG-1b, CFG-1g, CFG-1h, CONN-7d]', async () => {
    const { command, args } = fixtureCommand('basic-both', undefined, log);
    const cwd = path.join(cli.folder, 'work');
    mkdirSync(cwd, { recursive: true });
    cli.write(
      JSON.stringify({
        version: 3,
        inputs: [{ id: 'unused', type: 'pickString', options: ['a'] }],
        mcpServers: {
          s: {
            command,
            args,
            env: { FROM_ENTRY: 'yes' },
            cwd: 'work',
            protocol: 'auto',
            persistent: false,
            isolation: 'shared',
            enabled: true,
            autostart: false,
            toolPolicies: { '*': 'deny', environment: 'allow' },
            timeouts: { connect: 20_000, list: 10_000, call: 10_000, request: 5_000, stop: 2_000 },
            description: 'All there is',
          },
        },
      }),
    );
    const { code, out, err } = await cli.run(['call', 's', 'environment'], { env: { NOT_PASSED: 'x' } });
    assert.equal(code, 0, err);
    assert.match(out, /FROM_ENTRY/);
    assert.doesNotMatch(out, /NOT_PASSED/);
    assert.ok(out.includes(realpathSync(cwd)), out);
    const denied = await cli.run(['call', 's', 'echo', '{"text":"x"}', '--json']);
    assert.equal((JSON.parse(denied.out) as { error: { code: string } }).error.code, 'toolDenied');
  });

  it('may use every field of a remote entry, and finds the transport where none is named [CFG-1c]', async () => {
    const fixture = await startHttpFixture('basic-both');
    try {
      const { url } = fixture;
      cli.configure({
        named: {
          url,
          transport: 'streamable-http',
          headers: { 'X-Team': '${env:TEAM:-ours}' },
          protocol: 'auto',
          oauth: { clientId: 'id', scopes: ['read'] },
        },
        found: { url },
      });
      const { code, out } = await cli.run(['list', '--json']);
      assert.equal(code, 0);
      const { servers } = JSON.parse(out) as { servers: { state: string; era: string }[] };
      assert.deepEqual(
        servers.map(({ state, era }) => `${state} ${era}`),
        ['ready modern', 'ready legacy'],
      );
    } finally {
      await fixture.stop();
    }
  });

  it('starts what it does not disable, in the workspace unless cwd is given [CFG-1d, CONN-7f, CONN-11b]', async () => {
    cli.configure({
      plain: fixtureCommand('basic-legacy'),
      off: { ...fixtureCommand('basic-legacy', undefined, log), enabled: false },
      ends: fixtureCommand('exit-at-start'),
    });
    const before = log.events('start').length;
    const { out } = await cli.run(['list', '--json']);
    const { servers } = JSON.parse(out) as { servers: Record<string, unknown>[] };
    assert.deepEqual(
      servers.map(({ state, era, revision }) => [state, era, revision]),
      [
        ['ready', 'legacy', '2025-11-25'],
        ['disabled', null, null],
        ['failed', null, null],
      ],
    );
    assert.equal(log.events('start').length, before);
    const workspace = path.join(cli.folder, 'workspace');
    mkdirSync(workspace, { recursive: true });
    const called = await cli.run(['call', 'plain', 'environment', '--workspace', workspace]);
    assert.ok(called.out.includes(realpathSync(workspace)), called.out);
  });

  const refused: readonly (readonly [title: string, entry: Record<string, unknown> | string, field: RegExp])[] = [
    ['an id with a double underscore', '"a__b": { "command": "x" }', /a__b/],
    ['an id of other characters', '"a b": { "command": "x" }', /a b/],
    ['an id that is too long', `"${'x'.repeat(33)}": { "command": "x" }`, /x{33}/],
    ['a prototype key as an id', '"__proto__": { "command": "x" }', /__proto__/],
    ['an empty command', { command: '' }, /command/],
    ['a URL in cleartext that leaves this machine', { url: 'http://host.example/mcp' }, /url/],
    ['a URL with user information', { url: 'https://me:secret@host.example/mcp' }, /url/],
    ['a header name that is none', { url: 'https://host.example/', headers: { 'a b': 'x' } }, /headers/],
    ['a header value with a line end', { url: 'https://host.example/', headers: { a: 'x\ny: z' } }, /headers/],
    ['a variable name that is none', { command: 'x', env: { 'A=B': 'x' } }, /env/],
    ['a variable value with a null character', { command: 'x', env: { A: 'x\0' } }, /env/],
    ['a remote entry that is persistent', { url: 'https://host.example/', persistent: true }, /persistent/],
    [
      'the name of another client for url',
      { serverUrl: 'https://host.example/' },
      /: serverUrl of .*did you mean url\?/,
    ],
    ['one more such name', { httpUrl: 'https://host.example/' }, /: httpUrl of .*did you mean url\?/],
    ['a policy word that there is not', { command: 'x', toolPolicies: { t: 'sometimes' } }, /toolPolicies/],
  ];
  describe('is refused whole, with its place [CFG-1i, CFG-5a, CFG-6a, CFG-6b, CFG-6c, CFG-6d, CFG-6e, CFG-6f, CFG-6g, CFG-6h]', () => {
    for (const [title, entry, field] of refused) {
      it(`for ${title}`, async () => {
        const good = JSON.stringify(fixtureCommand('small-legacy', undefined, log));
        const before = log.events('start').length;
        const text = typeof entry === 'string' ? entry : `"bad": ${JSON.stringify(entry)}`;
        cli.write(`{ "version": 3, "mcpServers": {\n"good": ${good},\n${text}\n} }`);
        const { code, out, err } = await cli.run(['list', '--json']);
        assert.equal(code, 2, out);
        assert.deepEqual(Object.keys(JSON.parse(out) as object), ['error']);
        assert.ok(err.startsWith(`${cli.configFile}:3:`), err);
        assert.match(err, field);
        assert.doesNotMatch(out + err, /secret/);
        assert.equal(log.events('start').length, before);
      });
    }
  });
});
