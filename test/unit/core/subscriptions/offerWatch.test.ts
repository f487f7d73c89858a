import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Era, Generation } from '../../../../src/core/connection/state.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { OfferWatch } from '../../../../src/core/subscriptions/offerWatch.ts';
import { type FakeListening, fakeListening } from '../../../support/fakeListening.ts';
import { FakeLiveClient, rawTool, rpcFailure } from '../../../support/fakeLiveClient.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { settled } from '../../../support/settled.ts';

const listen = { acknowledge: 100, retryFirst: 1_000, retryMost: 4_000, retries: 3, stable: 60_000 };
const toolsChanged = 'notifications/tools/list_changed';

describe('OfferWatch', () => {
  let clock: ManualClock;
  let client: FakeLiveClient;
  let listening: FakeListening;
  let watch: OfferWatch;

  async function start(
    era: Era,
    capabilities = { tools: { listChanged: true }, resources: { subscribe: true } },
  ): Promise<void> {
    clock = new ManualClock();
    let count = 0;
    client = new FakeLiveClient(
      {
        'tools/list': () => ({ tools: [rawTool(`t${(count += 1)}`)] }),
        'resources/list': () => ({ resources: [] }),
        'resources/subscribe': () => ({}),
        'resources/unsubscribe': () => ({}),
      },
      { era, capabilities },
    );
    client.listen = listening.listen;
    watch = new OfferWatch({
      client,
      clock,
      generation: 1 as Generation,
      firstRevision: 1,
      isCurrent: () => true,
      pace: { listen },
    });
    await watch.start();
    await settled();
  }
  /** Lets what is due happen, and its answers arrive. */
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    await settled();
  }
  const troubles = (): string[] => watch.warnings.map(({ what }) => what);

  beforeEach(() => {
    listening = fakeListening();
  });

  it('hears a legacy server that never declared its changes', async () => {
    await start('legacy', { tools: {} } as never);
    client.tell(toolsChanged);
    await pass(50);
    assert.equal(client.asked('tools/list'), 2);
    assert.equal(listening.streams.length, 0);
  });

  it('hears a modern server through its acknowledged subscription', async () => {
    await start('modern');
    assert.deepEqual(listening.streams[0]?.filter, { toolsListChanged: true });
    client.tell(toolsChanged);
    await pass(50);
    assert.equal(watch.snapshot?.revision, 2);
    assert.deepEqual(troubles(), []);
  });

  it('opens the subscription before the first list has come', async () => {
    await start('modern');
    assert.equal(listening.streams.length, 1);
  });

  it('hears what a modern server says in the same breath as its acknowledgement', async () => {
    listening.answer = async (filter) => {
      await settled();
      client.tell(toolsChanged);
      return filter;
    };
    await start('modern');
    await settled();
    await pass(50);
    assert.equal(client.asked('tools/list'), 2);
  });

  it('asks nothing of a modern server that declares no changes', async () => {
    await start('modern', { tools: {} } as never);
    assert.equal(listening.streams.length, 0);
    assert.deepEqual(troubles(), []);
  });

  it('takes a missing acknowledgement as a trouble of its own', async () => {
    listening.answer = () =>
      Promise.reject(new ManagerError('requestTimeout', { seconds: 10 }, { outcome: 'unknown' }));
    await start('modern');
    assert.deepEqual(troubles(), ['subscriptionMissing']);
    assert.equal(watch.snapshot?.tools.length, 1);
    client.tell(toolsChanged);
    await pass(10_000);
    assert.equal(client.asked('tools/list'), 1);
    assert.equal(listening.streams.length, 1);
  });

  it('takes a refusal and a smaller acknowledgement as troubles, and hears only what was acknowledged', async () => {
    listening.answer = () => Promise.reject(rpcFailure('subscriptions/listen', -32601, 'no such method'));
    await start('modern');
    assert.deepEqual(watch.warnings, [
      { about: 'subscription', what: 'subscriptionRejected', detail: 'protocolError -32601 no such method' },
    ]);
    listening = fakeListening();
    listening.answer = () => ({});
    await start('modern');
    assert.deepEqual(watch.warnings, [
      { about: 'subscription', what: 'subscriptionNotHonoured', detail: 'toolsListChanged' },
    ]);
    client.tell(toolsChanged);
    await pass(50);
    assert.equal(client.asked('tools/list'), 1);
  });

  it('leaves a stream that the server ended in order at that', async () => {
    await start('modern');
    listening.streams[0]!.closed.resolve('graceful');
    await settled();
    assert.deepEqual(troubles(), ['subscriptionClosed']);
    await pass(60_000);
    assert.equal(listening.streams.length, 1);
  });

  it('opens a broken stream again and reads what may have been missed', async () => {
    await start('modern');
    listening.streams[0]!.closed.resolve('remote');
    await settled();
    assert.deepEqual(troubles(), ['subscriptionClosed']);
    await pass(999);
    assert.equal(listening.streams.length, 1);
    await pass(1);
    assert.equal(listening.streams.length, 2);
    assert.deepEqual(troubles(), []);
    await pass(50);
    assert.equal(client.asked('tools/list'), 2);
  });

  it('gives up a stream that breaks again and again, with growing pauses', async () => {
    await start('modern');
    const opened: number[] = [];
    for (let ms = 0; ms < 60_000; ms += 500) {
      const last = listening.streams.at(-1)!;
      if (last.open) {
        last.open = false;
        opened.push(ms);
        last.closed.resolve('remote');
        await settled();
      }
      await pass(500);
    }
    assert.deepEqual(opened, [0, 1_000, 3_000, 7_000]);
    assert.deepEqual(troubles(), ['subscriptionClosed']);
  });

  it('keeps trouble with the subscription through a good refresh', async () => {
    listening.answer = () => ({});
    await start('modern');
    await watch.refresh();
    assert.deepEqual(troubles(), ['subscriptionNotHonoured']);
  });

  it('closes its stream and hears nothing more when it is disposed', async () => {
    await start('modern');
    watch.dispose();
    client.tell(toolsChanged);
    await pass(60_000);
    assert.equal(listening.streams[0]?.open, false);
    assert.equal(client.asked('tools/list'), 1);
    assert.equal(clock.pending, 0);
  });

  describe('resources', () => {
    const updated = 'notifications/resources/updated';

    it('subscribes and unsubscribes by request in the legacy era', async () => {
      await start('legacy');
      const heard: string[] = [];
      watch.resources.onDidUpdate(({ uri }) => heard.push(uri));
      client.tell(updated, { uri: 'file:///a' });
      await watch.resources.subscribe('file:///a');
      await watch.resources.subscribe('file:///a');
      client.tell(updated, { uri: 'file:///a' });
      client.tell(updated, { uri: 7 });
      await watch.resources.unsubscribe('file:///a');
      client.tell(updated, { uri: 'file:///a' });
      assert.deepEqual(heard, ['file:///a']);
      assert.equal(client.asked('resources/subscribe'), 1);
      assert.equal(client.asked('resources/unsubscribe'), 1);
    });

    it('listens to all subscribed resources on one modern stream, the new one before the old one ends', async () => {
      await start('modern');
      await watch.resources.subscribe('file:///a');
      await watch.resources.subscribe('file:///b');
      const [, first, second] = listening.streams;
      assert.deepEqual(second?.filter, { resourceSubscriptions: ['file:///a', 'file:///b'] });
      assert.deepEqual([first?.open, second.open], [false, true]);
      await watch.resources.unsubscribe('file:///b');
      assert.deepEqual(listening.streams[3]?.filter, { resourceSubscriptions: ['file:///a'] });
      await watch.resources.unsubscribe('file:///a');
      assert.equal(listening.streams.at(-1)?.open, false);
      assert.equal(listening.streams.length, 4);
    });

    it('keeps the subscriptions it has when a further one is not honoured', async () => {
      await start('modern');
      await watch.resources.subscribe('file:///a');
      listening.answer = () => ({ resourceSubscriptions: ['file:///a'] });
      await assert.rejects(watch.resources.subscribe('file:///b'), { code: 'protocolError' });
      assert.deepEqual([...watch.resources.uris], ['file:///a']);
      assert.equal(listening.streams[1]?.open, true);
      assert.deepEqual(troubles(), []);
    });

    it('refuses where the server offers no subscriptions, without asking it', async () => {
      await start('legacy', { tools: {}, resources: {} } as never);
      await assert.rejects(watch.resources.subscribe('file:///a'), { code: 'protocolError' });
      assert.equal(client.asked('resources/subscribe'), 0);
    });
  });
});
