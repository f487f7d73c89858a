import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { LiveServer } from '../../../src/core/manager/view.ts';
import { crossing, withoutExtensions } from '../../../src/gateway/extensions.ts';
import { ServerSurface, type ServerSurfaceDeps } from '../../../src/gateway/serverSurface.ts';
import { upstreamParams } from '../../../src/gateway/upstreamParams.ts';
import { clientRequest } from '../../support/clientRequest.ts';
import { FakeLiveClient } from '../../support/fakeLiveClient.ts';
import { serverView } from '../../support/managerView.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { snapshotOf } from '../../support/snapshotOf.ts';

const tasks = 'io.modelcontextprotocol/tasks';
const pages = 'io.modelcontextprotocol/ui';
const declared = {
  tools: {},
  tasks: { list: {} },
  extensions: { [pages]: { a: 1 }, [tasks]: {}, 'com.example/other': {} },
};

describe('extensions across the gateway', () => {
  it('lets pages cross, and nothing else: neither tasks of either era nor what nobody here understands', () => {
    assert.deepEqual(crossing(declared), { tools: {}, extensions: { [pages]: { a: 1 } } });
    assert.deepEqual(withoutExtensions(declared), { tools: {} });
  });

  it('takes what is no list of extensions for none', () => {
    for (const extensions of [[], null, 'all', { 'com.example/other': {} }])
      assert.deepEqual(crossing({ tools: {}, extensions }), { tools: {} });
  });

  it('tells a modern server what of a client’s extensions crosses, and of a client of all servers none', () => {
    const request = clientRequest({ client: { era: 'modern', capabilities: declared } });
    const told = (each: typeof request | (typeof request & { declared: JsonObject })): unknown =>
      (upstreamParams(each, 'modern')['_meta'] as JsonObject)['io.modelcontextprotocol/clientCapabilities'];
    assert.deepEqual(told(request), crossing(declared));
    assert.deepEqual(told({ ...request, declared: { tools: {} } }), { tools: {} });
  });

  for (const client of ['modern', 'legacy'] as const) {
    for (const server of ['modern', 'legacy'] as const) {
      it(`hands no ${client} client’s poll of a task on to a ${server} server: the task may be another client’s [GATE-3h]`, async () => {
        const polls = ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/update', 'tasks/cancel'];
        const answers = Object.fromEntries(polls.map((method) => [method, () => ({ status: 'working' })]));
        const live = new FakeLiveClient(answers, { era: server, capabilities: declared });
        const surface = surfaceOf(live);
        for (const method of polls) {
          const outcome = await surface.answer(
            clientRequest({ method, params: { taskId: 't1' }, client: { era: client } }),
          );
          assert.deepEqual(outcome, { kind: 'error', error: { code: -32601, message: 'Method not found' } });
        }
        surface.dispose();
        assert.deepEqual(live.sent, []);
      });
    }
  }
});

function surfaceOf(client: FakeLiveClient): ServerSurface {
  const view = serverView('one');
  const live = { view, client, snapshot: snapshotOf() } as unknown as LiveServer;
  const manager: ServerSurfaceDeps['manager'] = {
    use: () => Promise.resolve(live),
    live: () => undefined,
    keyOf: () => view.key,
    onDidChange: () => ({ dispose: () => undefined }),
  };
  return new ServerSurface('one', {
    manager,
    forward: () => Promise.reject(new Error('no tool is called')),
    clock: new ManualClock(),
  });
}
