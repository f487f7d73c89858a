// QUAL-25: a tree with 10,000 tools: what one change costs in the extension host, and how many nodes it redraws.
import type { ManagerView, ServerView } from '../../src/core/manager/view.ts';
import { english } from '../../src/vscode/translate.ts';
import { rowOf } from '../../src/vscode/views/treeRow.ts';
import { TreeModel, type TreeNode } from '../../src/vscode/views/treeModel.ts';
import { type Measure, median, ms } from './measure.ts';
import { echoManager } from './setting.ts';

const count = 10_000;

export const tree: Measure = async ({ rounds }) => {
  const manager = echoManager('--tools', String(count), '--schemas');
  try {
    const key = manager.keyOf('echo');
    if (key === undefined) throw new Error('the echo server is not configured');
    await manager.use(key);
    const others = Array.from({ length: 19 }, (_, index) => other(manager.view(), index));
    const view = (): ManagerView => ({ ...manager.view(), servers: [...manager.view().servers, ...others] });
    const model = new TreeModel(view);
    drawn(model, model.roots(), Infinity); // Everything was opened once.
    const whole: number[] = [];
    const change: number[] = [];
    let rows = 0;
    for (let round = 0; round < rounds; round++) {
      let begun = performance.now();
      const node = model.serverNode(key);
      rows = drawn(model, [node], 3);
      change.push(performance.now() - begun);
      begun = performance.now();
      drawn(model, model.roots(), Infinity);
      whole.push(performance.now() - begun);
    }
    const value = median(change);
    const same = model.serverNode(key) === model.serverNode(key);
    return [
      {
        row: 'QUAL-25',
        what: `a change of a server with ${count} tools: its node, groups and ranges (${rows} rows)`,
        ours: `${ms(value)}${same ? '' : ', the node lost its identity'}`,
        reference: `all ${count} rows ${ms(median(whole))}`,
        bar: '<= 50 ms',
        met: value <= 50 && same,
      },
    ];
  } finally {
    await manager.dispose();
  }
};

/** Makes the rows of nodes and of what is below them, as an editor that shows them all; answers how many. */
function drawn(model: TreeModel, nodes: readonly TreeNode[], depth: number): number {
  let rows = 0;
  for (const node of nodes) {
    rowOf(node, model, english);
    rows += 1;
    if (depth > 1) rows += drawn(model, model.children(node), depth - 1);
  }
  return rows;
}

function other(view: ManagerView, index: number): ServerView {
  const [server] = view.servers;
  if (server === undefined) throw new Error('there is no server');
  const key = `user:other${index}` as ServerView['key'];
  return { ...server, key, server: { ...server.server, key } };
}
