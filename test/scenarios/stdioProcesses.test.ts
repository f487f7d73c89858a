import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { Clock } from '../../src/base/clock.ts';
import { limits } from '../../src/core/limits.ts';
import { CannotLook, type ProcessTable } from '../../src/core/transport/processTable.ts';
import { describeExit } from '../../src/core/transport/processExit.ts';
import { systemProcessTable } from '../../src/core/transport/systemProcessTable.ts';
import { fixtureCommand, fixtureLog, type FixtureLog } from '../support/fixtureServer.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manualClock.ts';
import { patience } from '../support/patience.ts';
import { hasProcessTable, ownZombies, processesWithEnvironment, stillThere } from '../support/processTable.ts';
import { inlineServer, RawStdio } from '../support/rawStdio.ts';
import { slowClock } from '../support/slowClock.ts';

const logs: FixtureLog[] = [];
const rounds = 20;

interface Life {
  readonly server: RawStdio;
  readonly left: readonly unknown[];
}

/** One life of a fixture: opened, its helpers waited for, closed. Answers what was left. */
async function life(name: string, options: { helpers?: number; marked?: boolean; clock?: Clock } = {}): Promise<Life> {
  const { helpers = 0, marked = true, clock } = options;
  const log = fixtureLog();
  logs.push(log);
  const run = randomUUID();
  const server = new RawStdio(fixtureCommand(name, undefined, log), { env: { FIXTURE_RUN: run } }, clock && { clock });
  await server.start({ initialize: true });
  const started = await eventually(() => {
    const found = marked ? processesWithEnvironment('FIXTURE_RUN', run).map(({ pid }) => pid) : helperPids(log);
    return found.length >= helpers + (marked ? 1 : 0) && found;
  });
  await server.transport.close();
  return { server, left: stillThere([...started, ...helperPids(log)]) };
}

function helperPids(log: FixtureLog): number[] {
  return log.events('grandchild').map((event) => Number(event['child']));
}

/** Twenty lives, a few at a time; answers how each server itself ended. */
async function twenty(name: string, options: Parameters<typeof life>[1] = {}, atOnce = 5): Promise<string[]> {
  const exits: string[] = [];
  while (exits.length < rounds) {
    const lives: Life[] = await Promise.all(Array.from({ length: atOnce }, () => life(name, options)));
    for (const { server, left } of lives) {
      assert.deepEqual(left, []);
      exits.push(server.transport.exit === undefined ? 'unknown' : describeExit(server.transport.exit));
    }
  }
  await eventually(() => ownZombies().length === 0, patience, 'the collection of every child');
  return exits;
}

