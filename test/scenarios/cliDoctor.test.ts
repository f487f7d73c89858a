import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { type CommandLine, commandLine } from '../support/commandLine.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';

interface ReportedCheck {
  readonly name: string;
  readonly verdict: string;
  readonly skipped?: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly issueCount?: number;
  readonly incomplete?: { readonly reason: string };
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly remedy: string;
    readonly stderr?: string[];
  };
}

interface ReportedServer {
  readonly id: string;
  readonly state: string;
  readonly healthy: boolean;
  readonly checks: readonly ReportedCheck[];
  readonly noiseCount: number;
}

interface Report {
  readonly node: string;
  readonly droppedVariables: readonly string[];
  readonly config: { readonly problems: readonly Record<string, unknown>[] };
  readonly servers: readonly ReportedServer[];
}

describe('mcp-roundhouse doctor', () => {
  let cli: CommandLine;
  before(() => {
    cli = commandLine();
  });
  after(() => cli.dispose());

  it('finds nothing wrong with good servers of both eras, tells what it found, and exits with 0 [GATE-5j, GATE-5p, UI-4a]', async () => {
    cli.configure({
      old: fixtureCommand('basic-legacy'),
      both: { ...fixtureCommand('basic-both'), protocol: 'auto' },
      off: { command: 'never', enabled: false },
    });
    const { code, report } = await doctor(cli);
    assert.equal(code, 0);
    const [old, both, off] = report.servers;
    assert.deepEqual([old?.state, both?.state, off?.state], ['ready', 'ready', 'disabled']);
    for (const server of [old, both]) {
      assert.deepEqual(
        server?.checks.map(({ name, verdict }) => `${name} ${verdict}`),
        [
          'definition ok',
          'target ok',
          'transport ok',
          'signIn skipped',
          'initialise ok',
          'tools ok',
          'resources ok',
          'resourceTemplates ok',
          'prompts ok',
          'call skipped',
        ],
      );
    }
    assert.equal(check(old, 'target').facts['executable'], process.execPath);
    assert.equal(check(old, 'initialise').facts['revision'], '2025-11-25');
    assert.equal(check(both, 'initialise').facts['revision'], '2026-07-28');
    assert.ok(Number(check(old, 'tools').facts['count']) > 10);
    assert.deepEqual(await cli.leftovers(), []);
  });

  it('says of each broken server which step fails, why and what to do, while the others work [UI-4a, CONN-11a, CONN-10b]', async () => {
    const silent = { timeouts: { connect: 1_500 } };
    cli.configure({
      good: fixtureCommand('small-legacy'),
      missing: { command: 'no-such-program-anywhere' },
      nowhere: { ...fixtureCommand('small-legacy'), cwd: '/no/such/folder' },
      unset: { ...fixtureCommand('small-legacy'), args: ['${env:ROUNDHOUSE_TEST_UNSET}'] },
      unknown: { ...fixtureCommand('small-legacy'), args: ['${file:secret}'] },
      'env-file': { ...fixtureCommand('small-legacy'), envFile: 'no-such.env' },
      ends: fixtureCommand('exit-at-start'),
      quiet: fixtureCommand('exit-at-start-quiet'),
      silent: { ...fixtureCommand('silent'), ...silent },
      refuses: fixtureCommand('initialize-fails'),
      future: fixtureCommand('unknown-revision'),
      pinned: { ...fixtureCommand('small-legacy'), protocol: '2026-07-28' },
      'ends-later': fixtureCommand('exit-after-initialize'),
      'dies-listing': fixtureCommand('small-legacy', {
        rules: [{ on: 'tools/list', exit: { code: 7 }, stderr: 'boom\n' }],
      }),
      'pinned-broken': { command: 'node', args: ['-e', 'require("no-such-module")'], protocol: '2026-07-28' },
    });
    const { code, report } = await doctor(cli);
    assert.equal(code, 1);
    const seen = report.servers.map((server) => {
      const failed = server.checks.filter(({ verdict }) => verdict === 'failed');
      return [server.id, server.state, failed.map(({ name, error }) => `${name} ${error?.code ?? ''}`).join(', ')];
    });
    assert.deepEqual(seen, [
      ['good', 'ready', ''],
      ['missing', 'failed', 'target commandNotFound'],
      ['nowhere', 'failed', 'target workingDirectoryMissing'],
      ['unset', 'blocked(input)', 'definition variableUnset'],
      ['unknown', 'failed', 'definition variableUnknown'],
      ['env-file', 'failed', 'definition envFileUnreadable'],
      ['ends', 'failed', 'transport exitedAtStart'],
      ['quiet', 'failed', 'transport exitedAtStart'],
      ['silent', 'failed', 'initialise connectTimeout'],
      ['refuses', 'failed', 'initialise protocolError'],
      ['future', 'failed', 'initialise protocolVersionUnsupported'],
      ['pinned', 'failed', 'initialise eraUnsupported'],
      ['ends-later', 'failed', 'tools processExited'],
      ['dies-listing', 'failed', 'tools processExited'],
      ['pinned-broken', 'failed', 'transport exitedAtStart'],
    ]);
    for (const server of report.servers.slice(1)) {
      const error = server.checks.find(({ verdict }) => verdict === 'failed')?.error;
      assert.ok(error !== undefined, server.id);
      assert.ok(error.message.includes(`"${server.id}"`), `${server.id}: ${error.message}`);
      assert.doesNotMatch(`${error.message} ${error.remedy}`, /\{\w+\}|\?|undefined/);
      assert.ok(error.remedy.length > 10);
    }
    const ends = report.servers.find(({ id }) => id === 'ends');
    assert.match(check(ends, 'transport').error?.stderr?.join('\n') ?? '', /Cannot find configuration/);
    const listing = check(
      report.servers.find((server) => server.id === 'dies-listing'),
      'tools',
    ).error;
    assert.deepEqual(listing?.stderr, ['boom']);
    assert.match(listing.message, /code 7/);
    assert.doesNotMatch(listing.remedy, /wrote nothing/);
    const broken = check(
      report.servers.find((server) => server.id === 'pinned-broken'),
      'transport',
    ).error;
    assert.match(`${broken?.message ?? ''} ${broken?.stderr?.join(' ') ?? ''}`, /code 1.*MODULE_NOT_FOUND/);
    const silentOne = report.servers.find((server) => server.id === 'silent');
    assert.equal(check(silentOne, 'transport').verdict, 'skipped');
    assert.deepEqual(await cli.leftovers(), []);
  });

  it('shows lists that are cut, items that are left out and noise, and goes on [UI-4a, DISC-1f, DISC-1g, DISC-2d, CONN-9a]', async () => {
    cli.configure({
      cycle: fixtureCommand('cursor-cycle'),
      page: fixtureCommand('later-page-fails'),
      items: fixtureCommand('bad-items'),
      twice: fixtureCommand('duplicate-names'),
      noise: fixtureCommand('noise-legacy'),
    });
    const { code, report } = await doctor(cli);
    assert.equal(code, 0);
    const tools = report.servers.map((server) => check(server, 'tools'));
    assert.deepEqual(
      tools.map(({ incomplete }) => incomplete?.reason),
      ['repeatedCursor', 'pageFailed', undefined, undefined, undefined],
    );
    assert.ok(tools.slice(0, 4).every(({ facts }) => Number(facts['count']) > 0));
    assert.ok((tools[2]?.issueCount ?? 0) > 5);
    assert.ok((tools[3]?.issueCount ?? 0) > 0);
    assert.ok((report.servers[4]?.noiseCount ?? 0) > 0);
  });

  it('tells a list that fails from a server that does not start, and tries the lists behind it [UI-4a]', async () => {
    cli.configure({
      fails: fixtureCommand('list-fails'),
      silent: { ...fixtureCommand('list-silent'), timeouts: { list: 1_000 } },
      odd: fixtureCommand('list-not-a-list'),
    });
    const { code, report } = await doctor(cli);
    assert.equal(code, 1);
    assert.deepEqual(
      report.servers.map((server) => [
        server.state,
        check(server, 'initialise').verdict,
        check(server, 'tools').error?.code,
      ]),
      [
        ['ready', 'ok', 'protocolError'],
        ['ready', 'ok', 'requestTimeout'],
        ['ready', 'ok', 'invalidResponse'],
      ],
    );
  });

  describe('with remote servers', () => {
    let server: Server;
    let origin: string;
    before(async () => {
      server = createServer((request, response) => {
        const status = Number(/\/status\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
        if (status !== 0) response.writeHead(status, { 'content-type': 'text/plain' }).end('no');
        else if (request.url === '/html') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello</p>');
        else if (request.url === '/away') response.writeHead(307, { location: 'https://host.invalid/' }).end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(() => {
      server.closeAllConnections();
      server.close();
    });

    it('tells transport, sign-in and initialise apart [UI-4a, CONN-12d]', async () => {
      const http = { transport: 'streamable-http' };
      cli.configure({
        refused: { url: 'http://127.0.0.1:9/', ...http },
        'sign-in': { url: `${origin}/status/401`, ...http },
        forbidden: { url: `${origin}/status/403`, ...http },
        broken: { url: `${origin}/status/500`, ...http },
        page: { url: `${origin}/html`, ...http },
        neither: { url: `${origin}/status/404` },
        hangs: { url: `${origin}/hang`, ...http, timeouts: { connect: 1_000 } },
        far: { url: 'https://host.invalid/' },
      });
      const { report } = await doctor(cli);
      const seen = report.servers.map((subject) => {
        const failed = subject.checks.filter(({ verdict }) => verdict === 'failed');
        return [subject.id, subject.state, failed.map(({ name, error }) => `${name} ${error?.code ?? ''}`).join(', ')];
      });
      assert.deepEqual(seen, [
        ['refused', 'failed', 'transport networkFailed'],
        ['sign-in', 'signInNeeded', 'signIn signInNeeded'],
        ['forbidden', 'failed', 'signIn forbidden'],
        ['broken', 'failed', 'transport httpStatus'],
        ['page', 'failed', 'initialise httpUnexpectedContent'],
        ['neither', 'failed', 'transport transportFallbackFailed'],
        ['hangs', 'failed', 'initialise connectTimeout'],
        ['far', 'blocked(remoteOff)', 'definition blockedRemoteOff'],
      ]);
      const shown = (id: string) => {
        const subject = report.servers.find((candidate) => candidate.id === id);
        return ['transport', 'signIn'].map((name) => check(subject, name).skipped ?? check(subject, name).verdict);
      };
      assert.deepEqual(shown('hangs'), ['notAnswered', 'notAnswered'], 'nothing shows that either works');
      assert.deepEqual(shown('page'), ['ok', 'ok']);
      assert.deepEqual(shown('sign-in'), ['ok', 'failed']);
    });
  });

  it('names the variables of the environment that servers do not get [CONN-7h]', async () => {
    cli.configure({ s: fixtureCommand('small-legacy') });
    const { report } = await doctor(cli, { MY_OWN_SETTING: 'x', HTTPS_PROXY: 'http://127.0.0.1:1', LC_TIME: 'C' });
    assert.ok(report.droppedVariables.includes('MY_OWN_SETTING'));
    for (const passed of ['HTTPS_PROXY', 'LC_TIME', 'PATH', 'HOME']) {
      assert.ok(!report.droppedVariables.includes(passed), passed);
    }
    const { out } = await cli.run(['doctor'], { env: { MY_OWN_SETTING: 'the-value' } });
    assert.match(out, /not passed to servers: .*MY_OWN_SETTING/);
    assert.doesNotMatch(out, /the-value/);
  });

  it('tells a refused file with its place in both forms, exits with 2 and starts nothing [GATE-5l, CFG-4f]', async () => {
    const log = fixtureLog();
    try {
      const good = JSON.stringify(fixtureCommand('small-legacy', undefined, log));
      cli.write(`{ "version": 3, "mcpServers": {\n  "good": ${good},\n  "bad__id": { "command": "x" }\n} }`);
      const json = await cli.run(['doctor', '--json']);
      assert.equal(json.code, 2);
      const [problem] = (JSON.parse(json.out) as Report).config.problems;
      assert.equal(problem?.['line'], 3);
      assert.equal(problem['server'], 'bad__id');
      const text = await cli.run(['doctor']);
      assert.equal(text.code, 2);
      assert.ok(text.err.startsWith(`${cli.configFile}:3:`));
      assert.equal(log.events('start').length, 0);
    } finally {
      log.dispose();
    }
  });

  it('leaves nothing of servers that ignore their end, helpers included [CONN-8c, CONN-8d]', async () => {
    cli.configure({ stubborn: fixtureCommand('stubborn-with-grandchildren') });
    const { report } = await doctor(cli);
    assert.equal(report.servers[0]?.state, 'ready');
    assert.deepEqual(await cli.leftovers(), []);
  });

  it('ends what it started when it is interrupted [CONN-8d, UI-5a]', async () => {
    const log = fixtureLog();
    try {
      cli.configure({
        probed: { ...fixtureCommand('silent', undefined, log), protocol: 'auto' },
        starting: fixtureCommand('silent', undefined, log),
      });
      const { child, ended } = cli.start(['doctor']);
      await eventually(() => log.events('start').length >= 2, patience, 'two processes');
      child.kill('SIGTERM');
      assert.equal((await ended).code, 143);
      assert.deepEqual(await cli.leftovers(), []);
    } finally {
      log.dispose();
    }
  });
});

async function doctor(cli: CommandLine, env: Readonly<Record<string, string>> = {}) {
  const { code, out, err } = await cli.run(['doctor', '--json'], { env });
  assert.notEqual(out, '', err);
  return { code, report: JSON.parse(out) as Report };
}

function check(server: ReportedServer | undefined, name: string): ReportedCheck {
  const found = server?.checks.find((candidate) => candidate.name === name);
  assert.ok(found !== undefined, `${server?.id ?? 'the server'} has a check ${name}`);
  return found;
}
