// `mcp-roundhouse proxy` as an agent starts it, and windows for it to find: `serve` is one, once it is written down as one.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach } from 'mocha';
import { ownIdentity, systemFacts } from '../../src/core/config/processIdentity.ts';
import { writeWindow } from '../../src/gateway/windowFiles.ts';
import type { WindowDescriptor } from '../../src/contract/windowDescriptor.ts';
import { builtProgram } from './commandLine.ts';
import { eventually } from './eventually.ts';
import { fixtureCommand, type FixtureLog, fixtureLog, type Overrides } from './fixtureServer.ts';
import { patience } from './patience.ts';
import { hasProcessTable, type ProcessEntry, processesWithEnvironment } from './processTable.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { withDeadline } from './withDeadline.ts';

export interface ProxyServer {
  readonly fixture: string;
  readonly protocol?: string;
  readonly overrides?: Overrides;
  readonly toolPolicies?: Readonly<Record<string, string>>;
}

export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** A proxy with an agent that speaks plain lines. */
export interface RawProxy {
  readonly child: Child;
  /** Every message that came, in order. */
  readonly messages: readonly Message[];
  /** What came on stdout and was none. */
  readonly noise: readonly string[];
  readonly err: () => string;
  readonly ended: Promise<number | null>;
  /** A line as it is. */
  write(line: string): void;
  send(message: object): void;
  /** Sends a request and waits for what answers it. */
  request(id: string | number, method: string, params?: object): Promise<Message>;
  answer(id: string | number): Promise<Message>;
  initialize(capabilities?: object): Promise<Message>;
}

export interface ServedWindow {
  readonly child: Child;
  readonly url: string;
  readonly token: string;
  kill(): Promise<void>;
}

export interface ProxyWorld {
  /** The home folder of the person: it marks every process that is started here. */
  readonly userHome: string;
  readonly home: string;
  readonly folder: string;
  /** What the fixture of a server recorded, whoever started it. */
  log(id: string): FixtureLog;
  /** The text of a configuration with these servers. */
  configuration(servers: Readonly<Record<string, ProxyServer>>): string;
  /** A process with a gateway, written down as a window. */
  openWindow(servers: Readonly<Record<string, ProxyServer>>, about?: Partial<WindowDescriptor>): Promise<ServedWindow>;
  start(args?: readonly string[], options?: { cwd?: string }): RawProxy;
  /** A client of the official SDK, over a proxy of its own. */
  connect(options?: { args?: readonly string[]; era?: 'legacy' | 'modern'; capabilities?: object }): Promise<Client>;
  /** How the proxy is started, for clients of other kinds. */
  command(args?: readonly string[]): { command: string; args: string[]; env: Record<string, string>; cwd: string };
  /** What is left of all that was started here, waited for a short while. */
  leftovers(): Promise<readonly ProcessEntry[]>;
}

/** Gives each test of a describe block its own world, and ends what was started in it. */
export function useProxies(): () => ProxyWorld {
  let world: ProxyWorld & { dispose(): Promise<void> };
  beforeEach(async () => (world = await openWorld()));
  afterEach(() => world.dispose());
  return () => world;
}

async function openWorld(): Promise<ProxyWorld & { dispose(): Promise<void> }> {
  const program = builtProgram();
  const place = await temporaryFolder();
  const userHome = join(place.path, 'home');
  const folder = join(place.path, 'work');
  for (const each of [userHome, folder]) mkdirSync(each);
  const home = join(userHome, '.mcp-roundhouse');
  const logs = new Map<string, FixtureLog>();
  const children = new Set<Child>();
  const clients: Client[] = [];
  const env = { PATH: process.env['PATH'] ?? '', HOME: userHome };
  let files = 0;

  const log = (id: string): FixtureLog => {
    const known = logs.get(id) ?? fixtureLog();
    logs.set(id, known);
    return known;
  };
  const configuration: ProxyWorld['configuration'] = (servers) => {
    const entries = Object.entries(servers).map(([id, { fixture, protocol = 'legacy', overrides, toolPolicies }]) => [
      id,
      { ...fixtureCommand(fixture, overrides, log(id)), protocol, ...(toolPolicies && { toolPolicies }) },
    ]);
    return JSON.stringify({ version: 3, mcpServers: Object.fromEntries(entries) as object });
  };
  const run = (args: readonly string[], cwd: string): Child => {
    const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => undefined);
    children.add(child);
    child.once('close', () => children.delete(child));
    return child;
  };

  return {
    userHome,
    home,
    folder,
    log,
    configuration,
    openWindow: async (servers, about = {}) => {
      const file = join(place.path, `window-${(files += 1)}.json`);
      writeFileSync(file, configuration(servers));
      const child = run(['serve', '--config-file', file], folder);
      const [line] = (await withDeadline(
        once(createInterface({ input: child.stdout }), 'line'),
        patience,
        'serve',
      )) as [string];
      const { url, token } = JSON.parse(line) as { url: string; token: string };
      const identity = await ownIdentity({ ...systemFacts, pid: child.pid! });
      const common = { version: 1 as const, kind: 'serving' as const, process: identity, url, token };
      await writeWindow(home, { ...common, folders: [folder], focusedAt: Date.now(), ...about });
      return {
        ...{ child, url, token },
        kill: async () => {
          const gone = once(child, 'exit');
          child.kill('SIGKILL');
          await gone;
        },
      };
    },
    start: (args = [], { cwd = folder } = {}) => rawProxy(run(['proxy', ...args], cwd)),
    connect: async ({ args = [], era = 'legacy', capabilities = {} } = {}) => {
      const client = new Client(
        { name: `test-${era}`, version: '1' },
        { capabilities, versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
      );
      clients.push(client);
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [program, 'proxy', ...args], env, cwd: folder }),
      );
      return client;
    },
    command: (args = []) => ({ command: process.execPath, args: [program, 'proxy', ...args], env, cwd: folder }),
    leftovers: async () => {
      if (!hasProcessTable) return [];
      const found = (): readonly ProcessEntry[] => processesWithEnvironment('HOME', userHome);
      await eventually(() => found().length === 0, 5_000).catch(() => undefined);
      return found();
    },
    dispose: async () => {
      await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
      for (const child of children) child.kill('SIGTERM');
      await Promise.all([...children].map((child) => once(child, 'close')));
      for (const { pid } of hasProcessTable ? processesWithEnvironment('HOME', userHome) : []) {
        process.kill(pid, 'SIGKILL');
      }
      for (const each of logs.values()) each.dispose();
      await place.remove();
    },
  };
}

function rawProxy(child: Child): RawProxy {
  const messages: Message[] = [];
  const noise: string[] = [];
  let err = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    try {
      messages.push(JSON.parse(line) as Message);
    } catch {
      noise.push(line);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answer = (id: string | number): Promise<Message> =>
    eventually(() => messages.find((each) => each.id === id && each.method === undefined), patience).catch(
      (cause: unknown) => {
        throw new Error(`no answer to ${id}; stderr: ${err}`, { cause });
      },
    );
  const request: RawProxy['request'] = (id, method, params = {}) => {
    send({ id, method, params });
    return answer(id);
  };
  return {
    ...{ child, messages, noise, ended, send, answer, request },
    err: () => err,
    write: (line) => void child.stdin.write(`${line}\n`),
    initialize: async (capabilities = {}) => {
      const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } };
      const hello = await request('hello', 'initialize', params);
      send({ method: 'notifications/initialized' });
      return hello;
    },
  };
}
