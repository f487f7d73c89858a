// A ServerManager with everything around it made up: launches, a person, connections. Nothing is started.
import assert from 'node:assert/strict';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { type Deferred, deferred } from '../../src/base/deferred.ts';
import { Emitter } from '../../src/base/event.ts';
import type { ConfigScope } from '../../src/contract/serverConfig.ts';
import type { ConfigSnapshot, ConfiguredServer, ServerKey } from '../../src/core/config/model.ts';
import type { LiveClient } from '../../src/core/connection/liveClient.ts';
import type { Generation, Problem } from '../../src/core/connection/state.ts';
import { KeptLists } from '../../src/core/discovery/keptLists.ts';
import { ManagerError } from '../../src/core/errors.ts';
import type { ManagerDeps } from '../../src/core/manager/deps.ts';
import { KnownTools } from '../../src/core/policy/knownTools.ts';
import type { FollowerEvents } from '../../src/core/manager/managedServer.ts';
import { ServerManager } from '../../src/core/manager/serverManager.ts';
import type { ApprovalAnswer, ApprovalMemory, ApprovalPrompt, ApprovalRequest } from '../../src/core/ports.ts';
import type { LaunchFingerprint } from '../../src/core/transport/launch.ts';
import { ApprovalDesk, type LaunchSource } from '../../src/core/trust/approvalDesk.ts';
import { type Configured, configuredServer } from './configuredServer.ts';
import { snapshotOf } from './snapshotOf.ts';

interface Made extends Omit<Configured, 'scope'> {
  /** Definitions of two versions differ in what they run. */
  readonly version?: number;
  readonly folder?: string;
}

export function user(id: string, made: Made = {}): ConfiguredServer {
  return make(id, { kind: 'user' }, made);
}

export function project(id: string, { folder = '/one', ...made }: Made = {}): ConfiguredServer {
  return make(id, { kind: 'project', folder, name: folder.slice(1) }, made);
}

function make(id: string, scope: ConfigScope, { version = 1, ...made }: Made): ConfiguredServer {
  return configuredServer(id, { scope, args: [String(version)], ...made });
}

export function config(...servers: ConfiguredServer[]): ConfigSnapshot {
  const files = [...new Set(servers.map((server) => server.file))].map((file) => {
    const own = servers.filter((server) => server.file === file);
    return { file, scope: own[0]!.scope, exists: true, version: 3 as const, servers: own, inputs: [] };
  });
  return { files };
}

interface WorldOptions {
  trusted?: boolean;
  reach?: boolean;
  /** What the person answers; true is `once`, false `refuse`, and without it nobody can be asked. */
  approve?: (id: string) => boolean | ApprovalAnswer | undefined;
  /** By default all that the person defined themselves is remembered, as if they had written it through us. */
  memory?: ApprovalMemory;
  hang?: boolean;
  silentLists?: boolean;
  clock?: Clock;
  kept?: KeptLists;
}

