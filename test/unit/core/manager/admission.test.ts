import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../../src/base/deferred.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { config, makeWorld, project, user } from '../../../support/managerWorld.ts';

describe('who may run', () => {
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
    assert.equal(world.states()['c'], 'blocked refused', 'not even tried');
    await world.until(() => world.opened.length === 2);
    assert.deepEqual(world.prompts, [['b', 'c', 'd']]);
    assert.deepEqual(world.opened, ['b', 'd']);
    assert.equal(world.states()['c'], 'blocked refused');
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

  it('asks once more about a launch that changed between its identification and its resolution', async () => {
    const world = makeWorld({ approve: () => world.prompts.length < 2 });
    world.manager.apply(config(project('b')));
    world.swapBeforeResolve = true;
    await assert.rejects(world.manager.start(project('b').key), { code: 'blockedApproval' });
    assert.equal(world.prompts.length, 2);
    assert.deepEqual(world.opened, []);
  });

  it('asks, rather than fails, when what a person starts is no longer what was approved', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    await world.manager.start(project('b').key);
    await world.manager.stop(project('b').key);
    world.onDisk = 'another link target';
    await world.manager.start(project('b').key);
    assert.equal(world.prompts.length, 2);
    assert.deepEqual(world.opened, ['b', 'b']);
  });

  it('keeps what was approved when a setting of the window changes', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(user('b'), project('b')));
    await world.manager.start(project('b').key);
    await world.manager.stop(project('b').key);
    world.manager.setCircumstances({ workspaceTrusted: true, mayReach: () => false });
    assert.equal(world.manager.keyOf('b'), project('b').key);
    await world.manager.use(project('b').key);
    assert.equal(world.prompts.length, 1);
  });

  it('takes an approval that was found late for nothing once the definition has changed', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    await world.manager.start(project('b').key);
    world.manager.apply(config(project('b', { version: 2 })));
    await world.quiet();
    const held = deferred<undefined>();
    const { fingerprint } = project('b');
    world.onIdentify = async (server) => {
      if (server.fingerprint === fingerprint) await held.promise;
    };
    world.manager.apply(config(project('b')));
    await world.quiet(); // The look at it is under way.
    world.manager.apply(config(project('b', { version: 2 })));
    await world.quiet();
    held.resolve(undefined);
    const seen = new Set<string | undefined>();
    world.manager.onDidChange(() => seen.add(world.states()['b']));
    await world.quiet();
    assert.deepEqual([...seen], []);
    assert.equal(world.states()['b'], 'blocked approval');
  });

  it('leaves the person’s own definition running while the project’s one cannot even be identified', async () => {
    for (const code of ['envFileUnreadable', 'urlForbidden', 'internal'] as const) {
      const world = makeWorld({ approve: () => true });
      world.manager.apply(config(user('a')));
      await world.manager.start(user('a').key);
      world.onIdentify = () => Promise.reject(new ManagerError(code, {}));
      world.manager.apply(config(user('a'), project('a')));
      await world.quiet();
      assert.deepEqual(world.closed, [], code);
      assert.equal((await world.manager.use(user('a').key)).view.role, 'standIn');
    }
  });

  it('takes an approval although the file was read once more meanwhile', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    await world.quiet();
    const seen = deferred<undefined>();
    world.onIdentify = () => seen.promise;
    const review = world.manager.review();
    await world.quiet();
    world.onIdentify = () => Promise.resolve();
    world.manager.apply(config(project('b')));
    seen.resolve(undefined);
    await review;
    await world.until(() => world.states()['b'] === 'ready');
    assert.equal(world.prompts.length, 1);
  });

  it('takes no approval for a definition that changed while the question was open', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    await world.quiet();
    const seen = deferred<undefined>();
    world.onIdentify = () => seen.promise;
    const review = world.manager.review();
    await world.quiet();
    world.onIdentify = () => Promise.resolve();
    world.manager.apply(config(project('b', { version: 2 })));
    seen.resolve(undefined);
    await review;
    await world.quiet();
    assert.deepEqual(world.opened, []);
    assert.deepEqual(world.states(), { b: 'blocked approval' });
    assert.equal(startsTold(world), 0, 'nothing even tried to start it');
  });

  it('shows a changed definition as waiting at once, whether or not it ran', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    await world.manager.start(project('b').key);
    await world.manager.stop(project('b').key);
    assert.equal(startsTold(world), 1);
    world.manager.apply(config(project('b', { version: 2 })));
    await world.quiet();
    assert.deepEqual(world.states(), { b: 'blocked approval' });
    assert.deepEqual(world.manager.waiting(), [project('b').key]);
    assert.equal(startsTold(world), 1, 'nothing tried to start it');
  });

  it('shows no refused start any more once what would run is again what was approved', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b')));
    await world.manager.start(project('b').key);
    await world.manager.stop(project('b').key);
    world.onDisk = 'another link target';
    await assert.rejects(world.manager.use(project('b').key), { code: 'blockedApproval' });
    world.onDisk = 'link target';
    world.manager.apply(config(project('b'), user('c')));
    await world.until(() => world.states()['b'] === 'stopped');
  });

  it('gives up waiting for another one’s question when it is cancelled', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(project('b'), project('c')));
    await world.quiet();
    world.onIdentify = () => new Promise(() => undefined);
    void world.manager.review([project('b').key]);
    const controller = new AbortController();
    const second = world.manager.review([project('c').key], { signal: controller.signal });
    controller.abort(new ManagerError('cancelled'));
    await assert.rejects(second, { code: 'cancelled' });
  });

  it('asks about an owner only, not about the definitions of other folders that it stands for', async () => {
    const world = makeWorld({ approve: () => true });
    const [first, equal, other] = [
      project('x'),
      project('x', { folder: '/two' }),
      project('x', { folder: '/three', version: 2 }),
    ];
    world.manager.apply(config(first, equal, other));
    assert.deepEqual(world.manager.waiting(), [first.key]);
    await world.manager.review();
    assert.deepEqual(world.prompts, [['x']]);
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

  it("leaves the id to the person's server where the project's one is turned off and was never approved", async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(user('x'), project('x', { enabled: false })));
    await world.quiet();
    const roles = world.manager.view().servers.map(({ key, role }) => [key, role]);
    assert.deepEqual(
      new Map(roles as [string, string][]),
      new Map([
        [user('x').key, 'standIn'],
        [project('x').key, 'waiting'],
      ]),
    );
    await world.manager.use(user('x').key);

    // One that the person approved in its place keeps it when they turn it off, as long as its folder is trusted.
    world.manager.apply(config(user('x'), project('x')));
    await world.manager.start(project('x').key);
    world.manager.apply(config(user('x'), project('x', { enabled: false })));
    await assert.rejects(world.manager.use(user('x').key), { code: 'blockedConflict' });
    world.manager.setCircumstances({ ...world.manager.circumstances, workspaceTrusted: false });
    assert.equal((await world.manager.use(user('x').key)).view.role, 'standIn');
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
});

/** How often the log of `b` says that it is being started. */
function startsTold(world: ReturnType<typeof makeWorld>): number {
  return world.manager.log(project('b').key).filter((line) => line.endsWith('starting')).length;
}
