import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { deferred } from '../../../../src/base/deferred.ts';
import type { JsonObject } from '../../../../src/contract/json.ts';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { LiveClient } from '../../../../src/core/connection/liveClient.ts';
import type { Negotiated } from '../../../../src/core/connection/state.ts';
import { diagnose, type DiagnosisSteps, type StepOptions } from '../../../../src/core/diagnostics/diagnose.ts';
import type { Diagnosis, ListReport } from '../../../../src/core/diagnostics/diagnosis.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import type { Launch } from '../../../../src/core/transport/launch.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const id = 'srv' as ServerId;
const noItems: ListReport = { count: 0, issues: [], issueCount: 0 };

describe('diagnose', () => {
  it('says of every step of a healthy server that it works, and closes it', async () => {
    const world = makeWorld({ capabilities: { tools: {}, resources: {}, prompts: {} } });
    const diagnosis = await world.run();
    assert.deepEqual(verdicts(diagnosis), {
      definition: 'ok',
      target: 'ok',
      transport: 'ok',
      signIn: 'notNeeded',
      initialise: 'ok',
      tools: 'ok',
      resources: 'ok',
      resourceTemplates: 'ok',
      prompts: 'ok',
      call: 'notAsked',
    });
    assert.equal(diagnosis.healthy, true);
    assert.equal(world.closed, 1);
    assert.equal(world.clock.pending, 0);
  });

  it('shows what each step found out', async () => {
    const world = makeWorld({});
    const { checks } = await world.run({
      find: () => Promise.resolve({ executable: '/bin/srv' }),
      list: () => Promise.resolve({ ...noItems, count: 7 }),
      call: () => Promise.resolve({ tool: 'echo' }),
    });
    const facts = Object.fromEntries(checks.map((check) => [check.name, check.facts]));
    assert.deepEqual(facts['target'], { executable: '/bin/srv' });
    assert.deepEqual(facts['tools'], { count: 7 });
    assert.deepEqual(facts['call'], { tool: 'echo' });
    assert.equal(facts['initialise']?.['revision'], '2025-11-25');
  });

  it('places a failed connect at the step that its code tells, and reaches none behind it', async () => {
    const world = makeWorld({ launchKind: 'remote' });
    const diagnosis = await world.run({
      connect: () => Promise.reject(new ManagerError('signInNeeded', { server: id })),
    });
    const shown = verdicts(diagnosis);
    assert.equal(shown['transport'], 'ok');
    assert.equal(shown['signIn'], 'failed');
    assert.equal(shown['initialise'], 'notReached');
    assert.equal(shown['tools'], 'notReached');
    assert.equal(diagnosis.healthy, false);
    assert.equal(diagnosis.checks.length, 10);
  });

  for (const [launchKind, code] of [
    ['remote', 'connectTimeout'],
    ['remote', 'internal'],
    ['stdio', 'connectTimeout'],
    ['stdio', 'eraProbeSilent'],
  ] as const) {
    it(`says of no step of a ${launchKind} server that it works where ${code} shows nothing of it`, async () => {
      const world = makeWorld({ launchKind });
      const shown = verdicts(
        await world.run({ connect: () => Promise.reject(new ManagerError(code, { server: id })) }),
      );
      assert.deepEqual(
        [shown['target'], shown['transport'], shown['signIn'], shown['initialise']],
        ['ok', 'notAnswered', launchKind === 'remote' ? 'notAnswered' : 'notNeeded', 'failed'],
      );
    });
  }

  for (const code of ['protocolError', 'eraUnsupported', 'httpUnexpectedContent'] as const) {
    it(`takes the answer behind ${code} for evidence of transport and sign-in`, async () => {
      const world = makeWorld({ launchKind: 'remote' });
      const shown = verdicts(
        await world.run({ connect: () => Promise.reject(new ManagerError(code, { server: id })) }),
      );
      assert.deepEqual([shown['transport'], shown['signIn'], shown['initialise']], ['ok', 'ok', 'failed']);
    });
  }

  it('never takes back what it announced, wherever the failure belongs', async () => {
    const world = makeWorld({});
    const heard: string[] = [];
    const diagnosis = await world.run(
      { connect: () => Promise.reject(new ManagerError('commandNotFound', {})) },
      { onCheck: ({ name, verdict }) => heard.push(`${name} ${verdict}`) },
    );
    assert.deepEqual(
      heard,
      diagnosis.checks.map(({ name, verdict }) => `${name} ${verdict}`),
    );
    assert.equal(verdicts(diagnosis)['target'], 'ok');
    assert.equal(verdicts(diagnosis)['transport'], 'failed');
  });

  it('goes on with the other lists when one fails', async () => {
    const world = makeWorld({ capabilities: { tools: {}, prompts: {} } });
    const diagnosis = await world.run({
      list: (_, kind) =>
        kind === 'tools' ? Promise.reject(new ManagerError('protocolError', {})) : Promise.resolve(noItems),
    });
    assert.equal(verdicts(diagnosis)['tools'], 'failed');
    assert.equal(verdicts(diagnosis)['resources'], 'notOffered');
    assert.equal(verdicts(diagnosis)['prompts'], 'ok');
  });

  it('asks a modern server for nothing that it does not offer, and a legacy one for tools all the same', async () => {
    assert.equal(verdicts(await makeWorld({ era: 'modern' }).run())['tools'], 'notOffered');
    assert.equal(verdicts(await makeWorld({ era: 'legacy' }).run())['tools'], 'ok');
  });

  it('gives up after 30 s without a sign of life, and closes what was still opening', async () => {
    const world = makeWorld({});
    const running = world.run({ connect: hangingConnect(world) });
    await setImmediate();
    world.clock.advance(29_999);
    await setImmediate();
    assert.equal(world.aborted, 0);
    world.clock.advance(1);
    const failed = (await running).checks.find(({ verdict }) => verdict === 'failed');
    assert.equal(failed?.name, 'initialise');
    assert.equal(failed.problem?.code, 'testSilent');
    assert.equal(failed.problem.data['seconds'], 30);
    assert.equal(world.aborted, 1);
  });

  it('waits longer while there are signs of life, but 120 s at most', async () => {
    const world = makeWorld({});
    let alive: (() => void) | undefined;
    const running = world.run({
      connect: (launch, options) => {
        alive = options.alive;
        return hangingConnect(world)(launch, options);
      },
    });
    await setImmediate();
    for (let second = 0; second < 120; second += 7) {
      alive?.();
      world.clock.advance(7_000);
    }
    const failed = (await running).checks.find(({ verdict }) => verdict === 'failed');
    assert.equal(failed?.problem?.code, 'testTooLong');
    assert.equal(failed.problem.data['seconds'], 120);
  });

  it('lets a person take their time over a value or a question before anything runs', async () => {
    const world = makeWorld({});
    const typed = deferred<Launch>();
    const running = world.run({ resolve: () => typed.promise });
    await setImmediate();
    world.clock.advance(600_000);
    typed.resolve({ kind: 'stdio' } as Launch);
    assert.equal((await running).healthy, true);
  });

  it('names the list that was under way when its time was up', async () => {
    const world = makeWorld({});
    const running = world.run({ list: () => new Promise(() => undefined) });
    await setImmediate();
    world.clock.advance(30_000);
    const failed = (await running).checks.find(({ verdict }) => verdict === 'failed');
    assert.deepEqual([failed?.name, failed?.problem?.code], ['tools', 'testSilent']);
  });

  it('ends at once when it is cancelled, and then closes the client that comes late', async () => {
    const world = makeWorld({});
    const controller = new AbortController();
    let finish: (client: LiveClient) => void = () => assert.fail('connect was not reached');
    const running = world.run(
      { connect: () => new Promise((resolve) => (finish = resolve)) },
      { signal: controller.signal },
    );
    await setImmediate();
    controller.abort();
    finish(world.client);
    const diagnosis = await running;
    assert.equal(diagnosis.checks.find(({ verdict }) => verdict === 'failed')?.problem?.code, 'cancelled');
    assert.equal(world.closed, 1);
  });

  it('starts nothing when it was cancelled before', async () => {
    const world = makeWorld({});
    const diagnosis = await world.run({}, { signal: AbortSignal.abort() });
    assert.equal(verdicts(diagnosis)['definition'], 'failed');
    assert.equal(world.resolved, 0);
    assert.equal(world.opened, 0);
  });
});

