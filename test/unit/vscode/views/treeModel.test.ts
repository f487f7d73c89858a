import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ManagerView } from '../../../../src/core/manager/view.ts';
import { TreeModel, type TreeNode } from '../../../../src/vscode/views/treeModel.ts';
import { demoScope, managerView, offeredItem, offeredTool, ready, serverView } from '../../../support/managerView.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

function modelOf(view: ManagerView) {
  let current = view;
  return { model: new TreeModel(() => current), set: (next: ManagerView) => (current = next) };
}

function tools(count: number) {
  return Array.from({ length: count }, (_, index) => offeredTool(`tool-${index}`));
}

function only(nodes: readonly TreeNode[], kind: TreeNode['kind']): TreeNode {
  const found = nodes.filter((node) => node.kind === kind);
  assert.equal(found.length, 1, `one ${kind} in ${nodes.map(({ id }) => id).join(', ')}`);
  return found[0]!;
}

describe('the tree of servers', () => {
  it('shows servers without sections while only one scope has any', () => {
    const { model } = modelOf(managerView([serverView('a'), serverView('b')]));
    assert.deepEqual(
      model.roots().map(({ kind, id }) => [kind, id]),
      [
        ['server', 'server:user:a'],
        ['server', 'server:user:b'],
      ],
    );
  });

  it('makes a section of each scope when several have servers, the folders before the person’s own', () => {
    const { model } = modelOf(managerView([serverView('a'), serverView('b', { scope: demoScope })]));
    const roots = model.roots();
    assert.deepEqual(
      roots.map(({ id }) => id),
      ['section:project:/work/demo', 'section:user'],
    );
    assert.deepEqual(
      model.children(roots[1]!).map(({ id }) => id),
      ['server:user:a'],
    );
    assert.equal(model.parent(model.children(roots[0]!)[0]!), roots[0]);
  });

  it('puts broken files above everything', () => {
    const problem = { file: '/x/mcp.json', code: 'configSyntax', data: {} } as const;
    const { model } = modelOf(managerView([serverView('a')], [problem]));
    assert.equal(model.roots()[0]!.kind, 'problem');
  });

  it('shows only the groups that hold something', () => {
    const snapshot = snapshotOf({ tools: tools(2), prompts: [offeredItem('p')] });
    const { model } = modelOf(managerView([serverView('a', { state: ready, snapshot })]));
    assert.deepEqual(
      model.children(model.roots()[0]!).map(({ id }) => id),
      ['user:a/tools', 'user:a/prompts'],
    );
  });

  it('keeps the same node for a server and a group over changes, so that one node can be refreshed', () => {
    const state = modelOf(managerView([serverView('a', { state: ready, snapshot: snapshotOf({ tools: tools(1) }) })]));
    const server = state.model.roots()[0]!;
    const group = state.model.children(server)[0]!;
    state.set(managerView([serverView('a', { state: ready, snapshot: snapshotOf({ tools: tools(3) }) })]));
    assert.equal(state.model.roots()[0], server);
    assert.equal(state.model.children(server)[0], group);
    assert.equal(state.model.children(group).length, 3);
  });

  it('cuts long lists into ranges that hold every item once', () => {
    const snapshot = snapshotOf({ tools: tools(1001) });
    const { model } = modelOf(managerView([serverView('a', { state: ready, snapshot })]));
    const group = only(model.children(model.roots()[0]!), 'group');
    const ranges = model.children(group);
    assert.ok(ranges.every(({ kind }) => kind === 'range'));
    const items = ranges.flatMap((range) => model.children(range));
    assert.equal(new Set(items.map(({ id }) => id)).size, 1001);
    assert.equal(model.parent(items.at(-1)!)!.id, ranges.at(-1)!.id);
    assert.equal(model.parent(ranges[0]!), group);
  });

  it('gives equal names of different kinds different ids', () => {
    const snapshot = snapshotOf({ tools: [offeredTool('x')], prompts: [offeredItem('x')] });
    const { model } = modelOf(managerView([serverView('a', { state: ready, snapshot })]));
    const groups = model.children(model.roots()[0]!);
    const ids = groups.flatMap((group) => model.children(group)).map(({ id }) => id);
    assert.equal(new Set(ids).size, 2);
  });

  it('knows the rule of each tool, its own before the one for all', () => {
    const snapshot = snapshotOf({ tools: [offeredTool('a'), offeredTool('b')] });
    const server = serverView('s', { state: ready, snapshot, toolPolicies: { '*': 'ask', b: 'deny' } });
    const { model } = modelOf(managerView([server]));
    const group = only(model.children(model.roots()[0]!), 'group');
    assert.deepEqual(
      model.children(group).map((node) => (node.kind === 'item' ? node.policy.word : undefined)),
      ['ask', 'deny'],
    );
  });

  it('shows what a stopped server offered when it last ran', () => {
    const kept = { tools: tools(2), resources: [], resourceTemplates: [], prompts: [] };
    const { model } = modelOf(managerView([serverView('a', { kept })]));
    const group = only(model.children(model.roots()[0]!), 'group');
    assert.equal(model.children(group).length, 2);
  });

  it('opens a server that is gone as an empty one', () => {
    const state = modelOf(managerView([serverView('a')]));
    const server = state.model.roots()[0]!;
    state.set(managerView([]));
    assert.deepEqual(state.model.children(server), []);
  });
});
