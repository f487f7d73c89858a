import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'mocha';
import { type CommandLine, commandLine } from '../support/commandLine.ts';
import { eventually } from '../support/eventually.ts';
import {
  fixtureCommand,
  type FixtureEvent,
  type FixtureLog,
  fixtureLog,
  startHttpFixture,
} from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';
import { withDeadline } from '../support/withDeadline.ts';

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly era: string | null;
  readonly revision: string | null;
  readonly tools: readonly { readonly name: string; readonly [field: string]: unknown }[];
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly unknown[];
  readonly prompts: readonly unknown[];
  readonly incomplete?: readonly { readonly kind: string; readonly reason: string }[];
  readonly error?: { readonly code: string; readonly message: string; readonly remedy: string };
}

describe('mcp-roundhouse list', () => {
  let cli: CommandLine;
  before(() => {
    cli = commandLine();
  });
  after(() => cli.dispose());

  it('prints every server with its state, its era and what it offers, in the order of the file [GATE-5k, GATE-5m]', async () => {
    cli.configure({
      old: fixtureCommand('basic-legacy'),
      pinned: { ...fixtureCommand('basic-modern'), protocol: '2026-07-28' },
      both: { ...fixtureCommand('basic-both'), protocol: 'auto' },
      off: { ...fixtureCommand('basic-legacy'), enabled: false },
    });
    const { code, servers } = await list(cli);
    assert.equal(code, 0);
    assert.deepEqual(
      servers.map(({ id, state, era, revision }) => [id, state, era, revision]),
      [
        ['old', 'ready', 'legacy', '2025-11-25'],
        ['pinned', 'ready', 'modern', '2026-07-28'],
        ['both', 'ready', 'modern', '2026-07-28'],
        ['off', 'disabled', null, null],
      ],
    );
    for (const { id, tools, resources, resourceTemplates, prompts } of servers.slice(0, 3)) {
      assert.ok(
        tools.some(({ name }) => name === 'echo'),
        `${id} has echo`,
      );
      assert.ok(tools.every((tool) => typeof tool['inputSchema'] === 'object'));
      assert.ok(resources.length > 0 && resourceTemplates.length > 0 && prompts.length > 0, `${id} has all kinds`);
    }
    assert.deepEqual(await cli.leftovers(), []);
  });

  it('keeps every field of an item as the server sent it [GATE-5k, DISC-2e]', async () => {
    cli.configure({ s: fixtureCommand('basic-legacy') });
    const { servers } = await list(cli);
    const extra = servers[0]?.tools.find(({ name }) => name === 'extra_fields');
    assert.ok(extra !== undefined);
    const known = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'icons', '_meta'];
    assert.ok(
      Object.keys(extra).some((field) => !known.includes(field)),
      `${JSON.stringify(extra)} has a field of its own`,
    );
  });

  it('exits with 0 whatever becomes of the servers, and says of each what is wrong [GATE-5l, CONN-11a]', async () => {
    cli.configure({
      good: fixtureCommand('basic-legacy'),
      missing: { command: 'no-such-program-anywhere' },
      ends: fixtureCommand('exit-at-start'),
      silent: { ...fixtureCommand('silent'), timeouts: { connect: 1_000 } },
      nowhere: { ...fixtureCommand('basic-legacy'), cwd: '/no/such/folder' },
      unset: { ...fixtureCommand('basic-legacy'), env: { A: '${env:ROUNDHOUSE_TEST_UNSET}' } },
      old: { ...fixtureCommand('basic-legacy'), protocol: '2026-07-28' },
    });
    const { code, servers } = await list(cli);
    assert.equal(code, 0);
    assert.deepEqual(
      servers.map(({ id, state, error }) => [id, state, error?.code]),
      [
        ['good', 'ready', undefined],
        ['missing', 'failed', 'commandNotFound'],
        ['ends', 'failed', 'exitedAtStart'],
        ['silent', 'failed', 'connectTimeout'],
        ['nowhere', 'failed', 'workingDirectoryMissing'],
        ['unset', 'blocked(input)', 'variableUnset'],
        ['old', 'failed', 'eraUnsupported'],
      ],
    );
    for (const { id, error } of servers.slice(1)) {
      assert.ok(error !== undefined && error.message.includes(id) && error.remedy !== '', `${id} is explained`);
    }
    assert.deepEqual(await cli.leftovers(), []);
  });

  it('refuses a bad file with 2, naming file, line, column, server and field, and starts nothing [GATE-5l, CFG-5a]', async () => {
    const log = fixtureLog();
    try {
      const good = JSON.stringify(fixtureCommand('basic-legacy', undefined, log));
      cli.write(
        `{\n  "version": 3,\n  "mcpServers": {\n    "good": ${good},\n    "bad": { "url": "ftp://x" }\n  }\n}\n`,
      );
      const { code, out, err } = await cli.run(['list', '--json']);
      assert.equal(code, 2);
      assert.deepEqual(Object.keys(JSON.parse(out) as object), ['error']);
      assert.ok(err.startsWith(`${cli.configFile}:5:`), err);
      assert.match(err, /url of server "bad"/);
      assert.equal(log.events('start').length, 0);
    } finally {
      log.dispose();
    }
  });

  it('refuses malformed JSON, an unknown version and a missing file with 2 [GATE-5l, CFG-4a, CFG-4c, CFG-4f]', async () => {
    cli.write('{\n  "mcpServers": {\n    "a": }\n}\n');
    const malformed = await cli.run(['list']);
    assert.equal(malformed.code, 2);
    assert.ok(malformed.err.startsWith(`${cli.configFile}:3:10: `), malformed.err);
    cli.write('{ "version": 99, "mcpServers": {} }');
    const future = await cli.run(['list']);
    assert.equal(future.code, 2);
    assert.match(future.err, /version 99/);
    const missing = await cli.run(['list'], { file: `${cli.configFile}.not` });
    assert.equal(missing.code, 2);
    assert.match(missing.err, /mcp\.json\.not: cannot be read: there is no such file/);
  });

  it('lets an entry that needs a value of the person fail alone [GATE-5o]', async () => {
    cli.write(
      JSON.stringify({
        version: 3,
        inputs: [{ id: 'key', type: 'promptString', password: true }],
        mcpServers: {
          asks: { ...fixtureCommand('basic-legacy'), env: { KEY: '${input:key}' } },
          secret: { ...fixtureCommand('basic-legacy'), env: { KEY: '${secret:key}' } },
          good: fixtureCommand('basic-legacy'),
        },
      }),
    );
    const { code, servers } = await list(cli);
    assert.equal(code, 0);
    assert.deepEqual(
      servers.map(({ id, state }) => [id, state]),
      [
        ['asks', 'blocked(input)'],
        ['secret', 'blocked(input)'],
        ['good', 'ready'],
      ],
    );
    for (const { error } of servers.slice(0, 2)) assert.match(error?.message ?? '', /\bkey\b/);
  });

  it('says which keys of an entry do nothing yet', async () => {
    cli.configure({ kept: { ...fixtureCommand('basic-legacy'), persistent: true, isolation: 'session' } });
    const { code, out, err } = await cli.run(['list']);
    assert.equal(code, 0, err);
    assert.match(out, /^ {2}note: persistent, isolation: this version does not act on it yet$/m);
  });

  it('reaches loopback URLs, and others only with --allow-remote [GATE-5m, GATE-5n]', async () => {
    const fixture = await startHttpFixture('basic-both');
    try {
      cli.configure({
        near: { url: fixture.url },
        far: { url: 'https://host.invalid/mcp', timeouts: { connect: 5_000 } },
      });
      const closed = await list(cli);
      assert.deepEqual(
        closed.servers.map(({ state, error }) => [state, error?.code]),
        [
          ['ready', undefined],
          ['blocked(remoteOff)', 'blockedRemoteOff'],
        ],
      );
      assert.match(closed.servers[1]?.error?.remedy ?? '', /--allow-remote/);
      const open = await list(cli, ['--allow-remote']);
      assert.equal(open.servers[1]?.state, 'failed');
      assert.equal(open.servers[1].error?.code, 'networkFailed');
    } finally {
      await fixture.stop();
    }
  });

  it('judges a URL by what it is once its variables are replaced [GATE-5n]', async () => {
    const fixture = await startHttpFixture('basic-both');
    try {
      cli.configure({
        near: { url: 'http://127.0.0.1:${env:NEAR_PORT}/mcp' },
        far: { url: 'https://${env:FAR_HOST}/mcp', timeouts: { connect: 5_000 } },
      });
      const { servers } = await list(cli, [], { NEAR_PORT: new URL(fixture.url).port, FAR_HOST: 'host.invalid' });
      assert.deepEqual(
        servers.map(({ state, error }) => [state, error?.code]),
        [
          ['ready', undefined],
          ['blocked(remoteOff)', 'blockedRemoteOff'],
        ],
      );
    } finally {
      await fixture.stop();
    }
  });

  it('shows the servers in text in the order of the file, each before a slower one behind it is known [GATE-5j, UI-5a]', async () => {
    const log = fixtureLog();
    try {
      cli.configure({
        fast: fixtureCommand('basic-legacy'),
        slow: { ...fixtureCommand('silent'), timeouts: { connect: 50_000 } },
        last: fixtureCommand('basic-legacy', undefined, log),
      });
      const { child, written, ended } = cli.start(['list']);
      await eventually(
        () => /^fast: ready, legacy 2025-11-25, \d+ tools/m.test(written.out),
        patience,
        'the fast server',
      );
      assert.match(written.out, /^ {4}echo {2}\S/m);
      await eventually(
        () => log.events('start').length === 1,
        patience,
        'the last one, which waits for nobody to start',
      );
      assert.doesNotMatch(written.out, /^(slow|last)/m);
      child.kill('SIGINT');
      assert.equal((await ended).code, 130);
      assert.deepEqual(await cli.leftovers(), []);
    } finally {
      log.dispose();
    }
  });

  for (const [signal, expected] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`ends all servers on ${signal}, also stubborn ones and those still starting, and exits with ${expected} [CONN-8d, CONN-8e, CONN-4c]`, async () => {
      const log = fixtureLog();
      try {
        cli.configure({
          starting: { ...fixtureCommand('silent', undefined, log), protocol: 'auto' },
          stubborn: fixtureCommand('stubborn-with-grandchildren', undefined, log),
          waiting: fixtureCommand('silent', undefined, log),
        });
        const { child, ended } = cli.start(['list']);
        await eventually(() => log.events('start').length >= 3, patience, 'three processes');
        child.kill(signal);
        assert.equal((await ended).code, expected);
        assert.deepEqual(await cli.leftovers(), []);
      } finally {
        log.dispose();
      }
    });
  }

  it('leaves nothing of servers that ignore their end, helpers included [CONN-8a, CONN-8c, CONN-8d]', async () => {
    cli.configure({ stubborn: fixtureCommand('stubborn-with-grandchildren') });
    const { servers } = await list(cli);
    assert.equal(servers[0]?.state, 'ready');
    assert.deepEqual(await cli.leftovers(), []);
  });

  it('ends its servers when nobody reads its output any more [CONN-8d]', async () => {
    const log = fixtureLog();
    try {
      cli.configure({ a: fixtureCommand('basic-legacy', undefined, log), b: fixtureCommand('silent', undefined, log) });
      const { child, ended } = cli.start(['list']);
      child.stdout.destroy();
      assert.equal((await ended).code, 141);
      assert.ok(log.events('start').length > 0);
      assert.deepEqual(await cli.leftovers(), []);
    } finally {
      log.dispose();
    }
  });

  describe('whose output is larger than a pipe holds', () => {
    let log: FixtureLog;
    before(() => {
      log = fixtureLog();
      cli.configure({ s: fixtureCommand('ten-thousand-tools', undefined, log) });
    });
    after(() => log.dispose());

    /** A run that is over but for its output, which nobody reads. */
    async function unread() {
      const started = cli.start(['list', '--json']);
      await once(started.child.stdout, 'data');
      started.child.stdout.pause();
      const ended = ({ pid }: FixtureEvent): boolean => !isRunning(pid);
      await eventually(() => log.events('start').every(ended));
      return started;
    }

    it('writes all of it, however slowly it is read [GATE-5k]', async () => {
      const { child, ended } = cli.start(['list', '--json']);
      child.stdout.on('data', () => {
        child.stdout.pause();
        setTimeout(() => child.stdout.resume(), 60);
      });
      const { code, out, err } = await ended;
      assert.equal(err, '');
      assert.equal(code, 0);
      const { servers } = JSON.parse(out) as { servers: Listed[] };
      assert.equal(servers[0]?.tools.length, 10_000);
    });

    it('ends at once, and quietly, when its reader goes before it has all [CONN-8d]', async () => {
      const { child, ended } = await unread();
      child.stdout.destroy();
      const { code, err } = await withDeadline(ended, patience, 'the end');
      assert.equal(code, 141);
      assert.equal(err, '');
    });

    it('ends at once on Ctrl-C when nobody reads [UI-5a]', async () => {
      const { child, ended } = await unread();
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      assert.deepEqual(await withDeadline(exited, patience, 'the end'), [130, null]);
      child.stdout.resume();
      await ended;
    });
  });

  it('never changes the file that it reads [CFG-3a, CFG-3b]', async () => {
    const { command, args } = fixtureCommand('basic-legacy');
    const text = `// mine\n{ "mcpServers": { "s": ${JSON.stringify({ command, args })}, } }\n`;
    cli.write(text);
    const { servers } = await list(cli);
    assert.equal(servers[0]?.state, 'ready');
    const { readFileSync } = await import('node:fs');
    assert.equal(readFileSync(cli.configFile, 'utf8'), text);
  });
});

async function list(cli: CommandLine, more: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const { code, out, err } = await cli.run(['list', '--json', ...more], { env });
  assert.notEqual(out, '', err);
  return { code, servers: (JSON.parse(out) as { servers: Listed[] }).servers };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
