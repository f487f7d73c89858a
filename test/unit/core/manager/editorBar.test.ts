import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { EditorSettings, SettingValues } from '../../../../src/core/policy/editorSettings.ts';
import { config, makeWorld, project, user } from '../../../support/managerWorld.ts';

const set = (value: unknown): SettingValues => ({ effective: value, managed: null, others: [value] });
const free = { workspaceTrusted: true, mayReach: () => true };
const under = (editor: EditorSettings): typeof free & { editor: EditorSettings } => ({ ...free, editor });

describe('the editor’s own settings', () => {
  it('end what they refuse at once, say which setting it is, and let it run again when they change', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a'), user('b')));
    await Promise.all([world.manager.use(user('a').key), world.manager.use(user('b').key)]);
    world.manager.setCircumstances(under({ denied: set([{ serverName: 'a' }]) }));
    await world.until(() => world.closed.includes('a'));
    assert.deepEqual(world.states(), { a: 'blocked policy', b: 'ready' });
    const [view] = world.manager.view().servers;
    assert.ok(view?.state.kind === 'blocked');
    assert.deepEqual(view.state.problem, {
      code: 'blockedEditor',
      data: { server: 'a', setting: 'chat.mcp.deniedServers', why: 'denied' },
    });
    await assert.rejects(world.manager.use(user('a').key), { code: 'blockedEditor' });
    world.manager.setCircumstances(free);
    await world.manager.use(user('a').key);
    assert.deepEqual(world.closed, ['a']);
  });

  it('leave the id of a refused project’s server to the person’s own', async () => {
    const world = makeWorld({ approve: () => true });
    world.manager.apply(config(user('a'), project('a', { version: 2 })));
    world.manager.setCircumstances(under({ denied: set([{ serverCommand: ['node', '2'] }]) }));
    await world.manager.use(user('a').key);
    const roles = world.manager.view().servers.map(({ role }) => role);
    assert.deepEqual(roles, ['standIn', 'waiting']);
  });

  it('judge what really runs: a command whose variables hid it is not started', async () => {
    const world = makeWorld();
    world.manager.setCircumstances(under({ denied: set([{ serverCommand: ['x', '${env:ARG}'] }]) }));
    world.manager.apply(config(user('a', { args: ['${env:ARG}'] })));
    assert.deepEqual(world.states(), { a: 'stopped' });
    await assert.rejects(world.manager.use(user('a').key), { code: 'blockedEditor' });
    assert.deepEqual([world.opened, world.states()], [[], { a: 'blocked policy' }]);
  });

  it('end such a one too when they change while it runs', async () => {
    const world = makeWorld();
    world.manager.apply(config(user('a', { args: ['${env:ARG}'] })));
    await world.manager.use(user('a').key);
    world.manager.setCircumstances(under({ allowed: set([{ serverCommand: ['x', 'other'] }]) }));
    await world.until(() => world.states()['a'] === 'blocked policy');
    assert.deepEqual([world.opened, world.closed], [['a'], ['a']]);
  });

  it('say that calls of a tool are asked about', () => {
    const world = makeWorld();
    world.manager.apply(config(user('a')));
    world.manager.setCircumstances(under({ unasked: set({ 'a/drop': false }) }));
    assert.equal(world.manager.view().servers[0]?.policies.editor?.wordOf('drop'), 'ask');
  });
});
