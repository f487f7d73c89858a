// A product's folder with whatever keepers run for it, their clients, and what all of them started: counted in the process
// table, by the folder in the keeper's arguments and by a variable that each server has.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { KeeperDescriptor } from '../../src/contract/keeperWire.ts';
import type { ProtocolMode } from '../../src/contract/serverConfig.ts';
import type { LiveClient, ServerRequestHandlers } from '../../src/core/connection/liveClient.ts';
import { KeeperClient, type KeeperClientOptions } from '../../src/core/keeper/keeperClient.ts';
import { keeperFiles, readKeeper } from '../../src/core/keeper/keeperFiles.ts';
import { type KeptOptions, openKept } from '../../src/core/keeper/openKept.ts';
import type { LaunchFingerprint, StdioLaunch } from '../../src/core/transport/launch.ts';
import { builtProgram } from './commandLine.ts';
import { eventually } from './eventually.ts';
import { fixtureCommand, type FixtureLog, fixtureLog, type Overrides } from './fixtureServer.ts';
import { opening, stdioLaunch } from './openOptions.ts';
import { type ProcessEntry, processesWithEnvironment, processTable } from './processTable.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export interface KeptServerOptions {
  readonly client?: KeeperClient;
  readonly fixture?: string;
  readonly overrides?: Overrides;
  readonly key?: string;
  readonly fingerprint?: string;
  readonly protocol?: ProtocolMode;
  readonly handlers?: ServerRequestHandlers;
  readonly changes?: Partial<StdioLaunch>;
  readonly options?: Partial<KeptOptions>;
}

export interface KeeperWorld {
  readonly home: string;
  /** Of all servers of this world. */
  readonly log: FixtureLog;
  readonly run: string;
  client(options?: Partial<KeeperClientOptions>): KeeperClient;
  launch(options?: KeptServerOptions): StdioLaunch;
  open(options?: KeptServerOptions): Promise<LiveClient>;
  descriptor(): Promise<KeeperDescriptor | undefined>;
  /** Absolute path of the descriptor, whether it is there or not. */
  descriptorFile(): Promise<string>;
  keepers(): readonly ProcessEntry[];
  servers(): readonly ProcessEntry[];
  /** Names of what stands in the keeper's folder. */
  files(): readonly string[];
  /** Resolves when no keeper and no server is left. */
  empty(ms?: number): Promise<void>;
  dispose(): Promise<void>;
}

/** The keeper as it is built. */
export function keeperProgram(): string {
  return join(builtProgram(), '..', 'keeper.js');
}

export async function keeperWorld(): Promise<KeeperWorld> {
  const place = await temporaryFolder();
  const home = join(place.path, 'home');
  const log = fixtureLog();
  const run = randomUUID();
  const clients: KeeperClient[] = [];
  const world: KeeperWorld = {
    home,
    log,
    run,
    client: (options = {}) => {
      const client = new KeeperClient({ home, program: keeperProgram(), idleSeconds: 30, ...options });
      clients.push(client);
      return client;
    },
    launch: ({ fixture = 'small-legacy', overrides, fingerprint = 'one', protocol = 'legacy', changes = {} } = {}) =>
      stdioLaunch(fixtureCommand(fixture, overrides, log), {
        env: { KEEPER_RUN: run },
        fingerprint: fingerprint as LaunchFingerprint,
        protocol,
        ...changes,
      }),
    open: (options = {}) => {
      const { client = world.client(), key = 'user:fixture', handlers = {} } = options;
      const plain = opening({ handlers, clock: systemClock() });
      return openKept(world.launch(options), {
        ...plain,
        keeper: client,
        key,
        file: join(home, 'mcp.json'),
        ...options.options,
      });
    },
    descriptor: async () => readKeeper(await keeperFiles(home)),
    descriptorFile: async () => {
      const { folder, descriptor } = await keeperFiles(home);
      return join(folder, descriptor);
    },
    keepers: () => processTable().filter(({ command }) => command.includes('--idle-seconds') && command.includes(home)),
    servers: () => processesWithEnvironment('KEEPER_RUN', run),
    files: () => readdirSync(join(home, 'keeper')).sort(),
    empty: async (ms) => {
      await eventually(() => world.keepers().length + world.servers().length === 0, ms, 'the end of all');
    },
    dispose: async () => {
      for (const client of clients) client.dispose();
      for (const { pid } of world.keepers()) kill(pid);
      await eventually(() => world.keepers().length === 0);
      for (const { pid } of world.servers()) kill(pid);
      await world.empty();
      log.dispose();
      await place.remove();
    },
  };
  return world;
}

/** Calls a tool and answers its text. */
export async function callText(client: LiveClient, name: string, args: JsonObject = {}): Promise<string> {
  const result = await client.request('tools/call', { name, arguments: args }, { kind: 'call' });
  const [first] = result['content'] as { readonly text: string }[];
  return first?.text ?? '';
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
