// One secret in every place where a definition can have one: whatever fails, no output of the command line holds it.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { type CommandLine, commandLine } from '../support/commandLine.ts';

const canary = 'c4nary-Wert-0815-geheim';

describe('a secret of a definition', function () {
  this.timeout(90_000);
  let cli: CommandLine;
  /** Refuses everything, and repeats what it was asked for. */
  let echo: Server;
  before(async () => {
    cli = commandLine();
    echo = createServer((request, response) => {
      response.writeHead(400, { 'content-type': 'text/plain' });
      response.end(`no: ${request.url ?? ''} ${JSON.stringify(request.headers)}`);
    }).listen(0, '127.0.0.1');
    await once(echo, 'listening');
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
});
