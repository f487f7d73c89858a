// Clients as their authors publish them, in front of a real `serve`: what agents are built on, and what people bridge with.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { connect } from 'node:net';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { after, before, describe, it } from 'mocha';
import { type CommandLine, commandLine } from '../support/commandLine.ts';
import { eventually } from '../support/eventually.ts';
import { type FixtureLog, fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';
import { withDeadline } from '../support/withDeadline.ts';

const places = [
  { path: '/mcp/legacy', tool: 'echo' },
  { path: '/mcp/modern', tool: 'echo' },
  { path: '/mcp', tool: 'mcp__legacy__echo' },
] as const;

/** The one call of these clients that every test makes. */
interface Caller {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments: Record<string, unknown> }): Promise<unknown>;
}

describe('published clients', function () {
  this.timeout(120_000);
  let cli: CommandLine;
  let log: FixtureLog;
  let served: { readonly url: string; readonly token: string };
  let folder: string;
  let printed: string;
  before(async () => {
    cli = commandLine();
    log = fixtureLog();
    folder = mkdtempSync(path.join(tmpdir(), 'clients-'));
    cli.configure({
      legacy: { ...fixtureCommand('basic-legacy', undefined, log), protocol: 'legacy' },
      modern: { ...fixtureCommand('basic-modern', undefined, log), protocol: '2026-07-28' },
    });
    const { written } = cli.start(['serve']);
    await eventually(() => written.out.includes('\n'));
    printed = written.out;
    served = JSON.parse(printed) as typeof served;
  });
  after(async () => {
    await cli.dispose();
    log.dispose();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  async function listsAndCalls(client: Caller, tool: string, words: string): Promise<void> {
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === tool));
    assert.match(JSON.stringify(await client.callTool({ name: tool, arguments: { text: words } })), new RegExp(words));
  }

  for (const { path: place, tool } of places) {
    it(`of the first version of the SDK list and call at ${place} [GATE-1c, GATE-3a]`, async () => {
      const client = new FirstClient({ name: 'first', version: '1' });
      const requestInit = { headers: { authorization: `Bearer ${served.token}` } };
      await client.connect(new FirstTransport(new URL(served.url + place), { requestInit }));
      await listsAndCalls(client, tool, 'first-version');
      await client.close();
    });

    for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }] as const) {
      const named = typeof mode === 'string' ? mode : 'modern';
      it(`of the second version of the SDK in ${named} mode list and call at ${place} [GATE-1c, GATE-3a]`, async () => {
        const client = new Client({ name: 'second', version: '1' }, { versionNegotiation: { mode } });
        const requestInit = { headers: { authorization: `Bearer ${served.token}` } };
        await client.connect(new StreamableHTTPClientTransport(new URL(served.url + place), { requestInit }));
        assert.equal(client.getProtocolEra(), mode === 'legacy' ? 'legacy' : 'modern');
        await listsAndCalls(client, tool, `second-${named}`);
        await client.close();
      });
    }

    it(`as a command line (inspector) list and call at ${place}`, async () => {
      const listed = JSON.parse(await inspector(place, '--method', 'tools/list')) as { tools: { name: string }[] };
      assert.ok(listed.tools.some(({ name }) => name === tool));
      const call = ['--method', 'tools/call', '--tool-name', tool, '--tool-arg', 'text=from-the-inspector'];
      assert.match(await inspector(place, ...call), /from-the-inspector/);
    });

    it(`that bridge stdio (mcp-remote) list and call at ${place}`, async () => {
      const client = new Client({ name: 'behind', version: '1' });
      const header = ['--header', 'Authorization:${AUTH}'];
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [published('mcp-remote', 'dist/proxy.js'), served.url + place, '--transport', 'http-only', ...header],
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: folder,
          MCP_REMOTE_CONFIG_DIR: folder,
          AUTH: `Bearer ${served.token}`,
        },
        stderr: 'ignore',
      });
      await client.connect(transport);
      await listsAndCalls(client, tool, 'over-a-bridge');
      await client.close();
    });
  }

  it('find what `serve` prints when it listens: one line, with an address on this machine alone, and a token [GATE-1a, GATE-5h]', async () => {
    assert.equal(printed.trimEnd().split('\n').length, 1);
    assert.match(served.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.ok(Buffer.from(served.token, 'base64url').length >= 16);
    const { port } = new URL(served.url);
    // Whoever listens on every address listens on these too.
    for (const host of process.platform === 'linux' ? ['127.0.0.2', '::1'] : ['::1']) {
      const socket = connect({ port: Number(port), host });
      const event = await new Promise((resolve) => {
        socket.once('connect', () => resolve('connected')).once('error', () => resolve('refused'));
      });
      socket.destroy();
      assert.equal(event, 'refused', host);
    }
    const answer = await fetch(`${served.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(answer.status, 401);
  });

  it('need no token only where a person said so, who is told what that means [GATE-5i]', async () => {
    const { written } = cli.start(['serve', '--insecure-no-token']);
    await eventually(() => written.out.includes('\n'));
    const open = JSON.parse(written.out) as { readonly url: string; readonly token?: string };
    assert.equal(open.token, undefined);
    assert.match(open.url, /^http:\/\/127\.0\.0\.1:/);
    assert.match(written.err, /No token is asked for/);
    const client = new Client({ name: 'open', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${open.url}/mcp/legacy`)));
    assert.ok((await client.listTools()).tools.length > 0);
    await client.close();
    const page = await fetch(`${open.url}/mcp`, { method: 'POST', headers: { origin: 'http://evil.example' } });
    assert.equal(page.status, 403);
  });

  it('are given an address of all servers, and no second gateway takes its port', async () => {
    const { url, mcp } = JSON.parse(printed) as { readonly url: string; readonly mcp: string };
    assert.equal(mcp, `${url}/mcp`);
    const { port } = new URL(url);
    const { code, err } = await cli.run(['serve', '--port', port]);
    assert.equal(code, 64);
    assert.match(err, new RegExp(`port ${port} is in use`));
  });

  it('share one process of each server, and run each call once', () => {
    assert.equal(new Set(log.events('tool').map(({ pid }) => pid)).size, 2);
    assert.equal(log.runs('echo'), places.length * 6);
  });

  async function inspector(place: string, ...args: readonly string[]): Promise<string> {
    const program = inspectorAt(path.join(folder, 'inspector'));
    const header = ['--header', `Authorization: Bearer ${served.token}`];
    const child = spawn(process.execPath, [program, served.url + place, '--transport', 'http', ...header, ...args], {
      env: { PATH: process.env['PATH'], HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const written = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (written.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (written.err += text));
    await withDeadline(once(child, 'close'), patience, 'the inspector');
    assert.equal(child.exitCode, 0, written.err);
    return written.out;
  }
});

/** It reads a file of the package that it is usually a part of, two folders up: so it is laid out as it is there. */
function inspectorAt(whole: string): string {
  const build = path.join(whole, 'cli', 'build');
  if (!existsSync(whole)) {
    const part = path.dirname(published('@modelcontextprotocol/inspector-cli', 'package.json'));
    cpSync(path.join(part, 'build'), build, { recursive: true });
    cpSync(path.join(part, 'package.json'), path.join(whole, 'package.json'));
    symlinkSync(path.resolve(part, '../..'), path.join(whole, 'node_modules'), 'junction');
  }
  return path.join(build, 'index.js');
}

const { resolve } = createRequire(import.meta.url);

/** A file of a package, which may not be among what it exports. */
function published(name: string, file: string): string {
  const places = resolve.paths(name) ?? [];
  const found = places.map((place) => path.join(place, name, file)).find((each) => existsSync(each));
  assert.ok(found !== undefined, `${name} is not installed`);
  return found;
}
