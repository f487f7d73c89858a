import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../src/base/deferred.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { LiveServer } from '../../../src/core/manager/view.ts';
import { ServerFollower } from '../../../src/gateway/serverFollower.ts';
import type { SurfaceEvent } from '../../../src/gateway/surface.ts';
import { FakeLiveClient } from '../../support/fakeLiveClient.ts';
import { offeredTool, serverView } from '../../support/managerView.ts';
import { settled } from '../../support/settled.ts';
import { snapshotOf } from '../../support/snapshotOf.ts';

describe('ServerFollower', () => {
  const { signal } = new AbortController();
  const uri = 'a:b';
  let asked: string[];
  let answers: Deferred<undefined>[];
  let client: FakeLiveClient;
  let live: LiveServer;
  beforeEach(() => {
    [asked, answers, client] = [[], [], new FakeLiveClient()];
    const resources = {
      onDidUpdate: new Emitter<{ readonly uri: string }>().event,
      subscribe: () => {
        asked.push('subscribe');
        const answer = deferred<undefined>();
        answers.push(answer);
        return answer.promise;
      },
      unsubscribe: () => Promise.resolve(void asked.push('unsubscribe')),
    };
    live = { view: serverView('one'), client, snapshot: snapshotOf(), resources } as unknown as LiveServer;
  });

  function follower(tell: (event: SurfaceEvent) => void = () => undefined): ServerFollower {
    return new ServerFollower({ onDidChange: new Emitter<void>().event, live: () => live, tell });
  }

  it('keeps a subscription that one client still waits for when the last other one leaves, at this surface or another', async () => {
    const [one, other] = [follower(), follower()];
    const first = one.subscribe(uri, live, { signal });
    answers[0]?.resolve(undefined);
    await first;
    const [second, third] = [one.subscribe(uri, live, { signal }), other.subscribe(uri, live, { signal })];
    await one.unsubscribe(uri);
    for (const answer of answers) answer.resolve(undefined);
    await Promise.all([second, third]);
    await one.unsubscribe(uri);
    assert.equal(asked.includes('unsubscribe'), false);
    await other.unsubscribe(uri);
    assert.deepEqual(asked, ['subscribe', 'subscribe', 'subscribe', 'unsubscribe']);
  });

  it('takes back what failed, and counts it no more', async () => {
    const one = follower();
    const failing = one.subscribe(uri, live, { signal });
    answers[0]?.reject(new Error('no'));
    await assert.rejects(failing, /no/);
    asked.length = 0;
    const subscribed = one.subscribe(uri, live, { signal });
    answers[1]?.resolve(undefined);
    await subscribed;
    await one.unsubscribe(uri);
    assert.deepEqual(asked, ['subscribe', 'unsubscribe']);
  });

  it('offers a line of no request once for all surfaces of the connection: two sessions at two of them hear nothing', async () => {
    const heard: string[] = [];
    const surface = (name: string): ServerFollower =>
      follower((event) => {
        if (event.kind === 'log')
          event.of.offer(() => void heard.push(`${name} ${JSON.stringify(event.params['data'])}`));
      });
    const one = surface('one');
    client.tell('notifications/message', { data: 'first' });
    await settled();
    const other = surface('other');
    client.tell('notifications/message', { data: 'second' });
    await settled();
    one.dispose();
    client.tell('notifications/message', { data: 'third' });
    await settled();
    other.dispose();
    assert.deepEqual(heard, ['one "first"', 'other "third"']);
  });

  it('tells that it was started again, with all that it offers as changed, once it is listed anew, and not at its first start', () => {
    const changes = new Emitter<void>();
    const told: string[] = [];
    let now: LiveServer | undefined = { ...live, snapshot: snapshotOf({ tools: [offeredTool('a')] }) };
    const follower = new ServerFollower({
      onDidChange: changes.event,
      live: () => now,
      tell: (event) => told.push(event.kind === 'listChanged' ? event.of : event.kind),
    });
    changes.fire();
    now = undefined;
    changes.fire();
    assert.deepEqual(told, []);
    now = { ...live, client: new FakeLiveClient(), snapshot: snapshotOf({ tools: [offeredTool('a')] }) };
    changes.fire();
    changes.fire();
    assert.deepEqual(told, ['tools', 'restarted']);
    follower.dispose();
  });
});
