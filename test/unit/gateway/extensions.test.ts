import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Era } from '../../../src/core/connection/state.ts';
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
  it('lets pages cross between all eras, tasks between modern sides alone, and nothing that nobody here understands', () => {
    const named = (client: Era, server: Era): JsonObject => crossing(declared, { client, server });
    const both = { tools: {}, extensions: { [pages]: { a: 1 }, [tasks]: {} } };
    const onlyPages = { tools: {}, extensions: { [pages]: { a: 1 } } };
    assert.deepEqual(named('modern', 'modern'), both);
    for (const [client, server] of [
      ['modern', 'legacy'],
      ['legacy', 'modern'],
      ['legacy', 'legacy'],
    ] as const) {
      assert.deepEqual(named(client, server), onlyPages);
    }
    assert.deepEqual(withoutExtensions(declared), { tools: {} });
  });

  it('takes what is no list of extensions for none', () => {
    for (const extensions of [[], null, 'all', { 'com.example/other': {} }])
      assert.deepEqual(crossing({ tools: {}, extensions }, { client: 'modern', server: 'modern' }), { tools: {} });
  });

  it('tells a modern server what of a client’s extensions crosses, and of a client of all servers none', () => {
    const request = clientRequest({ client: { era: 'modern', capabilities: declared } });
    const told = (each: typeof request | (typeof request & { declared: JsonObject })): unknown =>
      (upstreamParams(each, 'modern')['_meta'] as JsonObject)['io.modelcontextprotocol/clientCapabilities'];
    assert.deepEqual(told(request), crossing(declared, { client: 'modern', server: 'modern' }));
    assert.deepEqual(told({ ...request, declared: { tools: {} } }), { tools: {} });
  });

  for (const [client, server, capabilities, passes] of [
    ['modern', 'modern', declared, true],
    ['modern', 'modern', { tools: {} }, false],
    ['legacy', 'modern', declared, false],
    ['modern', 'legacy', declared, false],
  ] as const) {
    const has = capabilities === declared ? 'that has tasks' : 'without tasks';
    it(`${passes ? 'hands' : 'does not hand'} a ${client} client’s poll of a task on to a ${server} server ${has} [GATE-3h]`, async () => {
      const live = new FakeLiveClient(
        { 'tasks/get': ({ taskId }) => ({ taskId, status: 'working' }) },
        { era: server, capabilities },
      );
      const surface = surfaceOf(live);
      const request = clientRequest({ method: 'tasks/get', params: { taskId: 't1' }, client: { era: client } });
      const outcome = await surface.answer(request);
      surface.dispose();
      assert.equal(live.asked('tasks/get'), passes ? 1 : 0);
      if (outcome.kind === 'error') assert.equal(outcome.error.code, -32601);
      assert.equal(outcome.kind, passes ? 'value' : 'error');
    });
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
