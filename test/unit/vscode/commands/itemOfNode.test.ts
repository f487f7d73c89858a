import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isItemNode, itemOfNode } from '../../../../src/vscode/commands/itemOfNode.ts';
import { type ItemNode, TreeModel } from '../../../../src/vscode/views/treeModel.ts';
import { managerView, offeredItem, offeredTool, ready, serverView } from '../../../support/managerView.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

function nodes(): readonly ItemNode[] {
  const snapshot = snapshotOf({ tools: [offeredTool('t')], resources: [offeredItem('file:///a', 'a')] });
  const view = managerView([serverView('s', { state: ready, snapshot })]);
  const model = new TreeModel(() => view);
  const groups = model.children(model.serverNode(view.servers[0]!.key));
  return groups.flatMap((group) => model.children(group)).filter((node) => node.kind === 'item');
}

describe('what a command was called on', () => {
  it('is the item of a row, with the life of the server that it shows', () => {
    const all = nodes();
    assert.equal(all.length, 2);
    for (const node of all) {
      const { key, offer, item, generation } = node;
      assert.ok(isItemNode(node));
      assert.deepEqual(itemOfNode(node), { key, offer, item, generation });
    }
  });

  it('is nothing where any part of it is missing or odd', () => {
    const [tool, resource] = nodes();
    for (const odd of [
      { kind: 'item' },
      { ...tool, key: 7 },
      { ...tool, offer: 'toString' },
      { ...tool, offer: 'resources' },
      { ...resource, offer: 'tools' },
      { ...tool, item: undefined },
      { ...tool, item: 'echo' },
      { ...tool, item: { ...tool!.item, raw: undefined } },
      { ...tool, item: { ...tool!.item, hash: 1 } },
      { ...resource, item: { ...resource!.item, name: null } },
      { ...tool, generation: '1' },
    ]) {
      assert.ok(isItemNode(odd));
      assert.equal(itemOfNode(odd), undefined, JSON.stringify(odd));
    }
    for (const other of [undefined, null, 'item', [], { kind: 'server' }]) assert.ok(!isItemNode(other));
  });
});
