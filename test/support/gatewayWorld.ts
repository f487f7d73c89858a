// A gateway over a real manager with real servers, as `serve` puts it together, and the official clients in front of it.
import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach } from 'mocha';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { ProtocolMode } from '../../src/contract/serverConfig.ts';
import { readConfigText } from '../../src/core/config/readConfigText.ts';
import { createManager } from '../../src/core/manager/createManager.ts';
import type { ServerManager } from '../../src/core/manager/serverManager.ts';
import { createToolCalls } from '../../src/core/tools/createToolCalls.ts';
import type { Endpoint } from '../../src/gateway/admission.ts';
import { Aggregate } from '../../src/gateway/aggregate.ts';
import { EditorActivity } from '../../src/gateway/editorActivity.ts';
import { editorSurfaces } from '../../src/gateway/editorSurface.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import { ServerSurface } from '../../src/gateway/serverSurface.ts';
import type { Surface } from '../../src/gateway/surface.ts';
import { createToken } from '../../src/gateway/token.ts';
import { fixtureCommand, type FixtureLog, fixtureLog, type Overrides, startHttpFixture } from './fixtureServer.ts';

export interface GatewayServer {
  readonly fixture: string;
  readonly over?: 'stdio' | 'http';
  readonly protocol?: ProtocolMode;
  readonly overrides?: Overrides;
  readonly toolPolicies?: Readonly<Record<string, string>>;
}

export interface ClientOptions {
  readonly era?: 'legacy' | 'modern';
  readonly capabilities?: object;
  /** Of the address, such as `?mode=plan`. */
  readonly query?: string;
}

export interface GatewayWorld {
  readonly url: string;
  readonly token: string;
  readonly manager: ServerManager;
  /** What the fixture of a server recorded. */
  log(id: string): FixtureLog;
  /** A client of the official SDK, connected to one server. */
  connect(id: string, options?: ClientOptions): Promise<Client>;
  /** The same, as the editor's own agent connects. */
  connectEditor(id: string, options?: ClientOptions): Promise<Client>;
  /** What the editor's own agent has open. */
  readonly activity: EditorActivity;
  /** The same, connected to all of them. */
  connectAll(options?: ClientOptions): Promise<Client>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** Gives a describe block its `openGateway`, and ends what that opened after each test. */
export function useGateways(): (
  servers: Readonly<Record<string, GatewayServer>>,
  clock?: Clock,
) => Promise<GatewayWorld> {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return async (servers, clock = systemClock()) => {
    const logs = new Map<string, FixtureLog>();
    const entries: Record<string, unknown> = {};
    for (const [id, { fixture, over = 'stdio', protocol = 'legacy', overrides, toolPolicies = {} }] of Object.entries(
      servers,
    )) {
      if (over === 'http') {
        const started = await startHttpFixture(fixture, overrides);
        ends.push(() => started.stop());
        logs.set(id, started.log);
        entries[id] = { url: started.url, protocol, toolPolicies };
      } else {
        const log = fixtureLog();
        ends.push(() => {
          log.dispose();
          return Promise.resolve();
        });
        logs.set(id, log);
        entries[id] = { ...fixtureCommand(fixture, overrides, log), protocol, toolPolicies };
      }
    }
    const manager = createManager({
      clock,
      circumstances: { workspaceTrusted: true, remoteOn: true, mayReach: () => true },
      approvedByName: true,
      launchContext: () =>
        Promise.resolve({ home: '/', workspaceFolder: process.cwd(), env: {}, personalValues: nobody }),
      environment: () => Promise.resolve({ base: process.env, inherit: [] }),
      handlers: () => ({ relayed: true }),
      reload: () => Promise.resolve(),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    const source = { file: '/nowhere/mcp.json', scope: { kind: 'user' } } as const;
    const reading = readConfigText(JSON.stringify({ version: 3, mcpServers: entries }), source);
    if (reading.kind === 'refused') throw new Error(JSON.stringify(reading.problems));
    manager.apply({
      files: [{ ...source, exists: true, version: 3, servers: reading.servers, inputs: reading.inputs }],
    });
    const calls = createToolCalls({ manager, clock });
    const surfaces = new Map(
      Object.keys(servers).map((id) => [id, new ServerSurface(id, { manager, clock, forward: calls.forward })]),
    );
    const aggregate = new Aggregate({ manager, clock, forward: calls.forward });
    const activity = new EditorActivity();
    const editor = editorSurfaces(manager, activity);
    const editorOnes = new Map(
      Object.keys(servers).map((id) => [id, editor(id, { manager, clock, forward: calls.forward })]),
    );
    const surface = (endpoint: Endpoint): Surface | undefined =>
      endpoint.kind === 'all'
        ? aggregate.at(endpoint)
        : (endpoint.kind === 'editor' ? editorOnes : surfaces).get(endpoint.id);
    const token = createToken();
    const gateway = new Gateway({ clock, token, surface });
    const url = await gateway.listen();
    ends.push(async () => {
      await gateway.close();
      aggregate.dispose();
      for (const each of [...surfaces.values(), ...editorOnes.values()]) each.dispose();
      calls.dispose();
      await manager.dispose();
    });
    const headers = { authorization: `Bearer ${token}` };
    const connect = async (path: string, { era = 'legacy', capabilities = {}, query = '' }: ClientOptions = {}) => {
      const client = new Client(
        { name: `test-${era}`, version: '1' },
        { capabilities, versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
      );
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}${path}${query}`), { requestInit: { headers } }),
      );
      ends.push(() => client.close().catch(() => undefined));
      return client;
    };
    return {
      url,
      token,
      manager,
      log: (id) => logs.get(id)!,
      connect: (id, options) => connect(`/mcp/${id}`, options),
      connectEditor: (id, options) => connect(`/vscode/${id}`, options),
      activity,
      connectAll: (options) => connect('/mcp', options),
      fetch: (path, init = {}) =>
        fetch(`${url}${path}`, { ...init, headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) } }),
    };
  };
}

const nobody = { input: () => Promise.resolve(undefined), secret: () => Promise.resolve(undefined) };