describe('The processes of a stdio server', () => {
  before(function () {
    if (!hasProcessTable) this.skip();
  });
  after(() => logs.forEach((log) => log.dispose()));

  it('end with it by themselves, 20 times over, where it behaves well [CONN-8a, CONN-8d]', async () => {
    const exits = await twenty('small-legacy', { clock: slowClock(100) });
    assert.deepEqual(
      exits,
      exits.map(() => 'code 0'),
    );
  });

  it('end though a grandchild ignores SIGTERM, 20 times over [CONN-8a, CONN-8c]', async () => {
    await twenty('grandchild-ignores-sigterm', { helpers: 1 });
  });

  it('end though a grandchild has left the group, 20 times over [CONN-8c]', async () => {
    await twenty('grandchild-own-group', { helpers: 1 });
  });

  it('end though only the environment mark leads to a grandchild [CONN-8c]', async () => {
    assert.deepEqual((await life('grandchild-orphan', { helpers: 1 })).left, []);
  });

  it('end though only descent leads to a grandchild [CONN-8c]', async () => {
    assert.deepEqual((await life('grandchild-scrubbed', { helpers: 1, marked: false })).left, []);
  });

  it('end by force where it and its helpers ignore everything [CONN-8a]', async () => {
    const { server, left } = await life('stubborn-with-grandchildren', { helpers: 2 });
    assert.deepEqual(left, []);
    assert.deepEqual(server.transport.exit, { code: null, signal: 'SIGKILL' });
  });

  it('end where there are helpers of each shape [CONN-8c]', async () => {
    assert.deepEqual((await life('grandchildren-many', { helpers: 5 })).left, []);
  });

  it('end at SIGTERM where it stays at the end of stdin [CONN-8a]', async () => {
    const { server, left } = await life('ignores-stdin-end', { clock: slowClock(10) });
    assert.deepEqual(left, []);
    assert.notEqual(server.transport.exit, undefined);
    assert.notEqual(server.transport.exit?.signal, 'SIGKILL');
  });

  it('end where it only ignores SIGTERM, without being killed [CONN-8a]', async () => {
    const { server } = await life('ignores-sigterm', { clock: slowClock(10) });
    assert.deepEqual(server.transport.exit, { code: 0, signal: null });
  });

  it('get the time that timeouts.stop says [CONN-8b]', async () => {
    // Only least times are asked for: a busy machine makes any of them longer.
    for (const stop of [undefined, 2_500] as const) {
      const launch = { timeouts: stop === undefined ? {} : { stop } };
      const server = await new RawStdio(fixtureCommand('stubborn'), launch).start({ initialize: true });
      const begin = performance.now();
      await server.transport.close();
      assert.deepEqual(server.transport.exit, { code: null, signal: 'SIGKILL' });
      const { toTerminate, toKill } = limits.stop;
      assert.ok(performance.now() - begin >= (stop ?? toTerminate + toKill) - 50);
    }
  });

  it('are told where the system hides them, and the connection ends even if the log is closed', async () => {
    const system = systemProcessTable();
    const hidden = (): never => {
      throw new CannotLook('hidden');
    };
    const processTable: ProcessTable = { ...system, list: hidden, alive: hidden, signal: () => Promise.resolve() };
    const told: string[] = [];
    const warn = (text: string): never => {
      told.push(text);
      throw new Error('Channel has been closed');
    };
    const log = { info: warn, warn, error: warn };
    const launch = { timeouts: { stop: 20 } };
    const closing = await new RawStdio(inlineServer('process.stdin.resume();'), launch, { processTable, log }).start();
    await closing.transport.close();
    const ending = await new RawStdio(inlineServer(''), launch, { processTable, log }).start();
    await ending.closed;
    await eventually(() => told.length === 2);
    await ending.transport.close();
    for (const { events, errors } of [closing, ending]) {
      assert.deepEqual([...events].sort(), ['close', 'exit']);
      assert.deepEqual(errors.map(String), ['Error: Channel has been closed']);
    }
  });

  it('end concurrently where many servers stop at once [CONN-8e]', async () => {
    const clock = new ManualClock();
    const servers = await Promise.all(
      Array.from({ length: 6 }, () =>
        new RawStdio(fixtureCommand('stubborn'), {}, { clock }).start({ initialize: true }),
      ),
    );
    const pids = servers.map((server) => server.transport.pid ?? 0);
    const begin = clock.now();
    const { toTerminate, toKill } = limits.stop;
    // What was killed has ended some time later, which on a busy machine is none of ours.
    const step = (): number => (clock.now() - begin < toTerminate + toKill ? 20 : 1);
    await clock.during(Promise.all(servers.map((server) => server.transport.close())), step);
    // One after the other they would need as long each, and more.
    assert.ok(clock.now() - begin < 2 * (toTerminate + toKill), `${clock.now() - begin} ms`);
    assert.deepEqual(stillThere(pids), []);
  });

  it('lead a process group and session of their own [CONN-7a]', async () => {
    const { pid, group, session } = await ownProcess();
    assert.deepEqual([group, session], [pid, pid]);
  });

  it('end though one forks itself and ends, again and again [CONN-8c]', async () => {
    // Each generation lives for some milliseconds; all belong to one group that has left the server's.
    const script = `
      require('node:child_process').spawn('sh', ['-c',
        'trap "" TERM; n=0; hop() { n=$((n+1)); sleep 0.02; if [ $n -lt 2000 ]; then hop & fi; }; hop'],
        { detached: true, stdio: 'ignore' }).unref();
      process.stdin.resume();
      answer(0);`;
    const run = randomUUID();
    const server = await new RawStdio(inlineServer(script), { env: { FIXTURE_RUN: run } }).start();
    await eventually(() => server.events.includes('message'));
    await server.transport.close();
    // One look may miss it, fifty do not.
    for (let look = 0; look < 50; look += 1) {
      assert.deepEqual(processesWithEnvironment('FIXTURE_RUN', run), []);
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it('are swept up when the server crashes, without anybody closing it [CONN-8c]', async () => {
    const run = randomUUID();
    const command = fixtureCommand('crashes', {
      process: {
        grandchildren: [
          { detached: true, orphan: true, ignoreSigterm: true },
          { ignoreSigterm: true, holdPipe: true },
        ],
      },
    });
    const server = new RawStdio(command, { env: { FIXTURE_RUN: run } });
    await server.start({ initialize: true });
    const living = (): number => processesWithEnvironment('FIXTURE_RUN', run).length;
    await eventually(() => living() === 3);
    void server.call('crash', { code: 9 }).catch(() => undefined);
    await server.closed;
    assert.deepEqual(server.transport.exit, { code: 9, signal: null });
    await eventually(() => living() === 0, patience, 'the end of the helpers');
    await server.transport.close();
    await eventually(() => ownZombies().length === 0, patience, 'the collection of every child');
  });

  it('never exist where it is closed before it was started', async () => {
    const run = randomUUID();
    const server = new RawStdio(fixtureCommand('small-legacy'), { env: { FIXTURE_RUN: run } });
    const starting = server.transport.start();
    await Promise.all([assert.rejects(starting, { code: 'cancelled' }), server.transport.close()]);
    assert.deepEqual(processesWithEnvironment('FIXTURE_RUN', run), []);
    assert.deepEqual(server.events, ['close']);
  });
});

async function ownProcess() {
  const server = await new RawStdio(fixtureCommand('small-legacy')).start({ initialize: true });
  const [found] = stillThere([server.transport.pid ?? 0]);
  await server.transport.close();
  return found!;
}
