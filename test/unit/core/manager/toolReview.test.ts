import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../../src/contract/json.ts';
import { checkTool } from '../../../../src/core/discovery/checkItem.ts';
import type { OfferedTool } from '../../../../src/core/discovery/snapshot.ts';
import { explain } from '../../../../src/core/policy/decide.ts';
import { rawTool } from '../../../support/fakeLiveClient.ts';
import { config, makeWorld, project, user } from '../../../support/managerWorld.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

const { key } = user('a');
const tool = (name: string, more: JsonObject = {}): OfferedTool =>
  checkTool(rawTool(name, more), { mirrors: false }).item!;

/** A running server whose first list has these tools. */
async function running(...first: readonly OfferedTool[]) {
  const world = makeWorld({ silentLists: true, approve: () => true });
  world.manager.apply(config(user('a')));
  const used = world.manager.use(key);
  await world.until(() => (world.following as unknown) !== undefined);
  let revision = 0;
  const list = (...tools: readonly OfferedTool[]): void =>
    world.following.publish(snapshotOf({ generation: world.generation, revision: (revision += 1), tools }));
  list(...first);
  await used;
  const decision = (name: string): unknown => explain(name, world.manager.live(key)!.view.policies);
  return { world, list, decision };
}

describe('what the person knows of tools', () => {
  const changed = (change: string): unknown => ({ word: 'ask', by: { kind: 'changed', change } });
  const quiet = { word: 'allow', by: { kind: 'default' } };

  it('asks about a tool that differs from the first list, from the very moment of the new list', async () => {
    const { list, decision } = await running(tool('a'), tool('b'));
    assert.deepEqual(decision('a'), quiet);
    list(tool('a', { description: 'other' }), tool('b', { annotations: { readOnlyHint: true } }), tool('c'));
    assert.deepEqual(['a', 'b', 'c'].map(decision), ['definition', 'annotations', 'new'].map(changed));
  });

  it('has one review for all of it, after which a list of the same definitions asks nothing', async () => {
    const { world, list, decision } = await running(tool('a'), tool('b'));
    const now = [tool('a', { description: 'two' }), tool('b'), tool('c')];
    list(...now);
    const changes = await world.manager.tools.changes(key);
    assert.deepEqual(
      changes.map((one) => [one.tool.name, one.change, one.known?.['name']]),
      [
        ['a', 'definition', 'a'],
        ['c', 'new', undefined],
      ],
    );
    world.manager.tools.accept(
      key,
      changes.map((one) => one.tool),
    );
    assert.deepEqual(['a', 'b', 'c'].map(decision), Array(3).fill(quiet));
    list(...now);
    assert.deepEqual(await world.manager.tools.changes(key), []);
  });

  it('accepts what was shown, not what the server says by then', async () => {
    const { world, list, decision } = await running(tool('a'));
    list(tool('a', { description: 'two' }));
    const [shown] = await world.manager.tools.changes(key);
    list(tool('a', { description: 'three' }));
    world.manager.tools.accept(key, [shown!.tool]);
    assert.deepEqual(decision('a'), changed('definition'));
  });

  it('stays as it is when the server is started again', async () => {
    const { world, list } = await running(tool('a'));
    list(tool('a', { description: 'two' }));
    await world.manager.stop(key);
    const again = world.manager.use(key);
    await world.until(() => world.opened.length === 2);
    await world.quiet();
    world.following.publish(snapshotOf({ generation: world.generation, tools: [tool('a', { description: 'two' })] }));
    const { view } = await again;
    assert.equal(view.policies.changed?.get('a'), 'definition');
  });

  it('tells the views when it changes', async () => {
    const { world, list } = await running(tool('a'));
    list(tool('a', { description: 'two' }));
    const told: unknown[] = [];
    world.manager.onDidChange((change) => told.push(change));
    world.manager.tools.accept(key, [tool('a', { description: 'two' })]);
    assert.deepEqual(told, [{ kind: 'server', key }]);
  });

  it('allows a tool for the window while it is defined as it was, and no longer than the server’s own definition stays', async () => {
    const { world, list, decision } = await running(tool('a'));
    world.manager.apply(config(user('a', { toolPolicies: { a: 'ask' } })));
    const asks = { word: 'ask', by: { kind: 'personEntry', all: false } };
    assert.deepEqual(decision('a'), asks);
    world.manager.tools.grant(key, tool('a'));
    assert.deepEqual(decision('a'), { word: 'allow', by: { kind: 'window' } });
    list(tool('a', { annotations: { destructiveHint: true } }));
    assert.deepEqual(decision('a'), changed('annotations'));
    list(tool('a'));
    assert.deepEqual(decision('a'), { word: 'allow', by: { kind: 'window' } });
    world.manager.tools.revoke(key, 'other');
    assert.deepEqual(decision('a'), { word: 'allow', by: { kind: 'window' } });
    world.manager.tools.revoke(key, '*');
    assert.deepEqual(decision('a'), asks);
    world.manager.tools.grant(key, tool('a'));
    world.manager.apply(config(user('a', { version: 2, toolPolicies: { a: 'ask' } })));
    const [view] = world.manager.view().servers;
    assert.equal(view?.policies.granted?.size, 0);
  });

  it('takes the rules of the person from both places of their file, for the servers of projects too', () => {
    const world = makeWorld();
    const { files } = config(project('x', { toolPolicies: { a: 'allow' } }));
    const own = { ...config(user('y')).files[0]!, toolPolicies: { x: { a: 'deny' as const } } };
    world.manager.apply({ files: [...files, own] });
    const [view] = world.manager.view().servers;
    assert.deepEqual(explain('a', view!.policies), { word: 'deny', by: { kind: 'personFile', all: false } });
    // In the first folder's file it would count for nobody: the reader gives none of such a file.
    assert.deepEqual(explain('b', view!.policies), quiet);
  });

  it('lets every folder that shares a server tighten it', () => {
    const world = makeWorld();
    const one = project('x', { folder: '/one', toolPolicies: { a: 'allow' } });
    const two = project('x', { folder: '/two', toolPolicies: { a: 'deny' } });
    world.manager.apply(config(one, two));
    for (const view of world.manager.view().servers) assert.equal(explain('a', view.policies).word, 'deny');
  });
});
