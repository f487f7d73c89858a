// One secret in every place where a definition can have one: whatever runs or fails, nothing that is shown, written or
// kept holds it, in any form. What was looked at is printed.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCanaryWindow } from '../support/canaryWindow.ts';
import { type CommandLine, commandLine } from '../support/commandLine.ts';
import { fixtureCommand, type HttpFixture, startHttpFixture } from '../support/fixtureServer.ts';
import { Sinks } from '../support/sinks.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const canary = 'c4nary-Wert-0815-geheim';
/** Has all that encoders change. */
const odd = (name: string): string => `c4nary ${name}/0815+"geheim" ü?`;

/** Refuses everything, and repeats what it was asked for. */
async function startEcho(): Promise<Server> {
  const echo = createServer((request, response) => {
    response.writeHead(400, { 'content-type': 'text/plain' });
    response.end(`no: ${request.url ?? ''} ${JSON.stringify(request.headers)}`);
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  return echo;
}

describe('a secret of a definition', () => {
  let cli: CommandLine;
  let echo: Server;
  before(async () => {
    cli = commandLine();
    echo = await startEcho();
  });
  after(async () => {
    echo.close();
    await cli.dispose();
  });

  it('is in no text, JSON or error of a command, wherever it stands and whatever fails [CONN-10b]', async () => {
    // Says what it was given, on both streams, and fails.
    const tell =
      'console.error(process.argv.join(" "), process.env.API_KEY); console.log(process.argv[3]); process.exit(3)';
    const reference = '${env:CANARY_TOKEN}';
    const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/mcp`;
    const servers: Record<string, object> = {
      command: { command: reference },
      'command-path': { command: `/nowhere/${reference}/server` },
      cwd: { command: 'node', cwd: `/nowhere/${reference}` },
      'env-file': { command: 'node', envFile: `/nowhere/${reference}.env` },
      argument: { command: 'node', args: ['-e', tell, '--', '--api-key', canary] },
      joined: { command: 'node', args: ['-e', tell, '--', `--token=${canary}`] },
      env: { command: 'node', args: ['-e', tell], env: { API_KEY: canary } },
      query: { url: `${url}?api_key=${canary}` },
      path: { url: `${url}/${reference}` },
      header: { url, headers: { 'X-Api-Key': canary } },
      literal: { url, headers: { Authorization: `Bearer ${canary}` } },
    };
    cli.configure(servers);
    const env = { CANARY_TOKEN: canary };
    const runs = await Promise.all([
      cli.run(['doctor'], { env }),
      cli.run(['doctor', '--json'], { env }),
      cli.run(['list'], { env }),
      cli.run(['list', '--json'], { env }),
      cli.run(['call', 'argument', 'any', '--json'], { env }),
    ]);
    for (const { out, err, code } of runs) {
      assert.notEqual(code, null);
      assert.ok(!(out + err).includes(canary), out + err);
    }
    const [, doctor] = runs;
    const report = JSON.parse(doctor.out) as { servers: { id: string; healthy: boolean }[] };
    assert.deepEqual(
      report.servers.map(({ id, healthy }) => [id, healthy]),
      Object.keys(servers).map((id) => [id, false]),
    );
  });

  it('is in no output of a command on a server that repeats it in everything that it says [CONN-10b, POL-3f]', async () => {
    const secret = odd('env');
    cli.configure({
      repeats: { ...fixtureCommand('repeats-secrets'), env: { API_KEY: secret } },
      ends: { ...fixtureCommand('repeats-secrets-and-exits'), env: { API_KEY: secret } },
    });
    const sinks = new Sinks();
    for (const argv of [
      ['list'],
      ['list', '--json'],
      ['doctor'],
      ['doctor', '--json'],
      ...['tell', 'refuse', 'fail', 'unknown'].map((tool) => ['call', 'repeats', tool]),
      ...['refuse', 'unknown'].map((tool) => ['call', 'repeats', tool, '--json']),
      ['call', 'ends', 'tell'],
      ['call', 'ends', 'tell', '--json'],
    ]) {
      const { out, err } = await cli.run(argv);
      sinks.add(argv.join(' '), `${out}\n${err}`);
    }
    process.stdout.write(sinks.report());
    assert.deepEqual(sinks.leaks({ env: secret }), []);
    // A result as JSON is data for whoever called.
    const { out } = await cli.run(['call', 'repeats', 'tell', '--json']);
    assert.equal((JSON.parse(out) as { structuredContent: { key: string } }).structuredContent.key, secret);
  });
});

describe('the secrets of a window', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let hub: HttpFixture;
  let echo: Server;
  before(async () => {
    folder = await temporaryFolder();
    hub = await startHttpFixture('http-headers');
    echo = await startEcho();
  });
  after(async () => {
    echo.close();
    await hub.stop();
    await folder.remove();
  });

  it('are in nothing that a person, a page, a file or an agent gets, whatever servers say and however they fail [CONN-10b, TRUST-6d, POL-3f]', async () => {
    const lent = {
      ...{ literal: odd('literal'), variable: odd('variable'), file: odd('envFile'), input: odd('input') },
      ...{
        secret: odd('secret'),
        header: 'c4nary-header/0815+geheim',
        argument: odd('argument'),
        query: 'c4nary-query-0815',
      },
    };
    const file = join(folder.path, 'lent.env');
    await writeFile(file, `API_KEY='${lent.file}'\n`);
    const repeats = fixtureCommand('repeats-secrets');
    const ends = fixtureCommand('repeats-secrets-and-exits');
    const tell = 'console.error(process.argv.join(" ")); console.log(process.argv[3]); process.exit(3)';
    const failing = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/mcp`;
    const sinks = new Sinks();
    const projects = {
      literal: { ...repeats, env: { API_KEY: lent.literal } },
      variable: { ...repeats, env: { API_KEY: '${env:CANARY_TOKEN}' } },
      file: { ...repeats, envFile: file },
      input: { ...repeats, env: { API_KEY: '${input:k}' } },
      secret: { ...repeats, env: { API_KEY: '${secret:k}' } },
      ends: { ...ends, env: { API_KEY: '${secret:k}' } },
      // Neither its name nor its shape tells that this is secret.
      plain: { command: process.execPath, args: ['-e', tell, '--', 'note', '${secret:k}', '${input:k}'] },
      header: { url: hub.url },
      failing: { url: `${failing}?api_key=${lent.query}` },
    };
    const window = await openCanaryWindow({
      root: folder.path,
      project: projects,
      user: { argument: { command: process.execPath, args: ['-e', tell, '--', '--api-key', lent.argument] } },
      lent,
      env: { CANARY_TOKEN: lent.variable },
      sinks,
    });
    try {
      const ids = [...Object.keys(projects), 'argument'];
      for (const id of ids) await window.use(id);
      await window.lookAround();
      for (const id of ids) await window.diagnose(id);
      await window.lookAround();
    } finally {
      await window.dispose();
    }
    // Whoever decides sees the command and the URL whole, as they stand in the file (TRUST-3).
    for (const request of window.requests.filter(({ id }) => id !== 'argument' && id !== 'failing')) {
      sinks.add('question for approval', request);
    }
    sinks.addFolder('files', folder.path, (path) => /mcp\.json$|lent\.env$/.test(path));
    process.stdout.write(sinks.report());
    assert.deepEqual(sinks.leaks(lent), []);
    // They were lent: without that, nothing could have shown them.
    const got = hub.log.events('http').map(({ headers }) => (headers as Record<string, string>)['x-api-key']);
    assert.ok(got.length > 0 && got.every((value) => value === lent.header));
  });
});
