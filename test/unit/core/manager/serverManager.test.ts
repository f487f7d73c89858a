import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { ConfigFingerprint, ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ConfigSnapshot, ConfiguredServer } from '../../../../src/core/config/model.ts';
import { serverKey } from '../../../../src/core/config/serverKey.ts';
import type { LiveClient } from '../../../../src/core/connection/liveClient.ts';
import type { Generation, Problem } from '../../../../src/core/connection/state.ts';
import type { ServerSnapshot } from '../../../../src/core/discovery/snapshot.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import type { ManagerDeps } from '../../../../src/core/manager/deps.ts';
import { ServerManager } from '../../../../src/core/manager/serverManager.ts';
import type { ApprovalPrompt, ApprovalRequest } from '../../../../src/core/ports.ts';
import type { LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import { ApprovalDesk, type LaunchSource } from '../../../../src/core/trust/approvalDesk.ts';

describe('ServerManager', () => {
  it('starts nothing by itself', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a'), project('b')));
    await world.quiet();
    assert.deepEqual(world.opened, []);
    assert.deepEqual(world.states(), { a: 'stopped', b: 'blocked approval' });
  });

  it('starts an autostart server of the person with the window', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a', { autostart: true })));
    await world.until(() => world.states()['a'] === 'ready');
    assert.deepEqual(world.opened, ['a']);
  });

  it('loads nothing of a project before trust, and takes a grant at once', async () => {
    const world = makeWorld({ trusted: false, approve: () => true });
    world.manager.apply(config(project('b', { autostart: true })));
    await world.quiet();
    assert.deepEqual(world.states(), { b: 'blocked trust' });
    assert.equal(world.identified, 0, 'identifying reads the file system: not before trust');
    await assert.rejects(world.manager.start(project('b').key), { code: 'blockedTrust' });
    world.manager.setCircumstances({ workspaceTrusted: true, mayReach: () => true });
    assert.deepEqual(world.states(), { b: 'blocked approval' });
  });

  it('runs a project server only after its exact launch was approved', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    await assert.rejects(world.manager.use(project('b').key), { code: 'blockedApproval' });
    assert.deepEqual(world.opened, []);
    await world.manager.start(project('b').key);
    assert.deepEqual(world.opened, ['b']);
    assert.equal(world.prompts.length, 1);
  });

  it('runs nothing when the prompt is refused, closed or missing', async () => {
    for (const approve of [() => false, undefined]) {
      const world = makeWorld(approve === undefined ? {} : { approve });
      world.manager.apply(config(project('b')));
      await assert.rejects(world.manager.start(project('b').key), { code: 'blockedApproval' });
      assert.deepEqual(world.opened, []);
    }
  });

  it('asks one question for all servers that wait', async () => {
    const world = makeWorld({ approve: (id) => id !== 'c' });
    world.manager.apply(config(project('b'), project('c'), project('d')));
    await world.manager.review();
    await world.until(() => world.opened.length === 2);
    assert.deepEqual(world.prompts, [['b', 'c', 'd']]);
    assert.deepEqual(world.opened, ['b', 'd']);
    assert.equal(world.states()['c'], 'blocked approval');
  });

  it('asks again when what would run changed after the approval, before the start', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    await world.manager.start(project('b').key);
    await world.manager.stop(project('b').key);
    world.onDisk = 'another link target';
    await assert.rejects(world.manager.use(project('b').key), { code: 'blockedApproval' });
    assert.deepEqual(world.opened, ['b']);
    assert.equal(world.states()['b'], 'blocked approval');
  });

  it('refuses a launch that changed between its identification and its resolution', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    world.swapBeforeResolve = true;
    await assert.rejects(world.manager.start(project('b').key), { code: 'blockedApproval' });
    assert.deepEqual(world.opened, []);
  });

  it("lets the person's server stand in while the project's one waits, and steps back when it is approved", async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(user('x'), project('x')));
    assert.equal(world.manager.keyOf('x'), user('x').key);
    await world.manager.use(user('x').key);
    await world.manager.review();
    await world.until(() => world.opened.length === 2);
    assert.equal(world.manager.keyOf('x'), project('x').key);
    assert.deepEqual(world.closed, ['x']);
    await assert.rejects(world.manager.use(user('x').key), { code: 'blockedConflict' });
  });

  it('touches only the connection of the server that changed', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a'), user('b')));
    await Promise.all([world.manager.use(user('a').key), world.manager.use(user('b').key)]);
    world.manager.apply(config(user('a', { version: 2 }), user('b')));
    await world.until(() => world.opened.length === 3 && world.states()['a'] === 'ready');
    assert.deepEqual(world.opened, ['a', 'b', 'a']);
    assert.deepEqual(world.closed, ['a']);
  });

  it('reconnects nothing for a policy edit', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a')));
    await world.manager.use(user('a').key);
    world.manager.apply(config(user('a', { toolPolicies: { echo: 'deny' } })));
    await world.quiet();
    assert.deepEqual(world.closed, []);
    assert.deepEqual(world.manager.live(user('a').key)?.view.server.definition.toolPolicies, { echo: 'deny' });
  });

  it('does not start a changed server that did not run', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a')));
    world.manager.apply(config(user('a', { version: 2 })));
    await world.quiet();
    assert.deepEqual(world.opened, []);
  });

  it('does not start a changed project server whose new launch was not approved, though the old one ran', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    await world.manager.start(project('b').key);
    world.manager.apply(config(project('b', { version: 2 })));
    await world.quiet();
    assert.deepEqual(world.opened, ['b']);
    assert.deepEqual(world.closed, ['b']);
    assert.equal(world.states()['b'], 'blocked approval');
  });

  it('starts again by itself when the definition goes back to what was approved', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    await world.manager.start(project('b').key);
    world.manager.apply(config(project('b', { version: 2 })));
    await world.quiet();
    world.manager.apply(config(project('b')));
    await world.until(() => world.states()['b'] === 'stopped' || world.states()['b'] === 'ready');
    await world.manager.use(project('b').key);
    assert.equal(world.prompts.length, 1, 'what was approved once needs no second question');
  });

  it('ends the server and its waiting callers when it is disabled or removed', async () => {
    for (const next of [config(user('a', { enabled: false })), config()]) {
      const world = makeWorld({ hang: true });
      world.manager.apply(config(user('a')));
      const waiting = world.manager.use(user('a').key);
      await world.until(() => world.opened.length === 1);
      world.manager.apply(next);
      await assert.rejects(waiting, { code: 'cancelled' });
    }
  });

  it('keeps remote servers off until they are turned on, and ends them when they are turned off', async () => {
    const world = makeWorld({ reach: false });
    const remote = user('r', { url: 'https://mcp.example/' });
    world.manager.apply(config(remote));
    await assert.rejects(world.manager.use(remote.key), { code: 'blockedRemoteOff' });
    world.manager.setCircumstances({ workspaceTrusted: true, mayReach: () => true });
    await world.manager.use(remote.key);
    world.manager.setCircumstances({ workspaceTrusted: true, mayReach: () => false });
    await world.until(() => world.closed.length === 1);
    assert.deepEqual(world.states(), { r: 'blocked remoteOff' });
  });

  it('reads the definition anew at a restart', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a')));
    await world.manager.use(user('a').key);
    world.onReload = () => world.manager.apply(config(user('a', { version: 2 })));
    await world.manager.restart(user('a').key);
    assert.deepEqual(world.launchVersions, [1, 2]);
  });

  it('shows a second folder with a differing definition as a conflict, and an equal one as shared', async () => {
    const world = makeWorld({ approve: () => true });
    const [first, equal, other] = [
      project('x'),
      project('x', { folder: '/two' }),
      project('x', { folder: '/three', version: 2 }),
    ];
    world.manager.apply(config(first, equal, other));
    await world.manager.start(equal.key);
    const byKey = new Map(world.manager.view().servers.map((view) => [view.key, view]));
    assert.equal(byKey.get(first.key)?.state.kind, 'ready');
    assert.equal(byKey.get(equal.key)?.state.kind, 'ready');
    assert.deepEqual(byKey.get(other.key)?.state, {
      kind: 'blocked',
      by: 'conflict',
      problem: { code: 'blockedConflict', data: { server: 'x', other: first.file } },
    });
    assert.deepEqual(world.opened, ['x']);
  });

  it('fails a use while the first list hangs as soon as the connection ends', async () => {
    const world = makeWorld({ silentLists: true });
    world.manager.apply(config(user('a')));
    const waiting = world.manager.use(user('a').key);
    await world.until(() => world.states()['a'] === 'ready');
    world.end('a', { code: 'processExited', data: { server: 'a', exit: 'code 1' } });
    await assert.rejects(waiting, { code: 'processExited' });
    assert.equal(world.manager.live(user('a').key), undefined);
  });

  it('leaves nothing running after dispose', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a'), user('b')));
    await Promise.all([world.manager.use(user('a').key), world.manager.use(user('b').key)]);
    await world.manager.dispose();
    assert.deepEqual(world.closed.toSorted(), ['a', 'b']);
    world.manager.apply(config(user('c', { autostart: true })));
    await world.quiet();
    assert.equal(world.opened.length, 2);
  });
});

