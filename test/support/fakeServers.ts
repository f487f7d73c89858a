import { Redactor } from '../../src/base/redact.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { Servers } from '../../src/cli/servers.ts';
import type { ConfigProblem, ConfiguredServer, ServerKey } from '../../src/core/config/model.ts';
import type { ConnectionState, Generation } from '../../src/core/connection/state.ts';
import type { DiagnosisSteps } from '../../src/core/diagnostics/diagnose.ts';
import type { ServerSnapshot } from '../../src/core/discovery/snapshot.ts';
import { type ManagerError } from '../../src/core/errors.ts';
import type { LiveServer, ServerView } from '../../src/core/manager/view.ts';
import type { ToolCall } from '../../src/core/tools/callTypes.ts';
import { configuredServer } from './configuredServer.ts';
import { snapshotOf } from './snapshotOf.ts';

export interface FakeServer {
  readonly id: string;
  readonly enabled?: boolean;
  readonly tools?: readonly JsonObject[];
  readonly snapshot?: Partial<ServerSnapshot>;
  readonly view?: Partial<ServerView>;
  /** Fails each use with this error, whose state the server then has. */
  readonly failure?: ManagerError;
  readonly state?: ConnectionState;
  /** Use waits for it. */
  readonly until?: Promise<unknown>;
  readonly result?: JsonObject | Error;
  readonly steps?: DiagnosisSteps;
}

export interface FakeServers extends Servers {
  disposed: number;
  readonly calls: ToolCall[];
}

export function fakeServers(list: readonly FakeServer[]): FakeServers {
  const used = new Set<string>();
  const byKey = (key: ServerKey): FakeServer => list.find(({ id }) => key === `user:${id}`)!;
  const view = (key: ServerKey): ServerView => {
    const fake = byKey(key);
    const up = used.has(key) && fake.failure === undefined;
    return {
      key,
      server: configured(fake),
      role: 'serving',
      policies: {},
      state: fake.state ?? stateOf(fake, up),
      warnings: [],
      noiseCount: 0,
      ...(up ? { snapshot: offerOf(fake) } : {}),
      ...fake.view,
    };
  };
  const servers: FakeServers = {
    gateway: {} as never,
    disposed: 0,
    calls: [],
    configured: list.map(configured),
    view,
    use: async (key) => {
      const fake = byKey(key);
      await fake.until;
      used.add(key);
      if (fake.failure !== undefined) throw fake.failure;
      return { view: view(key) } as LiveServer; // Commands look at the view only.
    },
    call: async (call) => {
      servers.calls.push(call);
      const { result = {}, until } = byKey(call.server);
      await until;
      if (result instanceof Error) throw result;
      return result;
    },
    stepsFor: (server) => byKey(server.key).steps!,
    secrets: new Redactor(),
    droppedVariables: () => ['EDITOR', 'SECRET_TOKEN'],
    processes: () => Promise.resolve({ running: [], ended: { found: 0, left: [] }, unguarded: undefined }),
    droppedFolders: () => ['./bin', '""'],
    dispose: () => {
      servers.disposed += 1;
      return Promise.resolve();
    },
  };
  return servers;
}

export function configProblem(problem: Partial<ConfigProblem> = {}): ConfigProblem {
  const data = { file: '/f/mcp.json', server: 'one', field: 'url', detail: 'it is not a URL' };
  return { file: '/f/mcp.json', code: 'configInvalid', data, position: { line: 3, column: 7 }, ...problem };
}

function configured({ id, enabled = true }: FakeServer): ConfiguredServer {
  return configuredServer(id, { enabled, file: '/f/mcp.json' });
}

function stateOf(fake: FakeServer, up: boolean): ConnectionState {
  if (fake.enabled === false) return { kind: 'disabled' };
  if (fake.failure !== undefined) {
    const { code, data, stderr } = fake.failure;
    return { kind: 'failed', problem: { code, data, ...(stderr === undefined ? {} : { stderr }) } };
  }
  if (!up) return { kind: 'stopped' };
  const negotiated = { era: 'legacy', revision: '2025-11-25', transport: 'stdio' } as const;
  return { kind: 'ready', since: 0, generation: 1 as Generation, negotiated };
}

function offerOf({ tools = [], snapshot }: FakeServer): ServerSnapshot {
  return snapshotOf({
    tools: tools.map((raw) => ({ name: raw['name'] as string, raw, hash: '', annotationsHash: '' })),
    ...snapshot,
  });
}
