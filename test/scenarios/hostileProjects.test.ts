import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import type { ErrorCode } from '../../src/contract/errorCodes.ts';
import type { ConfigScope } from '../../src/contract/serverConfig.ts';
import { remedyOf, sentencesOf } from '../../src/contract/sentencesOf.ts';
import { projectConfigFile } from '../../src/core/config/configPaths.ts';
import { ConfigStore } from '../../src/core/config/configStore.ts';
import type { ConfigFile, ServerKey } from '../../src/core/config/model.ts';
import { KeptLists } from '../../src/core/discovery/keptLists.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { createManager } from '../../src/core/manager/createManager.ts';
import type { ServerManager } from '../../src/core/manager/serverManager.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../../src/core/ports.ts';
import type { LaunchFingerprint } from '../../src/core/transport/launch.ts';
import { eventually } from '../support/eventually.ts';
import { hostileBytes } from '../support/hostileProject.ts';
import { childrenOf, hasProcessTable } from '../support/processTable.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const seed = 20261130;
const ran = 'ran';

describe('a hostile project file', () => {
  const clock = systemClock({ unref: true });
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let scope: ConfigScope & { kind: 'project' };
  let program: string;
  let server: Server;
  let origin: string;
  let manager: ServerManager;
  /** What was reached of the person's: variables, inputs, secrets, and any look at what would run. */
  let touched: Set<string>;
  let connections: number;
  let answer: (requests: readonly ApprovalRequest[]) => [ApprovalRequest, ApprovalAnswer][];

  beforeEach(async () => {
    folder = await temporaryFolder();
    scope = { kind: 'project', folder: join(folder.path, 'work'), name: 'work' };
    await mkdir(join(scope.folder, '.roundhouse'), { recursive: true });
    program = join(scope.folder, 'program');
    await writeFile(program, `#!/bin/sh\necho >> "${join(folder.path, ran)}"\n`);
    await chmod(program, 0o755);
    connections = 0;
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    touched = new Set();
    answer = () => [];
    manager = watchedManager();
  });
  afterEach(async () => {
    await manager.dispose();
    await new Promise((resolve) => server.close(resolve));
    await folder.remove();
  });

  function watchedManager(): ServerManager {
    const values: Record<string, string> = { LURE: program, URL: `${origin}/mcp`, PATH: process.env['PATH'] ?? '' };
    const touch = (what: string | symbol): void => void touched.add(`env ${String(what)}`);
    const env = new Proxy(values, {
      get: (target, name) => (touch(name), Reflect.get(target, name) as unknown),
      has: (target, name) => (touch(name), Reflect.has(target, name)),
      getOwnPropertyDescriptor: (target, name) => (touch(name), Reflect.getOwnPropertyDescriptor(target, name)),
      ownKeys: (target) => (touch('all'), Reflect.ownKeys(target)),
    });
    const lend = (what: string): Promise<string> => {
      touched.add(what);
      return Promise.resolve(program);
    };
    return createManager({
      clock,
      circumstances: { workspaceTrusted: false, mayReach: () => true },
      launchContext: () => {
        touched.add('launch');
        const personalValues = { input: () => lend('input'), secret: () => lend('secret') };
        return Promise.resolve({ home: folder.path, workspaceFolder: scope.folder, env, personalValues });
      },
      environment: () => Promise.resolve({ base: process.env, inherit: [] }),
      prompt: {
        ask: (requests) =>
          Promise.resolve(new Map(answer(requests).map(([{ fingerprint }, said]) => [fingerprint, said]))),
      },
      // As if all of it had been approved, and run, in an earlier window.
      approvals: {
        get: () => 'of another launch' as LaunchFingerprint,
        set: () => Promise.resolve(),
        delete: () => Promise.resolve(),
        keys: () => [],
      },
      kept: new (class extends KeptLists {
        override has(): boolean {
          return true;
        }
      })(),
      handlers: () => ({}),
      reload: () => Promise.resolve(),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
  }

  /** The file as a window reads it that was just opened. */
  async function read(bytes: Uint8Array | string): Promise<ConfigFile> {
    const file = projectConfigFile(scope.folder);
    await writeFile(file, bytes);
    const store = new ConfigStore({ file, scope, clock });
    try {
      return await store.reload();
    } finally {
      store.dispose();
    }
  }

  /** Nobody is asked before it is known what would run. */
  async function looked(): Promise<void> {
    await eventually(() => manager.view().servers.every(({ state }) => state.kind !== 'stopped'));
  }

  /** Nothing ran, nothing was reached: told by the file system, the socket and the process table. */
  async function assertNothingHappened(): Promise<void> {
    assert.deepEqual((await readdir(folder.path)).sort(), ['work']);
    assert.deepEqual((await readdir(scope.folder)).sort(), ['.roundhouse', 'program']);
    assert.equal(connections, 0);
    const children = hasProcessTable ? childrenOf(process.pid).map(({ command }) => command.join(' ')) : [];
    assert.deepEqual(
      children.filter((command) => command.includes(folder.path)),
      [],
    );
  }

  /** Every way that leads to a start. */
  const ways: readonly ((key: ServerKey) => Promise<unknown>)[] = [
    (key) => manager.use(key),
    (key) => manager.start(key),
    (key) => manager.restart(key),
    (key) => manager.refresh(key),
    (key) => manager.launch(key),
  ];

  function assertReason(problem: { readonly code: ErrorCode; readonly data: Readonly<Record<string, unknown>> }): void {
    assert.ok(sentencesOf(problem.code, problem.data).every((text) => text !== ''));
    assert.notEqual(remedyOf(problem.code, problem.data), '');
  }

  it('of any kind starts, reaches and expands nothing before trust, and says why (10,000 files) [TRUST-1a, TRUST-1b, TRUST-1c, CFG-11g]', async () => {
    const counts = { refused: 0, blocked: 0, disabled: 0 };
    const property = fc.asyncProperty(
      hostileBytes({ program, origin }),
      fc.nat(ways.length - 1),
      async (bytes, way) => {
        const file = await read(bytes);
        manager.apply({ files: [file] });
        const { servers, problems } = manager.view();
        if (file.problem === undefined) assert.deepEqual(problems, []);
        else assertReason(problems[0]!);
        counts.refused += problems.length;
        for (const { key, state } of servers) {
          assert.ok(state.kind === 'disabled' || (state.kind === 'blocked' && state.by === 'trust'), state.kind);
          if (state.kind === 'blocked') assertReason(state.problem);
          counts[state.kind] += 1;
          await assert.rejects(
            ways[way]!(key),
            (error) => error instanceof ManagerError && error.outcome === 'notSent',
          );
        }
        await manager.review();
        assert.deepEqual([...touched], [], 'was reached');
      },
    );
    await fc.assert(property, { seed, numRuns: 10_000 });
    await assertNothingHappened();
    assert.ok(counts.blocked > 3_000 && counts.refused > 3_000 && counts.disabled > 50, JSON.stringify(counts));
  });

  it('of any kind runs and reaches nothing and asks for nothing while nobody has approved it (2,000 files) [TRUST-2a, TRUST-4b, CFG-11h]', async () => {
    const counts = new Map<string, number>();
    let questions = 0;
    answer = (requests) => {
      questions += requests.length;
      return requests.filter((_, index) => index % 2 === 0).map((request) => [request, 'refuse']);
    };
    manager.setCircumstances({ workspaceTrusted: true, mayReach: () => true });
    const property = fc.asyncProperty(
      hostileBytes({ program, origin }),
      fc.nat(ways.length - 1),
      async (bytes, way) => {
        manager.apply({ files: [await read(bytes)] });
        await looked();
        await manager.review();
        for (const { key } of manager.view().servers) await assert.rejects(ways[way]!(key), ManagerError);
        for (const { state } of manager.view().servers) {
          const kind = state.kind === 'blocked' ? `blocked ${state.by}` : state.kind;
          assert.ok(kind === 'disabled' || 'problem' in state, kind);
          if ('problem' in state) assertReason(state.problem);
          counts.set(kind, (counts.get(kind) ?? 0) + 1);
        }
      },
    );
    await fc.assert(property, { seed, numRuns: 2_000 });
    await assertNothingHappened();
    assert.deepEqual([touched.has('input'), touched.has('secret')], [false, false]);
    assert.ok(touched.has('launch'));
    const asked = (counts.get('blocked approval') ?? 0) + (counts.get('blocked refused') ?? 0);
    assert.ok(asked > 250 && questions > 250, JSON.stringify([questions, ...counts]));
  });

  it('does run, reach and expand once it is trusted and approved, so that the tests above see something [TRUST-1d]', async () => {
    const entries = {
      runs: { command: program, args: ['${env:LURE}', '${secret:s}'] },
      asks: { url: `${origin}/mcp` },
    };
    answer = (requests) => requests.map((request) => [request, 'once']);
    manager.apply({ files: [await read(JSON.stringify({ version: 3, mcpServers: entries }))] });
    manager.setCircumstances({ workspaceTrusted: true, mayReach: () => true });
    await looked();
    await manager.review();
    await eventually(async () => connections > 0 && (await readdir(folder.path)).includes(ran));
    assert.ok(
      ['env LURE', 'secret', 'launch'].every((what) => touched.has(what)),
      [...touched].join(),
    );
  });
});