interface Made {
  readonly version?: number;
  readonly autostart?: boolean;
  readonly enabled?: boolean;
  readonly toolPolicies?: Record<string, 'allow' | 'ask' | 'deny'>;
  readonly url?: string;
  readonly folder?: string;
}

function user(id: string, made: Made = {}): ConfiguredServer {
  return make(id, { kind: 'user' }, '/home/mcp.json', made);
}

function project(id: string, made: Made = {}): ConfiguredServer {
  const folder = made.folder ?? '/one';
  return make(id, { kind: 'project', folder, name: folder.slice(1) }, `${folder}/mcp.json`, made);
}

function make(id: string, scope: ConfiguredServer['scope'], file: string, made: Made): ConfiguredServer {
  const common = {
    protocol: 'legacy' as const,
    enabled: made.enabled ?? true,
    autostart: made.autostart ?? false,
    toolPolicies: made.toolPolicies ?? {},
    timeouts: {},
  };
  return {
    key: serverKey(scope, id as ServerId),
    id: id as ServerId,
    scope,
    file,
    fingerprint: `${id} ${made.version ?? 1}` as ConfigFingerprint,
    definition:
      made.url === undefined
        ? {
            kind: 'stdio',
            command: 'x',
            args: [String(made.version ?? 1)],
            env: {},
            persistent: false,
            isolation: 'shared',
            ...common,
          }
        : { kind: 'remote', url: made.url, transport: 'auto', headers: {}, ...common },
  };
}

