// Real servers as their authors publish them, in each protocol mode, through the built command line.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { type CommandLine, commandLine, runsFromSources } from '../support/commandLine.ts';
import { eventually } from '../support/eventually.ts';
import { patience } from '../support/patience.ts';

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly era: string | null;
  readonly tools: readonly { readonly name: string }[];
  readonly resources: readonly { readonly uri: string }[];
  readonly resourceTemplates: readonly unknown[];
  readonly prompts: readonly unknown[];
  readonly error?: { readonly code: string };
}

const pin = '2026-07-28';

describe('published servers', () => {
  let cli: CommandLine;
  before(() => {
    cli = commandLine();
  });
  after(() => cli.dispose());

  for (const protocol of ['legacy', 'auto'] as const) {
    it(`list what they offer over stdio in ${protocol} mode [CONN-1a, CONN-1d, DISC-1a, GATE-5k]`, async () => {
      cli.configure({
        everything: { ...everything(), protocol },
        filesystem: { ...filesystem(cli.folder), protocol },
        memory: { ...memory(), protocol },
        context7: { ...context7(), protocol },
      });
      const servers = await list(cli);
      assert.deepEqual(
        servers.map(({ id, state, era }) => [id, state, era]),
        [
          ['everything', 'ready', 'legacy'],
          ['filesystem', 'ready', 'legacy'],
          ['memory', 'ready', 'legacy'],
          ['context7', 'ready', protocol === 'auto' ? 'modern' : 'legacy'],
        ],
      );
      const [all, files, graph, docs] = servers;
      assert.ok(all !== undefined);
      assert.ok(all.tools.some(({ name }) => name === 'echo'));
      assert.ok(all.resources.length > 0 && all.resourceTemplates.length > 0 && all.prompts.length > 0);
      assert.ok(files?.tools.some(({ name }) => name === 'read_text_file'));
      assert.equal(graph?.tools.length, 9);
      assert.deepEqual(docs?.tools.map(({ name }) => name).sort(), ['query-docs', 'resolve-library-id']);
      assert.deepEqual(await cli.leftovers(), []);
    });
  }

  it('are ready with the pin where they speak it, and say so where they do not [CONN-1d]', async () => {
    cli.configure({
      context7: { ...context7(), protocol: pin },
      memory: { ...memory(), protocol: pin },
      everything: { ...everything(), protocol: pin },
    });
    const servers = await list(cli);
    assert.deepEqual(
      servers.map(({ state, era, error }) => [state, era, error?.code]),
      [
        ['ready', 'modern', undefined],
        ['failed', null, 'eraUnsupported'],
        ['failed', null, 'eraUnsupported'],
      ],
    );
    assert.deepEqual(await cli.leftovers(), []);
  });

  it('answer calls over stdio, with roots that the workspace gives [TOOL-2a, CONN-14a]', async () => {
    cli.configure({ everything: everything(), filesystem: filesystem(cli.folder) });
    const sum = await cli.run(['call', 'everything', 'get-sum', '{"a":2,"b":40}']);
    assert.equal(sum.code, 0, sum.err);
    assert.match(sum.out, /\b42\b/);
    const folders = await cli.run(['call', 'filesystem', 'list_allowed_directories']);
    assert.equal(folders.code, 0, folders.err);
    assert.ok(folders.out.includes(cli.folder));
    if (runsFromSources) return;
    const wrong = await cli.run(['call', 'everything', 'get-sum', '{"a":"two","b":40}', '--json']);
    assert.equal(wrong.code, 3);
    assert.equal((JSON.parse(wrong.out) as { error: { code: string } }).error.code, 'argumentsInvalid');
  });

  it('list and answer over Streamable HTTP, named and found automatically [CONN-1b, CONN-1e]', async () => {
    await listsAndAnswers(cli, 'streamableHttp', 'mcp');
  });

  it('list and answer over SSE, named and found automatically [CONN-1c, CONN-3a]', async () => {
    await listsAndAnswers(cli, 'sse', 'sse');
  });

  it('speak both eras over Streamable HTTP where they can [CONN-1e]', async () => {
    const { port, stop } = await startHttp((free) => ({
      args: [...context7().args, '--transport', 'http', '--port', String(free)],
    }));
    try {
      const url = `http://127.0.0.1:${port}/mcp`;
      cli.configure({
        legacy: { url, protocol: 'legacy' },
        auto: { url, protocol: 'auto' },
        pinned: { url, protocol: pin },
      });
      assert.deepEqual(
        (await list(cli)).map(({ state, era, tools }) => [state, era, tools.length]),
        [
          ['ready', 'legacy', 2],
          ['ready', 'modern', 2],
          ['ready', 'modern', 2],
        ],
      );
    } finally {
      await stop();
    }
  });

  it('leave no process behind when they drive a real browser [CONN-8c, CONN-8d]', async () => {
    cli.configure({ chrome: await chromeDevtools() });
    const [chrome] = await list(cli);
    assert.equal(chrome?.state, 'ready');
    assert.ok(chrome.tools.length > 20);
    const { code, out, err } = await cli.run([
      'call',
      'chrome',
      'new_page',
      '{"url":"data:text/html,<title>here</title>"}',
    ]);
    assert.equal(code, 0, err);
    assert.match(out, /data:text\/html/);
    assert.deepEqual(await cli.leftovers(), []);
  });

  it('are found well by the doctor, the browser too [UI-4a, GATE-5j]', async () => {
    cli.configure({
      memory: memory(),
      context7: { ...context7(), protocol: 'auto' },
      chrome: await chromeDevtools(),
    });
    const { code, out } = await cli.run(['doctor']);
    assert.equal(code, 0, out);
    assert.match(out, /^memory: ready$/m);
    assert.match(out, /^context7: ready$/m);
    assert.deepEqual(await cli.leftovers(), []);
  });
});