interface World {
  readonly clock: ManualClock;
  readonly client: LiveClient;
  resolved: number;
  opened: number;
  closed: number;
  aborted: number;
  run(
    steps?: Partial<DiagnosisSteps>,
    options?: { signal?: AbortSignal; onCheck?: Parameters<typeof diagnose>[2]['onCheck'] },
  ): Promise<Diagnosis>;
}

function makeWorld(options: {
  capabilities?: JsonObject;
  era?: Negotiated['era'];
  launchKind?: Launch['kind'];
}): World {
  const clock = new ManualClock();
  const revision = options.era === 'modern' ? '2026-07-28' : '2025-11-25';
  const world: World = {
    clock,
    resolved: 0,
    opened: 0,
    closed: 0,
    aborted: 0,
    client: {
      negotiated: { era: options.era ?? 'legacy', revision, transport: 'stdio', pid: 1 },
      capabilities: options.capabilities ?? {},
      close: () => {
        world.closed += 1;
        return Promise.resolve();
      },
    } as unknown as LiveClient, // Only what a diagnosis itself touches.
    run: ({ ...steps } = {}, { signal, onCheck } = {}) =>
      diagnose(
        id,
        {
          resolve: () => {
            world.resolved += 1;
            return Promise.resolve({ kind: options.launchKind ?? 'stdio' } as Launch);
          },
          find: () => Promise.resolve({}),
          connect: () => {
            world.opened += 1;
            return Promise.resolve(world.client);
          },
          list: () => Promise.resolve(noItems),
          ...steps,
        },
        { clock, signal, ...(onCheck === undefined ? {} : { onCheck }) },
      ),
  };
  return world;
}

function hangingConnect(world: World) {
  return (_: Launch, { signal }: StepOptions): Promise<LiveClient> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        world.aborted += 1;
        reject(new ManagerError('cancelled'));
      });
    });
}

function verdicts({ checks }: Diagnosis): Record<string, string> {
  return Object.fromEntries(checks.map(({ name, verdict, skipped }) => [name, skipped ?? verdict]));
}