function config(...servers: ConfiguredServer[]): ConfigSnapshot {
  const files = [...new Set(servers.map((server) => server.file))].map((file) => {
    const own = servers.filter((server) => server.file === file);
    return { file, scope: own[0]!.scope, exists: true, version: 3 as const, servers: own, inputs: [] };
  });
  return { files };
}

interface WorldOptions {
  trusted?: boolean;
  reach?: boolean;
  approve?: (id: string) => boolean;
  hang?: boolean;
  silentLists?: boolean;
}

function makeWorld(options: WorldOptions = {}) {
  const world = {
    opened: [] as string[],
    closed: [] as string[],
    prompts: [] as string[][],
    launchVersions: [] as number[],
    identified: 0,
    onDisk: 'link target',
    swapBeforeResolve: false,
    onReload: (): void => undefined,
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
  const ends = new Map<string, Emitter<Problem | undefined>>();
  const fingerprint = (server: ConfiguredServer) => `${server.fingerprint} ${world.onDisk}` as LaunchFingerprint;
  const launches: LaunchSource = {
    identify: (server) => {
      world.identified += 1;
      return Promise.resolve(request(server, fingerprint(server)));
    },
    resolve: (server) => {
      if (world.swapBeforeResolve) world.onDisk = 'swapped';
      return Promise.resolve({
        kind: 'stdio',
        id: server.id,
        protocol: 'legacy',
        timeouts: {},
        fingerprint: fingerprint(server),
        command: 'x',
        args: server.definition.kind === 'stdio' ? server.definition.args : [],
        env: {},
        cwd: '/',
      });
    },
  };
  const { approve } = options;
  const prompt: ApprovalPrompt | undefined = approve && {
    ask: (requests) => {
      world.prompts.push(requests.map(({ id }) => id));
      return Promise.resolve(new Set(requests.filter(({ id }) => approve(id)).map((asked) => asked.fingerprint)));
    },
  };
  const deps: ManagerDeps = {
    clock: systemClock(),
    desk: new ApprovalDesk(launches, prompt),
    follow: (server, { generation }, revision, events) => {
      if (options.silentLists !== true) queueMicrotask(() => events.publish(emptySnapshot(generation, revision)));
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
      return Promise.resolve(fakeClient(ended, () => world.closed.push(id)));
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
  return { id: server.id, scope: server.scope, fingerprint, what };
}

function emptySnapshot(generation: Generation, revision: number): ServerSnapshot {
  return {
    generation,
    revision,
    era: 'legacy',
    tools: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    issues: [],
    issueCount: 0,
    incomplete: [],
  };
}

function fakeClient(ended: Emitter<Problem | undefined>, onClose: () => void): LiveClient {
  return {
    negotiated: { era: 'legacy', revision: '2025-11-25', transport: 'stdio' },
    capabilities: {},
    request: () => Promise.reject(new Error('not used')),
    notify: () => Promise.resolve(),
    onNotification: new Emitter<never>().event,
    onClose: ended.event,
    listen: () => Promise.reject(new Error('not used')),
    close: () => {
      onClose();
      return Promise.resolve();
    },
  };
}
