import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../../src/base/deferred.ts';
import type { JsonObject } from '../../../../src/contract/json.ts';
import type { Generation } from '../../../../src/core/connection/state.ts';
import { SnapshotPublisher } from '../../../../src/core/discovery/snapshotPublisher.ts';
import type { ServerSnapshot } from '../../../../src/core/discovery/snapshot.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { FakeLiveClient, rawTool } from '../../../support/fakeLiveClient.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { settled } from '../../../support/settled.ts';

const failure = new ManagerError('requestTimeout', { seconds: 15 }, { outcome: 'unknown' });

describe('SnapshotPublisher', () => {
  let clock: ManualClock;
  let client: FakeLiveClient;
  let publisher: SnapshotPublisher;
  let published: ServerSnapshot[];
  let current: boolean;
  /** The answers to tools/list that are being waited for. */
  let asked: Deferred<JsonObject>[];

  beforeEach(() => {
    clock = new ManualClock();
    asked = [];
    published = [];
    current = true;
    client = new FakeLiveClient(
      { 'tools/list': () => (asked.push(deferred()), asked.at(-1)!.promise) },
      { capabilities: {} },
    );
    publisher = new SnapshotPublisher({
      client,
      clock,
      generation: 3 as Generation,
      firstRevision: 7,
      isCurrent: () => current,
      pace: { coalesce: 50, perMinute: 60 },
    });
    publisher.onDidPublish((snapshot) => published.push(snapshot));
  });

  /** Answers the oldest request that waits. */
  async function answer(...names: string[]): Promise<void> {
    asked.shift()!.resolve({ tools: names.map((name) => rawTool(name)) });
    await settled();
  }
  async function fail(): Promise<void> {
    asked.shift()!.reject(failure);
    await settled();
  }
  async function started(...names: string[]): Promise<void> {
    client.capabilities = { tools: {} };
    const first = publisher.start();
    await answer(...names);
    await first;
  }
  const names = (snapshot: ServerSnapshot | undefined): unknown => snapshot?.tools.map(({ name }) => name);

  it('publishes the first list with its generation and revision', async () => {
    await started('a');
    assert.deepEqual(names(published[0]), ['a']);
    assert.deepEqual([published[0]?.generation, published[0]?.revision], [3, 7]);
    assert.equal(publisher.snapshot, published[0]);
  });

  it('makes one reading of a burst of changes', async () => {
    await started('a');
    for (let i = 0; i < 20; i++) {
      publisher.changed(['tools']);
      clock.advance(1);
    }
    assert.equal(client.asked('tools/list'), 1);
    clock.advance(50);
    assert.equal(client.asked('tools/list'), 2);
    await answer('a', 'b');
    clock.advance(10_000);
    assert.equal(client.asked('tools/list'), 2);
    assert.deepEqual(names(publisher.snapshot), ['a', 'b']);
    assert.equal(publisher.snapshot?.revision, 8);
  });

  it('reads exactly once more when changes come during the first list, and shows only the newer one', async () => {
    const first = publisher.start();
    publisher.changed(['tools']);
    publisher.changed(['tools']);
    assert.equal(asked.length, 1);
    await answer('old');
    clock.advance(50);
    assert.equal(asked.length, 1);
    await answer('new');
    assert.deepEqual(names(await first), ['new']);
    clock.advance(10_000);
    assert.equal(client.asked('tools/list'), 2);
    assert.deepEqual(published.map(names), [['new']]);
  });

  it('has one reading under way at a time and joins the wishes that come meanwhile', async () => {
    await started('a');
    const one = publisher.refresh();
    const two = publisher.refresh();
    const three = publisher.refresh();
    assert.equal(asked.length, 1);
    await answer('b');
    assert.equal(asked.length, 1);
    await answer('c');
    await Promise.all([one, two, three]);
    assert.equal(client.asked('tools/list'), 3);
    assert.deepEqual(names(publisher.snapshot), ['c']);
  });

  it('shows a server that changes at every look all the same', async () => {
    await started('0');
    publisher.changed(['tools']);
    for (let look = 1; look <= 6; look++) {
      clock.advance(50);
      publisher.changed(['tools']);
      await answer(String(look));
    }
    assert.deepEqual(published.map(names), [['0'], ['2'], ['4'], ['6']]);
  });

  it('reads a bounded number of times in a minute for a server that never stops', async () => {
    await started('a');
    const before = client.asked('tools/list');
    for (let ms = 0; ms < 50_000; ms += 25) {
      publisher.changed(['tools']);
      clock.advance(25);
      if (asked.length > 0) await answer('a');
    }
    const readings = client.asked('tools/list') - before;
    assert.ok(readings >= 30 && readings <= 120, `${readings}`);
  });

  it('keeps the list when a refresh fails, says so, and takes it back when one succeeds', async () => {
    await started('a');
    const warned: number[] = [];
    publisher.onDidChangeWarnings((warnings) => warned.push(warnings.length));
    const refresh = assert.rejects(publisher.refresh(), failure);
    await fail();
    await refresh;
    assert.deepEqual(names(publisher.snapshot), ['a']);
    assert.deepEqual(publisher.warnings, [{ about: 'tools', what: 'listFailed', detail: 'no answer within 15 s' }]);
    const again = publisher.refresh();
    await answer('b');
    await again;
    assert.deepEqual(publisher.warnings, []);
    assert.deepEqual(warned, [1, 0]);
  });

  it('fails to start when its only list fails, and can start later', async () => {
    client.capabilities = { tools: {} };
    const first = assert.rejects(publisher.start(), failure);
    await fail();
    await first;
    assert.equal(published.length, 0);
    const second = publisher.start();
    await answer('a');
    assert.deepEqual(names(await second), ['a']);
  });

  it('starts with the list that was overtaken when the newer one fails', async () => {
    client.capabilities = { tools: {} };
    const first = publisher.start();
    publisher.changed(['tools']);
    await answer('old');
    clock.advance(50);
    await fail();
    assert.deepEqual(names(await first), ['old']);
    assert.equal(publisher.warnings.length, 1);
  });

  it('starts with what it got when one list of several fails', async () => {
    client.capabilities = { tools: {}, prompts: {} };
    client.answers['prompts/list'] = () => Promise.reject(failure);
    const first = publisher.start();
    await answer('a');
    const snapshot = await first;
    assert.deepEqual(names(snapshot), ['a']);
    assert.deepEqual(snapshot.incomplete, [{ kind: 'prompts', reason: 'pageFailed', detail: 'no answer within 15 s' }]);
    assert.equal(publisher.warnings.length, 1);
  });

  it('reads only the kind that changed', async () => {
    client.capabilities = { tools: {}, prompts: {} };
    let prompts = 0;
    client.answers['prompts/list'] = () => ({ prompts: [{ name: `p${(prompts += 1)}` }] });
    const first = publisher.start();
    await answer('a');
    await first;
    publisher.changed(['prompts']);
    clock.advance(50);
    await settled();
    assert.equal(client.asked('tools/list'), 1);
    assert.deepEqual(
      publisher.snapshot?.prompts.map(({ name }) => name),
      ['p2'],
    );
    assert.deepEqual(names(publisher.snapshot), ['a']);
  });

  it('gives a list that is read again the room that the others leave', async () => {
    const uris = Array.from({ length: 40 }, (_, at) => `x:${at}`);
    const _meta = { x: 'A'.repeat(3 * 2 ** 20) };
    client.capabilities = { tools: {}, resources: {} };
    client.answers['resources/list'] = () => ({ resources: uris.map((uri) => ({ uri, name: uri, _meta })) });
    const first = publisher.start();
    await answer('a');
    await first;
    const second = publisher.refresh({ kinds: ['tools'] });
    await settled();
    asked.shift()!.resolve({ tools: Array.from({ length: 10 }, (_, at) => rawTool(`t${at}`, { _meta })) });
    await second;
    const { snapshot } = publisher;
    assert.deepEqual([snapshot?.resources.length, snapshot?.tools.length], [40, 2]);
    assert.deepEqual(
      snapshot?.incomplete.map(({ kind, reason }) => [kind, reason]),
      [['tools', 'sizeLimit']],
    );
  });

  it('publishes nothing once another connection owns the server', async () => {
    await started('a');
    const refresh = publisher.refresh();
    current = false;
    await answer('late');
    await refresh;
    assert.deepEqual(published.map(names), [['a']]);
  });

  it('ends every wait when it is disposed, and drops the late answer', async () => {
    await started('a');
    const refresh = assert.rejects(publisher.refresh(), { code: 'connectionClosed' });
    publisher.dispose();
    await refresh;
    await answer('late');
    assert.deepEqual(names(publisher.snapshot), ['a']);
    await assert.rejects(publisher.refresh(), { code: 'connectionClosed' });
    assert.equal(clock.pending, 0);
  });

  it('ends one caller’s wait on abort and nobody else’s', async () => {
    await started('a');
    const controller = new AbortController();
    const aborted = assert.rejects(publisher.refresh({ signal: controller.signal }), { code: 'cancelled' });
    const other = publisher.refresh();
    controller.abort();
    await aborted;
    await answer('b');
    await answer('c');
    await other;
    assert.deepEqual(names(publisher.snapshot), ['c']);
  });
});
