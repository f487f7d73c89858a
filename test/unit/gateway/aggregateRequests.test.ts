import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { LiveServer } from '../../../src/core/manager/view.ts';
import { AggregateRequests } from '../../../src/gateway/aggregateRequests.ts';
import { AggregateResults } from '../../../src/gateway/aggregateResults.ts';
import type { Outcome } from '../../../src/gateway/reply.ts';
import { clientRequest } from '../../support/clientRequest.ts';
import { FakeLiveClient } from '../../support/fakeLiveClient.ts';
import { serverView } from '../../support/managerView.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { snapshotOf } from '../../support/snapshotOf.ts';

/** What a client of all servers gets of a call whose server answers so. */
async function answered(result: JsonObject): Promise<Outcome> {
  const clock = new ManualClock();
  const view = serverView('one');
  const live = { view, client: new FakeLiveClient(), snapshot: snapshotOf() } as unknown as LiveServer;
  const results = new AggregateResults(clock);
  const requests = new AggregateRequests({
    servers: { use: () => Promise.resolve(live), awaitOwners: () => Promise.resolve() },
    results,
    forward: () => Promise.resolve({ kind: 'value', result }),
    clock,
  });
  const item = { server: { id: view.server.id, key: view.key }, name: 'mcp__one__a', inner: 'a', raw: {} };
  const found = { kind: 'one', item } as never;
  const named = { name: item.name, find: () => found, isOwner: () => true };
  const outcome = await requests.callTool(clientRequest({ params: { name: item.name, arguments: {} } }), named);
  requests.dispose();
  results.dispose();
  return outcome;
}

describe('a call of a client of all servers', () => {
  it('gets a result that can be read, and what is none is told to be none', async () => {
    for (const result of [{ content: 'x' }, { content: {} }, { content: [], isError: 'yes' }]) {
      const outcome = await answered(result);
      assert.ok(outcome.kind === 'error', JSON.stringify(result));
      assert.deepEqual(outcome.error.data, { code: 'invalidResponse', outcome: 'completed' });
    }
    const text = { type: 'text', text: 'hello' };
    const outcome = await answered({ content: [text], isError: true });
    assert.deepEqual(outcome, { kind: 'value', result: { content: [text], isError: true } });
    assert.equal((await answered({ structuredContent: { a: 1 } })).kind, 'value');
  });
});
