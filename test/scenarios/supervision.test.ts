// Servers that end by themselves, or answer no more, under a manager with real processes (KEEP-3). What only waits is
// skipped; what processes do takes its time.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ConnectionState } from '../../src/core/connection/state.ts';
import type { ManagerError } from '../../src/core/errors.ts';
import { serverRow } from '../../src/vscode/views/serverRow.ts';
import { english } from '../../src/vscode/translate.ts';
import { eventually } from '../support/eventually.ts';
import { type FixtureLog, fixtureCommand, fixtureLog, startHttpFixture } from '../support/fixtureServer.ts';
import { settled } from '../support/settled.ts';
import { stillThere } from '../support/processTable.ts';
import { openServerWindow, type ServerWindow, userFileIn, writeServers } from '../support/serverWindow.ts';
import { SkippingClock } from '../support/skippingClock.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('servers that end by themselves', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let log: FixtureLog;
  let clock: SkippingClock;
  let window: ServerWindow;

  beforeEach(async () => {
    folder = await temporaryFolder();
    log = fixtureLog();
    clock = new SkippingClock();
  });
  afterEach(async () => {
    await window.dispose();
    assert.deepEqual(stillThere(pids()), []);
    log.dispose();
    await folder.remove();
  });

  const pids = (): number[] => log.events('start').map(({ pid }) => pid);
  const starts = (): number => pids().length;
  const state = (): ConnectionState => window.manager.view().servers[0]!.state;

  async function open(entry: object): Promise<void> {
    await writeServers(userFileIn(folder.path), { a: entry });
    window = await openServerWindow(folder.path, { clock });
  }

  const fixture = (name: string, more: object = {}, overrides?: object): object => ({
    ...fixtureCommand(name, overrides as never, log),
    ...more,
  });

  /** Ends the process of the server as the system does when memory runs out. */
  async function kill(): Promise<Extract<ConnectionState, { kind: 'backingOff' }>> {
    process.kill(pids().at(-1)!, 'SIGKILL');
    return eventually(() => {
      const now = state();
      return now.kind === 'backingOff' && now;
    });
  }

  const isReady = (): boolean => window.manager.live(window.key('a')) !== undefined;

  it('are started again after 5 s, which is told beforehand, and by then no sooner [KEEP-3a, CONN-11c]', async () => {
    await open(fixture('small-legacy'));
    await window.call('a', 'echo', { text: 'x' });
    const { attempt, nextAttemptAt, problem } = await kill();
    const wait = nextAttemptAt - clock.now();
    assert.equal(wait, 5_000);
    assert.deepEqual([attempt, problem.code, problem.data['signal']], [1, 'processExited', 'SIGKILL']);
    const row = serverRow(window.manager.view().servers[0], english, clock.now());
    assert.deepEqual([row.description, row.flags.split('+').includes('retry')], ['restarts in 5 s', true]);
    assert.equal(starts(), 1);
    clock.advance(wait);
    await eventually(isReady);
    assert.equal(starts(), 2);
    assert.deepEqual(
      window.manager.view().servers[0]!.warnings.map(({ code }) => code),
      ['stateLost'],
    );
    await window.manager.restart(window.key('a'));
    assert.deepEqual(window.manager.view().servers[0]!.warnings, []);
  });

  it('are started at once for the first call that needs them, and not for the next ones, which say when [KEEP-3a]', async () => {
    await open(fixture('small-legacy'));
    await window.call('a', 'echo', { text: 'x' });
    await kill();
    const calls = await Promise.all([1, 2, 3].map(() => window.call('a', 'echo', { text: 'again' })));
    assert.equal(calls.length, 3);
    assert.equal(starts(), 2);
    await kill();
    for (let call = 0; call < 5; call += 1) {
      const error = await window
        .call('a', 'echo', { text: 'too soon' })
        .catch((reason: unknown) => reason as ManagerError);
      const { code, outcome, data } = error as ManagerError;
      assert.deepEqual([code, outcome, data['wait']], ['restartPending', 'notSent', 10]);
    }
    assert.equal(starts(), 2);
    await window.manager.start(window.key('a'));
    assert.equal(starts(), 3, 'a person does not wait');
  });

  it('are started five times, further apart each time, then given up with their last lines until a person starts them [KEEP-3b]', async () => {
    await open(fixture('exit-after-initialize'));
    await window.manager.start(window.key('a')).catch(() => undefined);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const waiting = await eventually(() => {
        const now = state();
        return now.kind === 'backingOff' && now.attempt === attempt && now;
      });
      const wait = waiting.nextAttemptAt - clock.now();
      waits.push(wait / 1_000);
      clock.advance(wait);
    }
    assert.deepEqual(waits, [5, 10, 20, 30, 30]);
    const failed = await eventually(() => {
      const now = state();
      return now.kind === 'failed' && now;
    });
    const { code, data, stderr } = failed.problem;
    assert.deepEqual([code, data['restarts'], data['because'], stderr], ['crashLoop', 5, 'processExited', ['bye']]);
    await assert.rejects(window.call('a', 'echo'), { code: 'crashLoop', outcome: 'notSent' });
    clock.advance(600_000);
    assert.equal(starts(), 6);
    const { flags } = serverRow(window.manager.view().servers[0], english);
    assert.equal(flags.split('+').includes('retry'), true, 'the button');
    await window.manager.start(window.key('a')).catch(() => undefined);
    await eventually(() => state().kind === 'backingOff');
    assert.equal(starts(), 7);
  });

  it('begin to count anew after five minutes without an end [KEEP-3c]', async () => {
    await open(fixture('small-legacy'));
    await window.call('a', 'echo', { text: 'x' });
    clock.advance((await kill()).nextAttemptAt - clock.now());
    await eventually(isReady);
    assert.equal((await kill()).attempt, 2);
    clock.advance(10_000);
    await eventually(isReady);
    for (let part = 0; part < 11; part += 1) {
      clock.advance(28_000);
      await window.call('a', 'echo', { text: 'still there' });
    }
    assert.equal((await kill()).attempt, 1);
  });

  it('leave nothing running when they start again, not even a helper that heeds no signal [KEEP-3d]', async () => {
    const { command, args } = fixtureCommand('grandchild-ignores-sigterm', undefined, log);
    const [helper, found] = [join(folder.path, 'helper'), join(folder.path, 'found')];
    // The next process itself looks, before it does anything, whether the helper of the last one is there.
    const alive = `grep -qs '^State:[[:space:]]*[RSDTtI]' "/proc/$(cat '${helper}')/status"`;
    const look = `if [ -f '${helper}' ] && ${alive}; then echo yes >'${found}'; fi; exec "$@"`;
    await open({ command: '/bin/sh', args: ['-c', look, 'sh', command, ...args] });
    await window.call('a', 'echo', { text: 'x' });
    const child = Number(log.events('grandchild')[0]!['child']);
    writeFileSync(helper, String(child));
    process.kill(pids()[0]!, 'SIGKILL');
    await eventually(() => state().kind === 'backingOff');
    await window.call('a', 'echo', { text: 'x' });
    assert.equal(starts(), 2);
    assert.deepEqual([existsSync(found), stillThere([child])], [false, []]);
  });

  it('fail the calls in flight at once, which are never sent again [KEEP-3e]', async () => {
    await open(fixture('basic-legacy'));
    await window.call('a', 'echo', { text: 'x' });
    const hanging = window.call('a', 'hang').catch((error: unknown) => error as ManagerError);
    await eventually(() => log.runs('hang') === 1);
    await kill();
    const error = await hanging;
    const { code, outcome } = error as ManagerError;
    assert.deepEqual([code, outcome], ['processExited', 'unknown']);
    clock.advance(5_000);
    await eventually(isReady);
    await window.call('a', 'echo', { text: 'x' });
    assert.equal(log.runs('hang'), 1);
  });

  for (const [name, protocol, asked, processes] of [
    ['small-legacy', 'legacy', 'ping', 1],
    // It is asked for its protocol in a process of its own first.
    ['small-modern', '2026-07-28', 'server/discover', 2],
  ] as const) {
    it(`are found when they hang, unless they are busy, and are started again: ${protocol} [KEEP-3g]`, async () => {
      await open(fixture(name, { protocol }));
      await window.call('a', 'echo', { text: 'x' });
      const before = log.asked(asked);
      clock.advance(30_000);
      await eventually(() => log.asked(asked) === before + 1);
      await window.call('a', 'echo', { text: 'behind its answer' });
      const { pid } = log.events('start').at(-1)!;
      process.kill(pid, 'SIGSTOP');
      const begun = starts();
      for (let miss = 1; miss <= 3; miss += 1) {
        assert.equal(state().kind, 'ready', `after ${miss - 1} misses`);
        clock.advance(30_000);
        clock.advance(5_000);
        await settled();
      }
      const waiting = await eventually(() => {
        const now = state();
        return now.kind === 'backingOff' && now;
      });
      assert.equal(waiting.problem.code, 'notResponding');
      clock.advance(5_000);
      await eventually(isReady);
      assert.deepEqual([starts(), stillThere([pid])], [begun + processes, []]);
    });
  }

  it('are left alone while a call keeps them busy, however long [KEEP-3g]', async () => {
    await open(fixture('basic-legacy'));
    const gate = log.gate();
    const calling = window.call('a', 'slow', gate.args);
    await eventually(() => log.runs('slow') === 1);
    for (let period = 0; period < 10; period += 1) clock.advance(35_000);
    assert.deepEqual([log.asked('ping'), state().kind], [0, 'ready']);
    gate.open();
    assert.ok((await calling)['content']);
    assert.equal(starts(), 1);
  });

  it('are no servers that only print what is no message [KEEP-3h]', async () => {
    await open(fixture('noise-legacy'));
    for (let call = 0; call < 3; call += 1) await window.call('a', 'echo', { text: 'x' });
    clock.advance(30_000);
    await eventually(() => log.asked('ping') === 1);
    await window.call('a', 'echo', { text: 'x' });
    assert.equal(window.manager.view().servers[0]!.noiseCount > 6, true);
    assert.deepEqual([state().kind, starts()], ['ready', 1]);
  });

  it('end their waiting when they are stopped, changed, turned off or removed, and with their window', async () => {
    const entry = (more: object = {}): object => fixture('small-legacy', more);
    await open(entry());
    const { manager, reload, key } = window;
    const write = (servers: object) => writeServers(userFileIn(folder.path), servers);
    const ends: readonly (readonly [string, () => Promise<void>, number])[] = [
      ['stop', () => manager.stop(key('a')), 0],
      ['change', async () => (await write({ a: entry({ env: { X: '1' } }) }), reload()), 1],
      ['turn off', async () => (await write({ a: entry({ env: { X: '1' }, enabled: false }) }), reload()), 0],
      ['remove', async () => (await write({}), reload()), 0],
    ];
    for (const [what, end, begins] of ends) {
      await write({ a: entry(what === 'turn off' ? { env: { X: '1' } } : {}) });
      await reload();
      await manager.start(key('a'));
      await kill();
      const before = starts();
      await end();
      clock.advance(60_000);
      if (begins > 0) await eventually(isReady);
      assert.equal(starts() - before, begins, what);
    }
  });

  it('over HTTP are watched in the older era too', async () => {
    const remote = await startHttpFixture('http-json', { era: 'legacy' });
    try {
      await open({ url: remote.url, transport: 'streamable-http', protocol: 'legacy' });
      await window.call('a', 'echo', { text: 'x' });
      clock.advance(30_000);
      await eventually(() => remote.log.asked('ping') === 1);
    } finally {
      await remote.stop();
    }
    await eventually(() => {
      if (state().kind === 'ready') clock.advance(30_000);
      return state().kind === 'backingOff';
    });
  });
});
