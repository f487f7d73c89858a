import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../../src/base/deferred.ts';
import { KeptLists } from '../../../../src/core/discovery/keptLists.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { config, makeWorld, project, user } from '../../../support/managerWorld.ts';
import { ManualClock } from '../../../support/manualClock.ts';

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

  it('runs a server again that ran before two quick edits', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    await world.manager.start(project('b').key);
    world.manager.apply(config(project('b', { version: 2 })));
    world.manager.apply(config(project('b')));
    await world.until(() => world.states()['b'] === 'ready' && world.opened.length === 2);
    assert.equal(world.prompts.length, 1);
  });

  it('starts a server that was removed and came back only when the old one is gone, and waits for it at the end', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a')));
    await world.manager.use(user('a').key);
    world.holdClose();
    world.manager.apply(config());
    world.manager.apply(config(user('a')));
    const again = world.manager.use(user('a').key);
    await world.quiet();
    assert.deepEqual(world.opened, ['a'], 'two copies at once');
    world.manager.apply(config());
    let ended = false;
    const end = world.manager.dispose().then(() => (ended = true));
    await assert.rejects(again, { code: 'cancelled' });
    await world.quiet();
    assert.equal(ended, false, 'the old one still ends');
    world.releaseClose();
    await end;
    await assert.rejects(world.manager.use(user('a').key), { code: 'unknownServer' });
  });

  it('starts nothing that was removed while the person was asked about it', async () => {
    const world = makeWorld({
      approve: () => {
        world.manager.apply(config());
        world.manager.apply(config(project('b')));
        return true;
      },
    });
    world.manager.apply(config(project('b')));
    await world.manager.review();
    await world.quiet();
    await world.manager.dispose();
    assert.equal(world.opened.length, world.closed.length, 'what runs can be ended');
  });

  it('starts nothing after dispose', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a')));
    await world.manager.dispose();
    await assert.rejects(world.manager.start(user('a').key), { code: 'connectionClosed' });
    assert.deepEqual(world.opened, []);
  });

  it('does not start again what is disabled at the very moment when it connected', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a')));
    world.manager.onDidChange(() => {
      if (world.states()['a'] === 'ready') world.manager.apply(config(user('a', { enabled: false })));
    });
    await assert.rejects(world.manager.use(user('a').key), { code: 'serverDisabled' });
    assert.deepEqual(world.opened, ['a']);
  });

  it('forgets with a stop that a server was to run again', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    await world.manager.start(project('b').key);
    world.manager.apply(config(project('b', { version: 2 })));
    await world.quiet();
    await world.manager.stop(project('b').key);
    world.manager.apply(config(project('b')));
    await world.until(() => world.states()['b'] === 'stopped');
    await world.quiet();
    assert.deepEqual(world.opened, ['b']);
  });

  it('starts with its enabling what starts with the window, and nothing else', async () => {
    const world = makeWorld();
    const both = (enabled: boolean) =>
      config(user('a', { autostart: true, enabled }), user('b', { autostart: false, enabled }));
    world.manager.apply(both(true));
    await world.until(() => world.states()['a'] === 'ready');
    world.manager.apply(both(false));
    await world.until(() => world.closed.length === 1);
    world.manager.apply(both(true));
    await world.until(() => world.states()['a'] === 'ready');
    assert.deepEqual(world.opened, ['a', 'a']);
  });

  it('shows why a server that waits cannot even be identified', async () => {
    const world = makeWorld({ approve: () => true });
    world.onIdentify = () => Promise.reject(new ManagerError('commandNotFound', { server: 'b', command: 'x' }));
    world.manager.apply(config(project('b')));
    await world.until(() => world.states()['b'] === 'failed');
    await world.manager.review();
    assert.deepEqual(world.prompts, [], 'nobody can judge what is not known');
  });

  it('tells of a change and of a line for every definition that the connection stands for', async () => {
    const world = makeWorld({ approve: () => true });
    const two = { folder: '/two' };
    world.manager.apply(config(project('s'), project('s', two)));
    await world.manager.review([project('s').key]);
    await world.until(() => world.states()['s'] === 'ready');
    const changed = new Set<string>();
    world.manager.onDidChange((change) => change.kind === 'server' && changed.add(change.key));
    await world.manager.stop(project('s', two).key);
    assert.deepEqual(changed, new Set([project('s').key, project('s', two).key]));
  });

  it('hears no more of a connection that has ended', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a')));
    const { snapshot } = await world.manager.use(user('a').key);
    const { following } = world;
    await world.manager.stop(user('a').key);
    following.publish(snapshot);
    following.warn([{ code: 'listFailed', data: {} }]);
    const [view] = world.manager.view().servers;
    assert.equal(world.manager.live(user('a').key), undefined);
    assert.deepEqual([view?.snapshot, view?.warnings], [undefined, []]);
  });

  it("holds the person's policies over a project's definition of the same id", () => {
    const world = makeWorld();
    world.manager.apply(config(user('x', { toolPolicies: { drop: 'deny' } }), project('x')));
    const view = world.manager.view().servers.find(({ key }) => key === project('x').key);
    assert.deepEqual([view?.policies.personEntry, view?.policies.project], [{ drop: 'deny' }, {}]);
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

  it('keeps a log of what happened to a server, each line with its time', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a')));
    await world.manager.start(user('a').key);
    world.end('a', { code: 'processExited', data: { exit: 'code 3' } });
    await world.quiet();
    const lines = world.manager.log(user('a').key);
    for (const line of lines) assert.match(line, /^\d{4}-\d\d-\d\dT[\d:.]+Z \[roundhouse\] /);
    assert.deepEqual(
      lines.map((line) => line.split('] ')[1]),
      ['starting', 'ready: stdio, protocol 2025-11-25', 'backingOff: processExited, code 3'],
    );
  });

  describe('of a server that ended by itself', () => {
    const crash = { code: 'processExited', data: { server: 'b', exit: 'code 1' } } as const;
    const { key } = project('b');

    async function crashed(options: Parameters<typeof makeWorld>[0] = {}) {
      const clock = new ManualClock();
      const world = makeWorld({ approve: () => true, clock, ...options });
      world.manager.apply(config(project('b')));
      await world.manager.start(key);
      world.end('b', crash);
      assert.deepEqual(world.states(), { b: 'backingOff' });
      return { world, clock };
    }

    it('takes the trust decision anew before it starts it again, and starts nothing else than was approved', async () => {
      const { world, clock } = await crashed();
      world.onDisk = 'swapped';
      clock.advance(5_000);
      await world.until(() => world.states()['b'] === 'blocked approval');
      assert.deepEqual([world.opened, world.prompts.length], [['b'], 1]);
      clock.advance(60_000);
      await world.quiet();
      assert.equal(world.opened.length, 1);
    });

    it('asks the person for nothing when it starts again by itself, and may when somebody uses it', async () => {
      const { world, clock } = await crashed();
      clock.advance(5_000);
      await world.until(() => world.states()['b'] === 'ready');
      world.end('b', crash);
      await assert.rejects(world.manager.use(key), { code: 'restartPending', outcome: 'notSent' });
      await world.manager.start(key);
      assert.deepEqual(world.mayAsk, [true, false, true]);
    });

    const ends: readonly (readonly [string, (world: ReturnType<typeof makeWorld>) => unknown, number])[] = [
      ['it is stopped', ({ manager }) => manager.stop(key), 1],
      ['it is removed', ({ manager }) => manager.apply(config()), 1],
      ['it is turned off', ({ manager }) => manager.apply(config(project('b', { enabled: false }))), 1],
      [
        'its folder lost trust',
        ({ manager }) => manager.setCircumstances({ workspaceTrusted: false, mayReach: () => true }),
        1,
      ],
      ['its approval is revoked', ({ manager }) => manager.revoke([key]), 1],
      ['the window closes', ({ manager }) => manager.dispose(), 1],
      // Another one has to be approved by itself; it was to run, so it is looked at, and asked about by nobody here.
      ['it is defined anew', ({ manager }) => manager.apply(config(project('b', { version: 2 }))), 1],
    ];
    for (const [when, end, opened] of ends) {
      it(`waits no longer for its next start when ${when}`, async () => {
        const { world, clock } = await crashed();
        assert.equal(clock.pending, 1);
        await end(world);
        await world.quiet();
        assert.equal(clock.pending, 0);
        clock.advance(60_000);
        await world.quiet();
        assert.equal(world.opened.length, opened);
      });
    }

    it('says that its state is lost once it is back, until it is restarted', async () => {
      const { world, clock } = await crashed();
      const warnings = () => world.manager.view().servers[0]!.warnings.map(({ code }) => code);
      assert.deepEqual(warnings(), []);
      clock.advance(5_000);
      await world.until(() => world.states()['b'] === 'ready');
      assert.deepEqual(warnings(), ['stateLost']);
      await world.manager.restart(key);
      assert.deepEqual(warnings(), []);
    });
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
    assert.equal(world.manager.keyOf('c'), undefined);
  });

  it('shows what a launch offered when it last ran, for that launch only', async () => {
    const kept = new KeptLists();
    const before = makeWorld({ kept });
    before.manager.apply(config(user('a')));
    await before.manager.use(user('a').key);
    await before.manager.dispose();

    const world = makeWorld({ kept: KeptLists.parse(JSON.parse(kept.toText(10_000))) });
    const offer = () => world.manager.view().servers[0]?.kept;
    world.manager.apply(config(user('a')));
    await world.until(() => offer() !== undefined);
    assert.deepEqual(world.opened, [], 'looking does not start it');
    world.manager.apply(config(user('a', { version: 2 })));
    assert.equal(offer(), undefined, 'not even until the new launch is known');
    await world.quiet();
    assert.equal(offer(), undefined);
  });

  it('shows no kept offer of a launch that is not the one of the definition any more', async () => {
    const kept = new KeptLists();
    const before = makeWorld({ kept });
    before.manager.apply(config(user('a')));
    await before.manager.use(user('a').key);
    await before.manager.dispose();

    const world = makeWorld({ kept });
    const held = deferred<undefined>();
    const { fingerprint } = user('a', { version: 2 });
    world.onIdentify = async (server) => {
      if (server.fingerprint === fingerprint) await held.promise;
    };
    world.manager.apply(config(user('a')));
    world.manager.apply(config(user('a', { version: 2 })));
    await world.quiet();
    assert.equal(world.manager.view().servers[0]?.kept, undefined);
    held.resolve(undefined);
    await world.quiet();
    assert.equal(world.manager.view().servers[0]?.kept, undefined);
  });

  it('forgets what a server offered once it is disabled', async () => {
    const kept = new KeptLists();
    const world = makeWorld({ kept });
    world.manager.apply(config(user('a')));
    await world.manager.use(user('a').key);
    assert.ok(kept.has(user('a').key));
    world.manager.apply(config(user('a', { enabled: false })));
    assert.equal(kept.has(user('a').key), false);
    assert.equal(world.manager.view().servers[0]?.kept, undefined);
  });
});
