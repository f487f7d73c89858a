// What becomes of a connection that ended by itself (KEEP-3), over time that the test moves.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ErrorCode } from '../../../../src/contract/errorCodes.ts';
import type { ConnectionSteps } from '../../../../src/core/connection/serverConnection.ts';
import type { Problem } from '../../../../src/core/connection/state.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { connectionWorld, launch, turns } from '../../../support/connectionWorld.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const crash: Problem = { code: 'processExited', data: { server: 'a', exit: 'code 9' }, stderr: ['out of memory'] };

describe('a connection that ended by itself', () => {
  let clock: ManualClock;
  let world: ReturnType<typeof connectionWorld>;
  beforeEach(() => makeWorld());

  function makeWorld(overrides: Partial<ConnectionSteps> = {}): void {
    clock = new ManualClock(1_000_000);
    world = connectionWorld(overrides, clock);
  }

  /** The n-th opening ends as a live client. */
  async function live(n: number) {
    await turns();
    assert.equal(world.opened, n);
    const client = world.answer();
    await turns();
    return client;
  }

  async function started() {
    world.connection.connect().catch(() => undefined);
    return live(1);
  }

  function waiting(): readonly [number, number, string] {
    const { state } = world.connection;
    assert.equal(state.kind, 'backingOff');
    return [state.attempt, state.nextAttemptAt - clock.now(), state.problem.code];
  }

  it('tells when the next start comes and why, starts then, and not before', async () => {
    const client = await started();
    client.end(crash);
    assert.deepEqual(world.connection.state, {
      kind: 'backingOff',
      nextAttemptAt: clock.now() + 5_000,
      attempt: 1,
      problem: crash,
    });
    clock.advance(4_999);
    await turns();
    assert.equal(world.opened, 1);
    clock.advance(1);
    await live(2);
    assert.equal(world.connection.state.kind, 'ready');
  });

  it('waits where a server that forgot the session cannot be reached just then, as one does that starts again', async () => {
    const client = await started();
    client.end({ code: 'sessionLost', data: { server: 'a' } });
    await turns();
    world.refuse(new ManagerError('networkFailed', { server: 'a' }));
    await turns();
    assert.deepEqual(waiting(), [1, 5_000, 'networkFailed']);
    clock.advance(5_000);
    await live(3);
    assert.equal(world.connection.state.kind, 'ready');
  });

  it('is started five times, further and further apart, then no more, and says how often and why', async () => {
    let client = await started();
    const waits: number[] = [];
    for (let n = 2; n <= 6; n += 1) {
      client.end(crash);
      const [attempt, wait] = waiting();
      assert.equal(attempt, n - 1);
      waits.push(wait);
      clock.advance(wait);
      client = await live(n);
    }
    assert.deepEqual(waits, [5_000, 10_000, 20_000, 30_000, 30_000]);
    client.end(crash);
    const problem = {
      code: 'crashLoop',
      data: { server: 'a', exit: 'code 9', restarts: 5, because: 'processExited' },
      stderr: ['out of memory'],
    };
    assert.deepEqual(world.connection.state, { kind: 'failed', problem });
    assert.equal(clock.pending, 0);
    await assert.rejects(world.connection.connect(), { ...problem, outcome: 'notSent' });
    assert.equal(world.opened, 6);
  });

  it('counts a restart that fails as one of the tries', async () => {
    const client = await started();
    client.end(crash);
    for (const [n, wait] of [5_000, 10_000, 20_000, 30_000, 30_000].entries()) {
      assert.equal(waiting()[1], wait);
      clock.advance(wait);
      await turns();
      assert.equal(world.opened, n + 2);
      world.refuse(new ManagerError('exitedAtStart', { server: 'a', exit: 'code 3' }, { stderr: ['no port'] }));
      await turns();
    }
    const { state } = world.connection;
    assert.deepEqual(
      [state.kind, 'problem' in state && state.problem.data['because'], 'problem' in state && state.problem.stderr],
      ['failed', 'exitedAtStart', ['no port']],
    );
    assert.equal(world.opened, 6);
  });

  it('forgets its ends once it lived for five minutes, and not a moment before', async () => {
    let client = await started();
    client.end(crash);
    clock.advance(5_000);
    client = await live(2);
    clock.advance(299_999);
    client.end(crash);
    assert.deepEqual(waiting(), [2, 10_000, 'processExited']);
    clock.advance(10_000);
    client = await live(3);
    clock.advance(300_000);
    client.end(crash);
    assert.deepEqual(waiting(), [1, 5_000, 'processExited']);
  });

  it('is started at once by the first use after its first end, which is its first try', async () => {
    let client = await started();
    client.end(crash);
    const [one, other] = [world.connection.connect(), world.connection.connect()];
    client = await live(2);
    assert.deepEqual([(await one).client, (await other).client, clock.pending], [client, client, 0]);
    client.end(crash);
    assert.deepEqual(waiting(), [2, 10_000, 'processExited']);
  });

  it('refuses each later use at once, with the time that is left, and starts nothing for it', async () => {
    let client = await started();
    client.end(crash);
    clock.advance(5_000);
    client = await live(2);
    client.end(crash);
    clock.advance(3_100);
    for (let use = 0; use < 20; use += 1) {
      const refusal = await Promise.race([world.connection.connect().catch((error: unknown) => error), turns()]);
      assert.equal(refusal instanceof ManagerError, true, 'it waits');
      const { code, data, outcome } = refusal as ManagerError;
      const told = { server: 'a', exit: 'code 9', wait: 7, because: 'processExited' };
      assert.deepEqual([code, data, outcome], ['restartPending', told, 'notSent']);
    }
    assert.equal(world.opened, 2);
    clock.advance(6_900);
    const using = world.connection.connect();
    client = await live(3);
    assert.equal((await using).client, client);
  });

  it('starts at once for a person, however often it ended, and from then on counts anew', async () => {
    let client = await started();
    for (let n = 2; n <= 3; n += 1) {
      client.end(crash);
      clock.advance(waiting()[1]);
      client = await live(n);
    }
    client.end(crash);
    assert.equal(waiting()[0], 3);
    const asked = world.connection.connect({ anew: true });
    client = await live(4);
    await asked;
    assert.equal(clock.pending, 0);
    client.end(crash);
    assert.deepEqual(waiting(), [1, 5_000, 'processExited']);
  });

  it('starts for a person after it was given up, and a start of theirs that fails is just that', async () => {
    let client = await started();
    for (let n = 2; n <= 6; n += 1) {
      client.end(crash);
      clock.advance(waiting()[1]);
      client = await live(n);
    }
    client.end(crash);
    const asked = world.connection.connect({ anew: true });
    await world.opening(7);
    world.refuse(new ManagerError('exitedAtStart', { server: 'a' }));
    await assert.rejects(asked, { code: 'exitedAtStart' });
    assert.deepEqual([world.connection.state.kind, clock.pending], ['failed', 0]);
  });

  it('takes a restart under way for the person’s own as soon as they ask for it', async () => {
    const client = await started();
    client.end(crash);
    clock.advance(5_000);
    await world.opening(2);
    const asked = world.connection.connect({ anew: true });
    world.refuse(new ManagerError('exitedAtStart', { server: 'a' }));
    await assert.rejects(asked, { code: 'exitedAtStart' });
    assert.deepEqual([world.connection.state.kind, world.opened, clock.pending], ['failed', 2, 0]);
  });

  it('stays stopped when it is stopped while it waits, and starts afresh then', async () => {
    let client = await started();
    client.end(crash);
    assert.equal(world.connection.active, true);
    await world.connection.disconnect();
    assert.deepEqual([world.connection.state.kind, world.connection.active, clock.pending], ['stopped', false, 0]);
    clock.advance(60_000);
    await turns();
    assert.equal(world.opened, 1);
    world.connection.connect().catch(() => undefined);
    client = await live(2);
    client.end(crash);
    assert.deepEqual(waiting(), [1, 5_000, 'processExited']);
  });

  it('is not started again after a first start that failed, nor after an end of our own', async () => {
    const first = world.connection.connect();
    await world.opening(1);
    world.refuse(new ManagerError('exitedAtStart', { server: 'a' }));
    await assert.rejects(first, { code: 'exitedAtStart' });
    assert.deepEqual([world.connection.state.kind, clock.pending], ['failed', 0]);
    world.connection.connect().catch(() => undefined);
    await live(2);
    await world.connection.disconnect();
    assert.deepEqual([world.connection.state.kind, clock.pending], ['stopped', 0]);
  });

  const healsNot: readonly (readonly [ErrorCode, string])[] = [
    ['blockedTrust', 'blocked'],
    ['blockedApproval', 'blocked'],
    ['blockedInput', 'blocked'],
    ['signInNeeded', 'signInNeeded'],
    ['serverDisabled', 'disabled'],
    ['commandNotFound', 'failed'],
    ['workingDirectoryMissing', 'failed'],
    ['spawnFailed', 'failed'],
  ];
  for (const [code, kind] of healsNot) {
    it(`is tried no more where time heals nothing: ${code}`, async () => {
      const client = await started();
      client.end(crash);
      clock.advance(5_000);
      await world.opening(2);
      world.refuse(new ManagerError(code, { server: 'a' }));
      await turns();
      const { state } = world.connection;
      assert.deepEqual([state.kind, 'problem' in state ? state.problem.code : code, clock.pending], [kind, code, 0]);
    });
  }

  it('decides anew before each restart, and asks nobody unless somebody waits for it', async () => {
    const decided: boolean[] = [];
    makeWorld({
      prepare: (_signal, isWanted) => {
        decided.push(isWanted());
        return Promise.resolve(launch);
      },
    });
    const client = await started();
    client.end(crash);
    clock.advance(5_000);
    await live(2);
    assert.deepEqual(decided, [true, false]);
  });

  it('starts again only when nothing is left of what ended, however long that takes', async () => {
    const client = await started();
    client.holdClose();
    client.end(crash);
    clock.advance(5_000);
    await turns();
    assert.deepEqual([world.connection.state.kind, world.opened], ['connecting', 1]);
    client.releaseClose();
    await live(2);
    assert.equal(world.connection.state.kind, 'ready');
  });

  it('says that what it held is lost, with its last lines, until it is stopped', async () => {
    const client = await started();
    assert.equal(world.connection.lostState, undefined);
    client.end(crash);
    assert.equal(world.connection.lostState, undefined, 'it is not back yet');
    clock.advance(5_000);
    await live(2);
    assert.deepEqual(world.connection.lostState, {
      code: 'stateLost',
      data: { server: 'a' },
      stderr: ['out of memory'],
    });
    await world.connection.disconnect();
    world.connection.connect().catch(() => undefined);
    await live(3);
    assert.equal(world.connection.lostState, undefined);
  });

  it('still gets a new session at once after a restart where the server forgot it', async () => {
    let client = await started();
    client.end({ code: 'connectionClosed', data: { server: 'a' } });
    clock.advance(5_000);
    client = await live(2);
    client.end({ code: 'sessionLost', data: { server: 'a' } });
    await live(3);
    assert.equal(world.connection.lostState?.code, 'sessionLost');
  });
});