export function makeWorld(options: WorldOptions = {}) {
  const world = {
    opened: [] as string[],
    closed: [] as string[],
    prompts: [] as string[][],
    requests: [] as ApprovalRequest[],
    launchVersions: [] as number[],
    identified: 0,
    onDisk: 'link target',
    /** Whether a start may ask the person for a value, of each so far. */
    mayAsk: [] as (boolean | undefined)[],
    swapBeforeResolve: false,
    beforeResolve: (): Promise<void> => Promise.resolve(),
    kept: options.kept ?? new KeptLists(),
    /** Before a definition is looked into: may wait, may fail. */
    onIdentify: (() => Promise.resolve()) as (server: ConfiguredServer) => Promise<void>,
    onReload: (): void => undefined,
    /** What follows the newest connection, as it tells the manager. */
    following: undefined as unknown as FollowerEvents,
    generation: undefined as unknown as Generation,
    holdClose: () => (hold = deferred<undefined>()),
    releaseClose: () => hold?.resolve(undefined),
    manager: undefined as unknown as ServerManager,
    states: () =>
      Object.fromEntries(world.manager.view().servers.map(({ server, state }) => [server.id, describeState(state)])),
    end: (id: string, problem: Problem) => ends.get(id)!.fire(problem),
    /** Polls a state that the next turns bring about. */
    until: async (condition: () => boolean) => {
      for (let turn = 0; turn < 1_000 && !condition(); turn++) await new Promise((resolve) => setImmediate(resolve));
      assert.ok(condition(), 'the state did not come about');
    },
    quiet: async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    },
  };
  let hold: Deferred<undefined> | undefined;
  const ends = new Map<string, Emitter<Problem | undefined>>();
  const fingerprint = (server: ConfiguredServer) =>
    `${server.key} ${server.fingerprint} ${world.onDisk}` as LaunchFingerprint;
  const launches: LaunchSource = {
    identify: async (server) => {
      world.identified += 1;
      await world.onIdentify(server);
      newest.set(server.key, fingerprint(server));
      return request(server, fingerprint(server));
    },
    resolve: async (server, _signal, mayAsk) => {
      world.mayAsk.push(mayAsk?.());
      if (world.swapBeforeResolve) world.onDisk = 'swapped';
      await world.beforeResolve();
      return {
        kind: 'stdio',
        id: server.id,
        protocol: 'legacy',
        timeouts: {},
        fingerprint: fingerprint(server),
        command: 'x',
        args: server.definition.kind === 'stdio' ? server.definition.args : [],
        env: {},
        cwd: '/',
      };
    },
  };
  const newest = new Map<ServerKey, LaunchFingerprint>();
  const ownRemembered: ApprovalMemory = {
    ...memoryOf(),
    get: (key) => (key.startsWith('user:') ? (newest.get(key) ?? ('not looked at' as LaunchFingerprint)) : undefined),
  };
  const { approve, memory = ownRemembered } = options;
  const prompt: ApprovalPrompt | undefined = approve && {
    ask: (requests) => {
      world.prompts.push(requests.map(({ id }) => id));
      world.requests.push(...requests);
      const answers = requests.map(({ id, fingerprint: of }) => [of, answerOf(approve(id))] as const);
      return Promise.resolve(new Map(answers.filter(hasAnswer)));
    },
  };
  const deps: ManagerDeps = {
    clock: options.clock ?? systemClock(),
    kept: world.kept,
    known: new KnownTools(),
    desk: new ApprovalDesk(launches, { prompt, memory }),
    follow: (server, { generation }, revision, events) => {
      world.following = events;
      world.generation = generation;
      if (options.silentLists !== true) queueMicrotask(() => events.publish(snapshotOf({ generation, revision })));
      return { refresh: () => Promise.resolve(), resources: undefined as never, dispose: () => undefined };
    },
    open: (managed, launch, signal) => {
      const { id } = managed.server;
      world.opened.push(id);
      if (launch.kind === 'stdio') world.launchVersions.push(Number(launch.args[0]));
      if (options.hang === true)
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new ManagerError('cancelled'))),
        );
      const ended = new Emitter<Problem | undefined>();
      ends.set(id, ended);
      return Promise.resolve(
        fakeClient(ended, async () => {
          world.closed.push(id);
          await hold?.promise;
        }),
      );
    },
    reload: () => {
      world.onReload();
      return Promise.resolve();
    },
  };
  world.manager = new ServerManager(deps, {
    workspaceTrusted: options.trusted ?? true,
    mayReach: () => options.reach ?? true,
  });
  return world;
}

function describeState(state: { kind: string; by?: string }): string {
  return state.by === undefined ? state.kind : `${state.kind} ${state.by}`;
}

function request(server: ConfiguredServer, fingerprint: LaunchFingerprint): ApprovalRequest {
  const what = { kind: 'stdio', command: 'x', executable: '/x', args: [], cwd: '/', env: {} } as const;
  return { id: server.id, scope: server.scope, file: server.file, fingerprint, what };
}

/** Remembers in the test's own memory. */
export function memoryOf(kept = new Map<ServerKey, LaunchFingerprint>()): ApprovalMemory {
  return {
    get: (key) => kept.get(key),
    set: (key, fingerprint) => Promise.resolve(void kept.set(key, fingerprint)),
    delete: (key) => Promise.resolve(void kept.delete(key)),
    keys: () => [...kept.keys()],
  };
}

function answerOf(answer: boolean | ApprovalAnswer | undefined): ApprovalAnswer | undefined {
  return typeof answer === 'boolean' ? (answer ? 'once' : 'refuse') : answer;
}

function hasAnswer<K, V>(entry: readonly [K, V | undefined]): entry is readonly [K, V] {
  return entry[1] !== undefined;
}

function fakeClient(ended: Emitter<Problem | undefined>, onClose: () => Promise<void>): LiveClient {
  return {
    negotiated: { era: 'legacy', revision: '2025-11-25', transport: 'stdio' },
    capabilities: {},
    serverInfo: {},
    request: () => Promise.reject(new Error('not used')),
    turn: () => Promise.resolve({ dispose: () => undefined }),
    requestRaw: () => Promise.reject(new Error('not used')),
    notify: () => Promise.resolve(),
    onNotification: new Emitter<never>().event,
    onClose: ended.event,
    listen: () => Promise.reject(new Error('not used')),
    close: onClose,
  };
}
