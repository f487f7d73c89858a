import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../../src/base/deferred.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import type { LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import { config, makeWorld, memoryOf, project, user } from '../../../support/managerWorld.ts';

const b = project('b');

describe('what a person answers', () => {
  it('takes "don’t run" for an answer to this very launch: asked about no more, but from its row', async () => {
    let yes = false;
    const world = makeWorld({ approve: () => yes });
    world.manager.apply(config(b, project('c')));
    await world.manager.review([b.key]);
    assert.deepEqual(world.states(), { b: 'blocked refused', c: 'blocked approval' });
    assert.deepEqual(world.manager.waiting(), [project('c').key]);
    await world.manager.review();
    assert.deepEqual(world.prompts, [['b'], ['c']]);
    await assert.rejects(world.manager.use(b.key), {
      code: 'blockedApproval',
      data: { server: 'b', answer: 'refused' },
    });
    yes = true;
    await world.manager.review([b.key]);
    await world.until(() => world.states()['b'] === 'ready');
  });

  it('asks about a changed launch as about any other, and knows the refused one again', async () => {
    const world = makeWorld({ approve: () => false });
    world.manager.apply(config(b));
    await world.manager.review();
    world.manager.apply(config(project('b', { version: 2 })));
    await world.until(() => world.states()['b'] === 'blocked approval');
    assert.deepEqual(world.manager.waiting(), [b.key]);
    world.manager.apply(config(b));
    await world.until(() => world.states()['b'] === 'blocked refused');
    assert.deepEqual(world.manager.waiting(), []);
  });

  it('asks once when a person starts it, and says no or puts it off', async () => {
    for (const answer of [false, undefined]) {
      const world = makeWorld({ approve: () => answer });
      world.manager.apply(config(b));
      await assert.rejects(world.manager.start(b.key), { code: 'blockedApproval' });
      assert.deepEqual(world.prompts, [['b']]);
    }
  });

  it('takes a closed question for none: it goes on waiting', async () => {
    const world = makeWorld({ approve: () => undefined });
    world.manager.apply(config(b));
    await world.manager.review();
    assert.deepEqual(world.states(), { b: 'blocked approval' });
    await world.manager.review();
    assert.deepEqual(world.prompts, [['b'], ['b']]);
  });

  it('lets the person’s own server stand in for a project’s one that was refused', async () => {
    const world = makeWorld({ approve: () => false });
    world.manager.apply(config(b, user('b')));
    await world.manager.review([b.key]);
    assert.equal((await world.manager.use(world.manager.keyOf('b')!)).view.role, 'standIn');
    assert.deepEqual(world.launchVersions, [1]);
  });
});

describe('what is remembered', () => {
  const kept = () => new Map<ServerKey, LaunchFingerprint>();

  it('is one fingerprint a definition, and nothing else, once the person chose it', async () => {
    const once = kept();
    const asked = makeWorld({ approve: () => 'once', memory: memoryOf(once) });
    asked.manager.apply(config(b));
    await asked.manager.review();
    assert.deepEqual([...once], []);

    const remembered = kept();
    const world = makeWorld({ approve: () => 'remember', memory: memoryOf(remembered) });
    world.manager.apply(config(b));
    await world.manager.review();
    assert.deepEqual([...remembered], [[b.key, world.requests[0]!.fingerprint]]);
  });

  it('needs no question in the next window, and does not show as one before it was looked for', async () => {
    const memory = memoryOf();
    const first = makeWorld({ approve: () => 'remember', memory });
    first.manager.apply(config(b));
    await first.manager.review();
    const next = makeWorld({ approve: () => false, memory });
    const seen = new Set<string | undefined>();
    next.manager.onDidChange(() => seen.add(next.states()['b']));
    next.manager.apply(config(project('b', { autostart: true })));
    assert.deepEqual(next.manager.waiting(), []);
    await next.until(() => next.states()['b'] === 'ready');
    assert.deepEqual(next.prompts, []);
    assert.ok(![...seen].some((state) => state?.startsWith('blocked')), [...seen].join());
  });

  it('holds for that launch alone', async () => {
    const memory = memoryOf();
    const first = makeWorld({ approve: () => 'remember', memory });
    first.manager.apply(config(b));
    await first.manager.review();
    const next = makeWorld({ approve: () => undefined, memory });
    next.onDisk = 'another link target';
    next.manager.apply(config(b));
    await next.until(() => next.states()['b'] === 'blocked approval');
    await next.manager.review();
    assert.equal(next.requests[0]!.last, 'forgotten');
    assert.deepEqual(next.opened, []);
  });

  it('counts from the next use where another window remembered or revoked it', async () => {
    const memory = memoryOf();
    const [one, other] = [makeWorld({ approve: () => 'remember', memory }), makeWorld({ memory })];
    for (const { manager } of [one, other]) manager.apply(config(b));
    await other.quiet();
    await one.manager.review();
    await other.manager.use(b.key);
    assert.deepEqual(other.opened, ['b']);
    await other.manager.stop(b.key);
    await one.manager.revoke([b.key]);
    await assert.rejects(other.manager.use(b.key), { code: 'blockedApproval' });
    assert.deepEqual(other.opened, ['b']);
  });

  it('serves this window alone where it cannot be kept', async () => {
    const memory = { ...memoryOf(), set: () => Promise.reject(new Error('no disk')) };
    const world = makeWorld({ approve: () => 'remember', memory });
    world.manager.apply(config(b));
    await world.manager.review();
    await world.until(() => world.states()['b'] === 'ready');
    assert.deepEqual(world.manager.approvals(), [{ key: b.key, remembered: false }]);
  });

  it('keeps the person’s server of the same id from being started for a moment', async () => {
    const memory = memoryOf();
    const first = makeWorld({ approve: () => 'remember', memory });
    const own = user('b', { autostart: true, version: 2 });
    first.manager.apply(config(b, own));
    await first.manager.review();
    const next = makeWorld({ memory });
    const looked = deferred<undefined>();
    next.onIdentify = (server) => (server.scope.kind === 'project' ? looked.promise.then() : Promise.resolve());
    next.manager.apply(config(project('b', { autostart: true }), own));
    await next.quiet();
    looked.resolve(undefined);
    await next.until(() => next.opened.length > 0);
    await next.quiet();
    assert.deepEqual(next.launchVersions, [1]);
  });

  it('keeps it from being started while a change of the project’s one is looked at', async () => {
    const world = makeWorld({ approve: () => true, memory: memoryOf() });
    const own = user('b', { autostart: true, version: 9 });
    world.manager.apply(config(b, own));
    await world.manager.review();
    await world.until(() => world.opened.length === 1);
    const looked = deferred<undefined>();
    world.onIdentify = (server) => (server.scope.kind === 'project' ? looked.promise.then() : Promise.resolve());
    world.manager.apply(config(project('b', { version: 2 }), own));
    await world.quiet();
    assert.deepEqual(world.launchVersions, [1]);
    looked.resolve(undefined);
    await world.until(() => world.opened.length === 2);
    assert.deepEqual(world.launchVersions, [1, 9]);
  });

  it('leaves what a server offered last in sight', async () => {
    const memory = memoryOf();
    const first = makeWorld({ approve: () => 'remember', memory });
    first.manager.apply(config(b));
    await first.manager.start(b.key);
    const { kept: lists } = first;
    const next = makeWorld({ memory, kept: lists });
    next.manager.apply(config(b));
    await next.until(() => next.manager.view().servers[0]!.kept !== undefined);
    assert.deepEqual(next.states(), { b: 'stopped' });
  });
});

describe('a list of what is approved', () => {
  it('names what is remembered and what this window alone approved, of other folders too', async () => {
    const elsewhere = project('far', { folder: '/elsewhere' }).key;
    const memory = memoryOf(new Map([[elsewhere, 'f' as LaunchFingerprint]]));
    const world = makeWorld({ approve: (id) => (id === 'b' ? 'remember' : id === 'c' ? 'once' : 'refuse'), memory });
    world.manager.apply(config(b, project('c'), project('d')));
    await world.manager.review();
    assert.deepEqual(world.manager.approvals(), [
      { key: elsewhere, remembered: true },
      { key: b.key, remembered: true },
      { key: project('c').key, remembered: false },
    ]);
    await world.manager.revoke([elsewhere]);
    assert.equal(memory.get(elsewhere), undefined);
  });

  it('ends at once what is revoked, asks before it runs again, and starts nothing by itself', async () => {
    for (const answer of ['once', 'remember'] as const) {
      const world = makeWorld({ approve: () => answer, memory: memoryOf() });
      world.manager.apply(config(project('b', { autostart: true }), project('c')));
      await world.manager.review();
      await world.until(() => world.opened.length === 2);
      await world.manager.revoke([b.key]);
      assert.deepEqual(world.closed, ['b'], answer);
      await world.quiet();
      assert.deepEqual(world.states(), { b: 'blocked approval', c: 'ready' });
      assert.deepEqual(world.manager.waiting(), [b.key]);
      assert.deepEqual(
        world.manager.approvals().map(({ key }) => key),
        [project('c').key],
      );
      await assert.rejects(world.manager.use(b.key), { code: 'blockedApproval' });
      await world.manager.review();
      assert.equal(world.requests.at(-1)!.last, undefined, 'what was revoked is nothing to compare with');
    }
  });

  it('asks nothing anew when it is revoked while a person starts it', async () => {
    for (const answer of ['once', 'remember'] as const) {
      for (const moment of ['prepare', 'open'] as const) {
        const world = makeWorld({ approve: () => answer, memory: memoryOf(), hang: moment === 'open' });
        world.manager.apply(config(b));
        if (moment === 'prepare') world.beforeResolve = () => world.manager.revoke([b.key]);
        const start = world.manager.start(b.key);
        if (moment === 'open') {
          await world.until(() => world.opened.length === 1);
          await world.manager.revoke([b.key]);
        }
        await assert.rejects(start, ManagerError);
        assert.deepEqual(world.prompts, [['b']], `${answer}, ${moment}`);
        assert.deepEqual(world.states(), { b: 'blocked approval' });
      }
    }
  });

  it('asks nothing anew when another window revokes it while a person starts it', async () => {
    const memory = memoryOf();
    const world = makeWorld({ approve: () => 'remember', memory });
    world.manager.apply(config(b));
    world.beforeResolve = () => memory.delete(b.key);
    await assert.rejects(world.manager.start(b.key), { code: 'blockedApproval', data: { server: 'b' } });
    assert.deepEqual(world.prompts, [['b']]);
  });

  it('starts nothing that was revoked while a value was asked for', async () => {
    const world = makeWorld({ approve: () => 'once' });
    world.manager.apply(config(b));
    world.beforeResolve = () => world.manager.revoke([b.key]);
    await world.manager.review();
    await world.quiet();
    assert.deepEqual(world.opened, []);
    assert.deepEqual(world.states(), { b: 'blocked approval' });
  });
});

describe('what changed since the last approval', () => {
  it('is told with the question: what was approved last, as it was shown then', async () => {
    const world = makeWorld({ approve: (id) => (id === 'b' ? world.prompts.length < 2 : true) });
    world.manager.apply(config(b));
    await world.manager.review();
    assert.equal(world.requests[0]!.last, undefined);
    world.onDisk = 'second';
    world.manager.apply(config(project('b', { version: 2 })));
    await world.until(() => world.states()['b'] === 'blocked approval');
    await world.manager.review();
    assert.deepEqual(world.requests[1]!.last, world.requests[0]);
    world.manager.apply(config(project('b', { version: 3 })));
    await world.until(() => world.states()['b'] === 'blocked approval');
    await world.manager.review();
    assert.deepEqual(world.requests[2]!.last, world.requests[0], 'a refused one is none that was approved');
  });

  it('is told also where what was approved last was remembered, and seen in this window', async () => {
    const memory = memoryOf();
    const first = makeWorld({ approve: () => 'remember', memory });
    first.manager.apply(config(b));
    await first.manager.review();
    const next = makeWorld({ approve: () => undefined, memory });
    next.manager.apply(config(b));
    await next.manager.use(b.key);
    next.manager.apply(config(project('b', { version: 2 })));
    await next.until(() => next.states()['b'] === 'blocked approval');
    await next.manager.review();
    assert.equal((next.requests[0]!.last as { fingerprint?: string }).fingerprint, first.requests[0]!.fingerprint);
  });
});

describe('a server of the person’s own', () => {
  const own = user('a', { autostart: true });

  it('does not start by itself while its launch is new, and is asked about once', async () => {
    const memory = memoryOf();
    const world = makeWorld({ approve: () => 'remember', memory });
    world.manager.apply(config(own));
    await world.quiet();
    assert.deepEqual([world.opened, world.states()], [[], { a: 'blocked approval' }]);
    await assert.rejects(world.manager.use(own.key), { code: 'blockedApproval' });
    await world.manager.review();
    await world.until(() => world.states()['a'] === 'ready');
    const next = makeWorld({ approve: () => undefined, memory });
    next.manager.apply(config(own));
    await next.until(() => next.states()['a'] === 'ready');
    assert.deepEqual(next.prompts, []);
  });

  it('is asked about again once somebody else changed it', async () => {
    const world = makeWorld({ approve: () => undefined, memory: memoryOf() });
    await world.manager.approveWritten(own);
    world.manager.apply(config(own));
    await world.until(() => world.states()['a'] === 'ready');
    world.manager.apply(config(user('a', { version: 2 })));
    await world.until(() => world.states()['a'] === 'blocked approval');
    assert.deepEqual(world.closed, ['a']);
    assert.deepEqual(world.opened, ['a']);
  });

  it('needs no question where the person wrote it through us, before or after it was read', async () => {
    const world = makeWorld({ approve: () => undefined, memory: memoryOf() });
    world.manager.apply(config(own));
    await world.quiet();
    await world.manager.approveWritten(own);
    await world.until(() => world.states()['a'] === 'ready');
    assert.deepEqual(world.prompts, []);
  });

  it('is not remembered while it cannot be told what it would run', async () => {
    const world = makeWorld({ memory: memoryOf() });
    world.onIdentify = () => Promise.reject(new ManagerError('envFileUnreadable', {}));
    await world.manager.approveWritten(own);
    assert.deepEqual(world.manager.approvals(), []);
  });

  it('is not asked about while the project’s one of its id takes its place', async () => {
    const world = makeWorld({ approve: (id) => id === 'b', memory: memoryOf() });
    world.manager.apply(config(b, user('b', { version: 2 })));
    assert.deepEqual(world.manager.waiting(), [b.key, user('b').key]);
    await world.manager.review([b.key]);
    assert.deepEqual(world.manager.waiting(), []);
  });

  it('runs as soon as what it lacked is there, without anybody’s doing', async () => {
    const world = makeWorld();
    world.onIdentify = () => Promise.reject(new ManagerError('envFileUnreadable', {}));
    world.manager.apply(config(user('a')));
    await world.until(() => world.states()['a'] === 'failed');
    await assert.rejects(world.manager.use(user('a').key), { code: 'envFileUnreadable' });
    world.onIdentify = () => Promise.resolve();
    await world.manager.use(user('a').key);
    assert.deepEqual(world.opened, ['a']);
  });
});
