import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { english } from '../../../../src/vscode/translate.ts';
import { TreeModel } from '../../../../src/vscode/views/treeModel.ts';
import { rowOf } from '../../../../src/vscode/views/treeRow.ts';
import { managerView, offeredTool, ready, serverView } from '../../../support/managerView.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

describe('a tree with 10,000 tools', () => {
  const tools = Array.from({ length: 10_000 }, (_, index) => offeredTool(`tool-${index}`, { description: 'Does it' }));
  const snapshot = snapshotOf({ tools });
  const busy = serverView('many', { state: ready, snapshot });

  it('makes no rows for tools that nobody opened', () => {
    const model = new TreeModel(() => managerView([busy, serverView('other')]));
    const [server] = model.roots();
    const [group] = model.children(server!);
    const ranges = model.children(group!);
    assert.equal(ranges.length, 40);
    assert.equal(rowOf(group!, model, english).description, '10000');
    assert.ok(ranges.every((range) => model.children(range).length === 250));
  });

  it('draws a server that changed without looking at the tools of another [QUAL-25]', () => {
    let looked = 0;
    const watched = serverView('many', { state: ready });
    Object.defineProperty(watched, 'snapshot', {
      get: () => {
        looked += 1;
        return snapshot;
      },
    });
    const model = new TreeModel(() => managerView([watched, serverView('other')]));
    const other = model.serverNode(serverView('other').key);
    rowOf(other, model, english);
    model.children(other);
    assert.equal(looked, 0);
  });
});