/** The same server by its transport's name and without it, and pinned to a protocol that it does not speak. */
async function listsAndAnswers(cli: CommandLine, mode: 'streamableHttp' | 'sse', endpoint: string): Promise<void> {
  const { port, stop } = await startHttp((free) => ({ args: everything(mode).args, env: { PORT: String(free) } }));
  try {
    const url = `http://127.0.0.1:${port}/${endpoint}`;
    const named = mode === 'sse' ? { transport: 'sse' } : { transport: 'streamable-http', protocol: 'auto' };
    cli.configure({ named: { url, ...named }, found: { url }, pinned: { url, protocol: pin } });
    const servers = await list(cli);
    assert.deepEqual(
      servers.slice(0, 2).map(({ id, state, era }) => [id, state, era]),
      [
        ['named', 'ready', 'legacy'],
        ['found', 'ready', 'legacy'],
      ],
    );
    assert.equal(servers[2]?.state, 'failed');
    for (const { tools } of servers.slice(0, 2)) assert.ok(tools.some(({ name }) => name === 'echo'));
    const { code, out, err } = await cli.run(['call', 'found', 'echo', '{"message":"over the wire"}']);
    assert.equal(code, 0, err);
    assert.match(out, /over the wire/);
  } finally {
    await stop();
  }
}

async function list(cli: CommandLine): Promise<readonly Listed[]> {
  const { code, out, err } = await cli.run(['list', '--json']);
  assert.equal(code, 0, err);
  return (JSON.parse(out) as { servers: Listed[] }).servers;
}

function installed(file: string, ...args: string[]) {
  const script = path.join(path.dirname(createRequire(import.meta.url).resolve('mocha/package.json')), '..', file);
  return { command: process.execPath, args: [script, ...args] as [string, ...string[]] };
}

function everything(...args: string[]) {
  return installed('@modelcontextprotocol/server-everything/dist/index.js', ...args);
}

function filesystem(folder: string) {
  return installed('@modelcontextprotocol/server-filesystem/dist/index.js', folder);
}

function memory() {
  return installed('@modelcontextprotocol/server-memory/dist/index.js');
}

function context7() {
  return installed('@upstash/context7-mcp/dist/index.js');
}

/** Fails where there is no browser and none can be installed: a test without one shows nothing. */
async function chromeDevtools() {
  const chromium = await ensureChromium(() => undefined);
  const flags = ['--headless', '--executablePath', chromium, '--chrome-arg=--no-sandbox', '--no-usage-statistics'];
  return installed('chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js', ...flags);
}

interface HttpServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Starts a server of HTTP, once more where another program took the port first; resolves when it answers. */
async function startHttp(
  launch: (port: number) => { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> },
): Promise<HttpServer> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const { args, env } = launch(await freePort());
    const server = await startedHttp(args, env);
    if (server !== undefined) return server;
  }
  return assert.fail('no port was free');
}

/** Undefined where it ended at once. It says itself, on stderr, which port it took. */
async function startedHttp(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const state = { ended: false };
  const ended = once(child, 'exit').then(() => (state.ended = true));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    const port = await eventually(
      async () => {
        if (state.ended) return 'ended';
        const [, port] = /(?:on port |localhost:)(\d+)/.exec(said) ?? [];
        return port !== undefined && (await answers(Number(port))) && Number(port);
      },
      patience,
      'the server to answer',
    );
    return port === 'ended' ? undefined : { port, stop };
  } catch (error) {
    await stop();
    throw new Error(said, { cause: error });
  }
}

async function answers(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/nothing-here`).catch(() => undefined);
  await response?.body?.cancel();
  return response !== undefined;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}
