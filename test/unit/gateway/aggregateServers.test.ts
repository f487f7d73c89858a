import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../src/base/deferred.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { limits } from '../../../src/core/limits.ts';
import type { LiveServer, ManagerChange, ServerView } from '../../../src/core/manager/view.ts';
import { AggregateEvents } from '../../../src/gateway/aggregateEvents.ts';
import { AggregateServers, type AggregateServersDeps } from '../../../src/gateway/aggregateServers.ts';
import type { SurfaceEvent } from '../../../src/gateway/surface.ts';
import { FakeLiveClient } from '../../support/fakeLiveClient.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { managerView, offeredItem, offeredTool, serverView } from '../../support/managerView.ts';
import { settled } from '../../support/settled.ts';
import { snapshotOf } from '../../support/snapshotOf.ts';

const { signal } = new AbortController();

/** A manager of views that the test sets, which notes what is to be started. */
function managerOf(...first: ServerView[]) {
  const clock = new ManualClock();
  const changed = new Emitter<ManagerChange>();
  const starts = new Map<string, Deferred<LiveServer>>();
  let views = first;
  const manager: AggregateServersDeps['manager'] = {
    view: () => managerView(views),
    use: (key) => {
      const start = deferred<LiveServer>();
      starts.set(key, start);
      return start.promise;
    },
    live: () => undefined,
    keyOf: (id) => views.find(({ server }) => server.id === id)?.key,
    onDidChange: changed.event,
  };
  const deps = { manager, clock };
  const servers = new AggregateServers(deps);
  const show = (...now: ServerView[]): void => {
    views = now;
    changed.fire({ kind: 'all' });
  };
  return { clock, servers, deps, starts, show, up: (id: string) => starts.get(`user:${id}`)!.resolve({} as never) };
}

const offering = (id: string, tools: Record<string, JsonObject> = { a: {} }): ServerView =>
  serverView(id, {
    snapshot: snapshotOf({ tools: Object.entries(tools).map(([name, raw]) => offeredTool(name, raw)) }),
  });

describe('AggregateServers', () => {
  it('starts all of which nothing is known, at once and each once', () => {
    const problem = { code: 'blockedTrust', data: {} } as const;
    const { servers, starts } = managerOf(
      serverView('one'),
      serverView('two'),
      offering('live'),
      serverView('kept', { kept: snapshotOf() }),
      serverView('off', { state: { kind: 'disabled' } }),
      serverView('barred', { state: { kind: 'blocked', by: 'trust', problem } }),
      serverView('behind', { role: 'overridden' }),
    );
    servers.start();
    assert.deepEqual([...starts.keys()], ['user:one', 'user:two']);
    starts.clear();
    servers.start();
    assert.deepEqual([...starts.keys()], []);
  });

  it('starts anew what was defined anew', () => {
    const { servers, starts, show } = managerOf(serverView('one'));
    servers.start();
    starts.clear();
    show(serverView('one', { url: 'https://elsewhere.example/mcp' }));
    servers.start();
    assert.deepEqual([...starts.keys()], ['user:one']);
  });

  it('waits for none where something is known of any', async () => {
    const { servers, starts } = managerOf(serverView('one'), serverView('kept', { kept: snapshotOf() }));
    await servers.known(signal);
    assert.equal(starts.size, 1);
  });

  it('waits for the first one, and for the others as long again', async () => {
    const { clock, servers, up } = managerOf(serverView('one'), serverView('two'), serverView('hangs'));
    let answered = false;
    const known = servers.known(signal).then(() => (answered = true));
    clock.advance(400);
    up('one');
    await settled();
    clock.advance(399);
    await settled();
    assert.equal(answered, false);
    up('two');
    clock.advance(1);
    await known;
    await servers.known(signal);
  });

  it('answers when all are there, or none will come', async () => {
    for (const end of ['up', 'failed'] as const) {
      const { clock, servers, starts } = managerOf(serverView('one'), serverView('two'));
      const known = servers.known(signal);
      clock.advance(400);
      for (const start of starts.values()) {
        if (end === 'up') start.resolve({} as never);
        else start.reject(new Error('it failed'));
      }
      await known;
      assert.equal(clock.pending, 0);
    }
  });

  it('waits no longer than a bound, and then never again', async () => {
    const { clock, servers } = managerOf(serverView('hangs'));
    const known = servers.known(signal);
    clock.advance(limits.aggregate.firstList);
    await settled();
    clock.advance(0);
    await known;
    await servers.known(signal);
  });

  it('ends the wait of whoever gave up', async () => {
    const { servers } = managerOf(serverView('hangs'));
    const gone = new AbortController();
    const known = servers.known(gone.signal);
    gone.abort();
    await assert.rejects(known);
  });
});

