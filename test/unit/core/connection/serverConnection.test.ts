import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../../src/base/deferred.ts';
import type { LiveClient } from '../../../../src/core/connection/liveClient.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { connectionWorld, turns } from '../../../support/connectionWorld.ts';

describe('ServerConnection', () => {
  it('shares one attempt among concurrent callers', async () => {
    const world = connectionWorld();
    const first = world.connection.connect();
    const second = world.connection.connect();
    await world.opening(1);
    world.answer();
    assert.equal((await first).client, (await second).client);
    assert.equal(world.opened, 1);
    assert.equal(world.connection.state.kind, 'ready');
  });

  it("ends only the waiting of the caller who aborts, not the others'", async () => {
    const world = connectionWorld();
    const impatient = new AbortController();
    const first = world.connection.connect({ signal: impatient.signal });
    const second = world.connection.connect();
    await world.opening(1);
    impatient.abort();
    await assert.rejects(first, { code: 'cancelled' });
    world.answer();
    await second;
    assert.equal(world.opened, 1);
  });

  it('lets any number of callers wait without a warning about listeners', async () => {
    const world = connectionWorld();
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    try {
      const waiting = Array.from({ length: 50 }, () =>
        world.connection.connect({ signal: new AbortController().signal }),
      );
      await world.opening(1);
      world.answer();
      assert.equal(new Set((await Promise.all(waiting)).map(({ client }) => client)).size, 1);
      await turns();
    } finally {
      process.off('warning', note);
    }
    assert.deepEqual(warnings, []);
  });

  it('wakes every caller at once when it is disconnected, even while the opening hangs', async () => {
    const world = connectionWorld();
    const waiting = world.connection.connect();
    await world.opening(1);
    const gone = world.connection.disconnect();
    await assert.rejects(waiting, { code: 'cancelled' });
    assert.equal(world.connection.state.kind, 'stopped');
    world.refuse(new ManagerError('cancelled'));
    await gone;
  });

  it('closes the client of a late handshake and keeps its state', async () => {
    const world = connectionWorld();
    world.connection.connect().catch(() => undefined);
    await world.opening(1);
    const gone = world.connection.disconnect();
    const late = world.answer();
    await gone;
    assert.equal(late.closed, 1);
    assert.equal(world.connection.state.kind, 'stopped');
    assert.equal(world.connection.live, undefined);
  });

  it('starts the next attempt only after the last client is gone', async () => {
    const world = connectionWorld();
    const first = world.connection.connect();
    await world.opening(1);
    const client = world.answer();
    await first;
    client.holdClose();
    const gone = world.connection.disconnect();
    const again = world.connection.connect();
    await turns();
    assert.equal(world.opened, 1, 'the second process must wait for the end of the first');
    client.releaseClose();
    await gone;
    await world.opening(2);
    world.answer();
    assert.notEqual((await again).client, client);
  });

  it('gives every life a larger generation', async () => {
    const world = connectionWorld();
    const first = world.connection.connect();
    await world.opening(1);
    world.answer();
    const { generation } = await first;
    await world.connection.disconnect();
    const second = world.connection.connect();
    await world.opening(2);
    world.answer();
    assert.ok((await second).generation > generation);
  });

  it('never repeats a generation, not even for a definition that was removed and came back [TOOL-2b]', async () => {
    const lives: number[] = [];
    for (const world of [connectionWorld(), connectionWorld()]) {
      const connecting = world.connection.connect();
      await world.opening(1);
      world.answer();
      lives.push((await connecting).generation);
    }
    assert.ok(lives[1]! > lives[0]!);
  });

  it('starts nothing for a caller that gave up before, and gives it no client', async () => {
    const world = connectionWorld();
    const signal = AbortSignal.abort();
    await assert.rejects(world.connection.connect({ signal }), { code: 'cancelled' });
    await turns();
    assert.deepEqual([world.opened, world.connection.state.kind], [0, 'stopped']);
    const connecting = world.connection.connect();
    await world.opening(1);
    world.answer();
    await connecting;
    await assert.rejects(world.connection.connect({ signal }), { code: 'cancelled' });
  });

  it('shows why it failed, and fails all who wait with that', async () => {
    const world = connectionWorld();
    const waiting = world.connection.connect();
    await world.opening(1);
    world.refuse(new ManagerError('exitedAtStart', { server: 'a', exit: 'code 3' }, { stderr: ['no such file'] }));
    await assert.rejects(waiting, { code: 'exitedAtStart' });
    assert.deepEqual(world.connection.state, {
      kind: 'failed',
      problem: { code: 'exitedAtStart', data: { server: 'a', exit: 'code 3' }, stderr: ['no such file'] },
    });
  });

  it('shows a refused launch as blocked and opens nothing', async () => {
    const world = connectionWorld({
      prepare: () => Promise.reject(new ManagerError('blockedApproval', { server: 'a' })),
    });
    await assert.rejects(world.connection.connect(), { code: 'blockedApproval' });
    assert.equal(world.opened, 0);
    const { state } = world.connection;
    assert.equal(state.kind === 'blocked' && state.by, 'approval');
  });

  it('opens one new session when the server forgot the old one', async () => {
    const world = connectionWorld();
    const first = world.connection.connect();
    await world.opening(1);
    const client = world.answer();
    await first;
    client.end({ code: 'sessionLost', data: { server: 'a' } });
    const [a, b] = [world.connection.connect(), world.connection.connect()];
    await world.opening(2);
    world.answer();
    assert.equal((await a).client, (await b).client);
    assert.equal(world.opened, 2);
  });

  it('does not flood a server with sessions that it forgets at once, and tells that its state was lost', async () => {
    const world = connectionWorld();
    const first = world.connection.connect();
    await world.opening(1);
    const client = world.answer();
    await first;
    const lost = { code: 'sessionLost', data: { server: 'a' } } as const;
    client.end(lost);
    await world.opening(2);
    const second = world.answer();
    await world.connection.connect();
    assert.deepEqual(world.connection.lostState, lost);
    second.end(lost);
    await turns();
    assert.equal(world.opened, 2);
    assert.equal(world.connection.state.kind, 'failed');
  });

  it('shows that a sign-in is needed when that is what ended the connection, and does not come back by itself', async () => {
    const world = connectionWorld();
    const first = world.connection.connect();
    await world.opening(1);
    const client = world.answer();
    await first;
    client.end({ code: 'signInNeeded', data: { server: 'a' } });
    await turns();
    assert.equal(world.opened, 1);
    assert.deepEqual(world.connection.state, {
      kind: 'signInNeeded',
      problem: { code: 'signInNeeded', data: { server: 'a' } },
    });
  });

  it('starts again only when nothing is left of a client that ended by itself', async () => {
    const world = connectionWorld();
    const first = world.connection.connect();
    await world.opening(1);
    const client = world.answer();
    await first;
    client.holdClose();
    client.end({ code: 'processExited', data: { server: 'a', exit: 'code 1' } });
    const again = world.connection.connect();
    await turns();
    assert.deepEqual([client.closed, world.opened], [1, 1], 'its helpers may still run');
    client.releaseClose();
    await world.opening(2);
    world.answer();
    await again;
  });

  it('takes no news of an older life for news of the present one', async () => {
    const world = connectionWorld();
    const first = world.connection.connect();
    await world.opening(1);
    const client = world.answer();
    await first;
    await world.connection.disconnect();
    const second = world.connection.connect();
    await world.opening(2);
    const next = world.answer();
    await second;
    client.end({ code: 'processExited', data: { server: 'a', exit: 'code 1' } });
    assert.equal(world.connection.live?.client, next);
    assert.equal(world.connection.state.kind, 'ready');
  });

  it('shows an installation while it lasts, and none of an attempt that was given up', async () => {
    let tell: (detail: string) => void = () => undefined;
    const opened = deferred<LiveClient>();
    const world = connectionWorld({
      open: (_launch, _signal, onInstalling) => ((tell = onInstalling), opened.promise),
    });
    const waiting = world.connection.connect();
    await turns();
    tell('fetching a package');
    const { state } = world.connection;
    assert.deepEqual(state.kind === 'installing' && state.detail, 'fetching a package');
    const gone = world.connection.disconnect();
    tell('fetching another');
    assert.equal(world.connection.state.kind, 'stopped');
    opened.reject(new ManagerError('cancelled'));
    await assert.rejects(waiting, { code: 'cancelled' });
    await gone;
  });

  it('lets go of a start that waits for a person as soon as it is disconnected', async () => {
    const world = connectionWorld({ prepare: () => new Promise(() => undefined) });
    const waiting = world.connection.connect();
    await turns();
    await Promise.all([assert.rejects(waiting, { code: 'cancelled' }), world.connection.disconnect()]);
    assert.equal(world.opened, 0);
  });
});
