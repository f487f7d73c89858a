// What happens to lists while a server lives: changes told in both eras, bursts, failed refreshes, subscriptions that
// break, and resources that are watched.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Connected, type ConnectOptions, useFixtures } from '../support/connectedFixture.ts';
import { limits } from '../../src/core/limits.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manualClock.ts';
import { patience } from '../support/patience.ts';

const modern = { protocol: '2026-07-28' } as const;
const listen = { acknowledge: patience, retryFirst: 100, retryMost: 400, retries: 3, stable: 60_000 };

describe('a server that changes', () => {
  const connect = useFixtures({ pace: { listen } });
  const names = ({ snapshot }: Connected): string[] => snapshot.tools.map(({ name }) => name);
  const has = (connected: Connected, tool: string): Promise<unknown> =>
    eventually(() => names(connected).includes(tool), patience, `tool ${tool}`);
  /** Connects on a clock that moves for the connecting, and then only when the test says so. */
  const connectByHand = async (name: string, options: ConnectOptions = {}) => {
    const clock = new ManualClock();
    return { connected: await clock.during(connect(name, { ...options, clock })), clock };
  };
  const troubles = ({ watch }: Connected): string[] => watch.warnings.map(({ what }) => what);
  const trouble = (connected: Connected, what: string): Promise<unknown> =>
    eventually(() => troubles(connected).includes(what), patience, what);
  /** What the server said before is heard, then all that anyone waits for comes due, and has been asked. */
  const allDue = async ({ call }: Connected, clock: ManualClock): Promise<void> => {
    await call('echo', { text: 'one answer after the other' });
    clock.advance(10 * 60_000);
    await call('echo', { text: 'and one request after the other' });
  };

  it('is heard in the legacy era, declared or not [DISC-4b]', async () => {
    for (const name of ['changes', 'changes-undeclared']) {
      const connected = await connect(name);
      await connected.call('change', { add: ['count'], notify: 1 });
      await has(connected, 'count');
      assert.equal(connected.published.at(-1)?.revision, 2);
      await connected.close();
    }
  });

  it('is heard in the modern era through its acknowledged subscription, on stdio and HTTP [DISC-4c]', async () => {
    for (const over of ['stdio', 'http'] as const) {
      const connected = await connect('changes-modern', { ...modern, over });
      await eventually(() => connected.log.asked('subscriptions/listen') === 1, patience, 'the subscription');
      await connected.call('change', { add: ['count'], notify: 1 });
      await has(connected, 'count');
      assert.deepEqual(troubles(connected), []);
      await connected.close();
    }
  });

  it('is read once for a burst, and no list but the one that changed [DISC-4d, DISC-4f]', async () => {
    const { connected, clock } = await connectByHand('changes');
    let told = 0;
    connected.client.onNotification(() => (told += 1));
    await connected.call('change', { add: ['count'], notify: 50, kinds: ['tools'] });
    await eventually(() => told === 50, patience, 'all of the burst');
    clock.advance(limits.discovery.coalesce);
    await has(connected, 'count');
    await allDue(connected, clock);
    assert.equal(connected.log.asked('tools/list'), 2);
    assert.equal(connected.log.asked('prompts/list'), 1);
  });

  it('is read exactly once more when it changes during the first list [DISC-4a, DISC-4d]', async () => {
    for (const [name, options] of [
      ['changes-during-list', {}],
      ['changes-during-list-modern', modern],
    ] as const) {
      const { connected, clock } = await connectByHand(name, options);
      clock.advance(limits.discovery.coalesce); // Not overtaken where the news came right after the list.
      await has(connected, 'count');
      await allDue(connected, clock);
      assert.equal(connected.log.asked('tools/list'), 2, name);
      await connected.close();
    }
  });

  it('is read a bounded number of times when it changes at every look, and shown all the same [DISC-4d]', async () => {
    const pace = { refresh: { coalesce: 10, perMinute: 5 } };
    const { connected, clock } = await connectByHand('changes-for-ever', { pace });
    // Less than a minute of its clock, in which what it tells is heard and what is due is asked.
    for (let step = 0; step < 40; step += 1) {
      clock.advance(10);
      await connected.call('echo', { text: 'x' });
    }
    assert.ok(connected.published.length >= 2);
    // Five in the minute, and for each at most one more that shows what was held back.
    assert.ok(connected.log.asked('tools/list') <= 11, String(connected.log.asked('tools/list')));
  });

  it('has one list request under way at a time, whoever asks [DISC-4a]', async () => {
    const connected = await connect('slow-list', { timeouts: { list: patience } });
    const before = connected.log.asked('tools/list');
    await Promise.all([1, 2, 3, 4, 5].map(() => connected.watch.refresh({ kinds: ['tools'] })));
    // The first one, and one for all that asked meanwhile.
    assert.equal(connected.log.asked('tools/list') - before, 2);
  });

  it('publishes nothing more once another connection owns it, not even what is on its way [DISC-4e]', async () => {
    let current = true;
    const connected = await connect('slow-list', { timeouts: { list: patience }, isCurrent: () => current });
    const refresh = connected.watch.refresh();
    current = false;
    await refresh;
    assert.equal(connected.log.asked('tools/list'), 2);
    assert.equal(connected.published.length, 1);
  });

  it('keeps its list when a refresh fails, with a warning [DISC-4g, DISC-5c]', async () => {
    const connected = await connect('list-fails-later');
    const before = names(connected);
    await assert.rejects(connected.watch.refresh(), { code: 'protocolError' });
    assert.deepEqual(names(connected), before);
    assert.deepEqual(troubles(connected), ['listFailed']);
    await connected.call('echo', { text: 'still there' });
  });

  for (const [name, what] of [
    ['subscription-missing', 'subscriptionRejected'],
    ['subscription-rejected', 'subscriptionRejected'],
    ['subscription-silent', 'subscriptionMissing'],
    ['subscription-not-honoured', 'subscriptionNotHonoured'],
  ] as const) {
    it(`whose subscription fails (${name}) has a diagnostic, its lists and its connection [DISC-5a, DISC-5b, DISC-5c]`, async () => {
      const acknowledge = what === 'subscriptionMissing' ? 400 : patience;
      const connected = await connect(name, { ...modern, pace: { listen: { ...listen, acknowledge } } });
      await trouble(connected, what);
      await connected.watch.refresh();
      assert.deepEqual(troubles(connected), [what]);
      await connected.call('change', { add: ['count'] });
      await connected.watch.refresh();
      assert.ok(names(connected).includes('count'));
    });
  }

  it('that ends the subscription has a diagnostic and is not asked again [DISC-5a, DISC-5b]', async () => {
    const { connected, clock } = await connectByHand('subscription-ends', modern);
    await trouble(connected, 'subscriptionClosed');
    await allDue(connected, clock);
    assert.equal(connected.log.asked('subscriptions/listen'), 1);
  });

  it('whose HTTP stream breaks is listened to again, and what was missed is read [DISC-5d, DISC-5a]', async () => {
    const { connected, clock } = await connectByHand('subscription-dropped-once', { ...modern, over: 'http' });
    await trouble(connected, 'subscriptionClosed');
    await connected.call('change', { add: ['count'], notify: 0 });
    clock.advance(listen.retryFirst);
    await eventually(() => troubles(connected).length === 0, patience, 'a new stream');
    clock.advance(limits.discovery.coalesce);
    await has(connected, 'count');
    assert.equal(connected.log.asked('subscriptions/listen'), 2);
  });

  it('whose HTTP stream breaks always is left alone after some attempts [DISC-5a, DISC-4d]', async () => {
    const { connected, clock } = await connectByHand('subscription-dropped', { ...modern, over: 'http' });
    const isClosed = (): boolean => troubles(connected).includes('subscriptionClosed');
    let closed = isClosed();
    let breaks = closed ? 1 : 0;
    connected.watch.onDidChangeWarnings(() => {
      if (isClosed() && !closed) breaks += 1;
      closed = isClosed();
    });
    for (const attempt of [1, 2, 3, 4]) {
      if (attempt > 1) clock.advance(listen.retryMost);
      await eventually(() => breaks === attempt, patience, `break ${attempt}`);
    }
    await allDue(connected, clock);
    assert.equal(connected.log.asked('subscriptions/listen'), 4);
  });

  it('renews lists and subscription with a new connection [DISC-5d]', async () => {
    const first = await connect('subscription-ends-once', modern);
    await trouble(first, 'subscriptionClosed');
    await first.close();
    const second = await connect('changes-modern', modern);
    assert.deepEqual(troubles(second), []);
    assert.equal(second.log.asked('subscriptions/listen'), 1);
  });

  for (const [era, options] of [
    ['legacy', {}],
    ['modern', modern],
  ] as const) {
    it(`tells of the resources that are subscribed to, and of no others (${era}) [DISC-7b]`, async () => {
      const { watch, call } = await connect(era === 'legacy' ? 'changes' : 'changes-modern', options);
      const heard: string[] = [];
      watch.resources.onDidUpdate(({ uri }) => heard.push(uri));
      await call('update', { uri: 'fixture://counter' });
      await watch.resources.subscribe('fixture://counter');
      await call('update', { uri: 'fixture://counter' });
      await eventually(() => heard.length === 1, patience, 'the update');
      await watch.resources.unsubscribe('fixture://counter');
      await call('update', { uri: 'fixture://counter' });
      await call('echo', { text: 'after it' });
      assert.deepEqual(heard, ['fixture://counter']);
    });
  }
});