describe('AggregateEvents', () => {
  const heard = (events: AggregateEvents): SurfaceEvent[] => {
    const all: SurfaceEvent[] = [];
    events.onEvent((event) => all.push(event));
    return all;
  };
  const tools = { kind: 'listChanged', of: 'tools' } as const;

  it('announces what several servers brought in one message for each kind', () => {
    const { clock, servers, deps, show } = managerOf(serverView('one'), serverView('two'));
    const all = heard(new AggregateEvents(servers, deps));
    show(offering('one'), serverView('two'));
    clock.advance(limits.aggregate.coalesce - 1);
    const prompts = [offeredItem('p')];
    show(offering('one'), serverView('two', { snapshot: snapshotOf({ tools: [offeredTool('a')], prompts }) }));
    assert.deepEqual(all, []);
    clock.advance(1);
    assert.deepEqual(all, [tools, { kind: 'listChanged', of: 'prompts' }]);
  });

  it('says nothing of a list that came again as it was, from the kept one on, and of one that stays while its server is gone', () => {
    const kept = snapshotOf({ tools: [offeredTool('a', { description: 'x' })], resources: [offeredItem('f:a')] });
    const { clock, servers, deps, show } = managerOf(serverView('one', { kept }));
    const all = heard(new AggregateEvents(servers, deps));
    show(serverView('one', { snapshot: snapshotOf(structuredClone(kept)) }));
    clock.advance(1_000);
    show(serverView('one', { kept, state: { kind: 'stopped' } }));
    clock.advance(1_000);
    assert.deepEqual(all, []);
  });

  it('tells of a tool that changed in its annotations alone, of a template as of a resource, and of a server that went', () => {
    const { clock, servers, deps, show } = managerOf(offering('one'));
    const all = heard(new AggregateEvents(servers, deps));
    const after = (...views: ServerView[]): SurfaceEvent[] => {
      all.length = 0;
      show(...views);
      clock.advance(limits.aggregate.coalesce);
      return [...all];
    };
    const annotated = { a: { annotations: { destructiveHint: true } } };
    assert.deepEqual(after(offering('one', annotated)), [tools]);
    const resourceTemplates = [offeredItem('f:{a}')];
    const template = serverView('two', { snapshot: snapshotOf({ resourceTemplates }) });
    assert.deepEqual(after(offering('one', annotated), template), [{ kind: 'listChanged', of: 'resources' }]);
    assert.deepEqual(after(template), [tools]);
  });

  it('asks servers for the most that the clients of any surface want, and waits for none of them', async () => {
    const client = new FakeLiveClient(
      { 'logging/setLevel': () => new Promise<never>(() => undefined) },
      { capabilities: { logging: {} } },
    );
    const { servers, deps } = managerOf(offering('one'));
    const live = { client, snapshot: snapshotOf(), resources: { onDidUpdate: new Emitter().event } };
    const events = new AggregateEvents(
      new AggregateServers({ ...deps, manager: { ...deps.manager, live: () => live as never } }),
      deps,
    );
    servers.dispose();
    const asked = (): unknown => client.sent.at(-1)?.params?.['level'];
    const [plan, act] = [{}, {}];
    const follow = async (surface: object, level: string | undefined): Promise<unknown> => {
      events.setLogLevel(surface, level);
      await settled();
      return asked();
    };
    assert.equal(await follow(act, 'debug'), 'debug');
    assert.equal(await follow(plan, 'error'), 'debug');
    assert.equal(await follow(act, undefined), 'error');
    events.dispose();
  });
});
