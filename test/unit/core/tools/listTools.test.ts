import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { listTools, type ListToolsOptions } from '../../../../src/core/tools/listTools.ts';
import { offeredTool, ready, serverView } from '../../../support/managerView.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

const snapshot = snapshotOf({ tools: ['look', 'change'].map((name) => offeredTool(name)) });

describe('listTools', () => {
  const servers = [
    serverView('a', { state: ready, snapshot }),
    serverView('b'),
    serverView('c', { state: ready, snapshot, role: 'shared' }),
  ];
  const names = (options?: ListToolsOptions): readonly string[] =>
    listTools(servers, options).map(({ server, tool, category }) => `${server.server.id} ${tool.name} ${category}`);

  it('has the tools of connected servers, each server once', () => {
    assert.deepEqual(names(), ['a look network_send', 'a change network_send']);
  });

  it('leaves them all out of a plan, whatever a composition says of them', () => {
    assert.deepEqual(names({ mode: 'plan' }), []);
    const choose = (): 'read' => 'read';
    assert.deepEqual(names({ mode: 'plan', choose }), []);
    assert.deepEqual(names({ choose }), names());
  });

  it('takes a stricter word of a composition for the tool it is about', () => {
    const choose: ListToolsOptions['choose'] = (_, { name }) => (name === 'change' ? 'execute' : undefined);
    assert.deepEqual(names({ choose }), ['a look network_send', 'a change execute']);
  });
});
