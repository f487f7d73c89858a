// The end of a gateway in order, as at a reload of its window: what its clients hear of what they had under way.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import { deferred } from '../../src/base/deferred.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { ServerKey } from '../../src/core/config/model.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { createToolCalls } from '../../src/core/tools/createToolCalls.ts';
import { Aggregate } from '../../src/gateway/aggregate.ts';
import { Gateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import { ServerSurface } from '../../src/gateway/serverSurface.ts';
import type { Hello, Surface } from '../../src/gateway/surface.ts';
import { eventually } from '../support/eventually.ts';
import { ask, initialize } from '../support/gatewayPeer.ts';
import { type GatewayWorld, useGateways } from '../support/gatewayWorld.ts';
import { messagesIn, modernRequest, raw, rawSession } from '../support/rawClient.ts';

interface Target {
  readonly url: string;
  readonly token: string;
}

const ping = { jsonrpc: '2.0', id: 8, method: 'ping' };
const nothing = () => ({ dispose: () => undefined });
const hello: Hello = { capabilities: {}, serverInfo: { name: 'a', version: '1' }, instructions: undefined };

function surfaceOf(hello: Hello, answer: Surface['answer'] = () => Promise.reject(new Error('not asked'))): Surface {
  const unused = { subscribe: () => Promise.resolve(), unsubscribe: () => Promise.resolve() };
  return {
    ...unused,
    onEvent: nothing,
    hello: () => Promise.resolve(hello),
    answer,
    setLogLevel: () => Promise.resolve(),
  };
}

describe('a gateway that ends', function () {
  this.timeout(60_000);
  const openGateway = useGateways();
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function open(surface: GatewayOptions['surface'], connections?: number): Promise<[Gateway, Target]> {
    const options = { clock: systemClock(), token: 't', surface, ...(connections !== undefined && { connections }) };
    const gateway = new Gateway(options);
    ends.push(() => gateway.close());
    return [gateway, { url: await gateway.listen(), token: 't' }];
  }

  /** Another gateway before the same servers. */
  function before({ manager }: GatewayWorld): Promise<[Gateway, Target]> {
    const clock = systemClock();
    const calls = createToolCalls({ manager, clock });
    const parts = { manager, clock, forward: calls.forward };
    const [one, all] = [new ServerSurface('one', parts), new Aggregate(parts)];
    ends.push(() => [one, all, calls].forEach((part) => part.dispose()));
    return open((endpoint) => (endpoint.kind === 'all' ? all.at(endpoint) : one));
  }

  /** One request of a client of this era. */
  async function request(
    target: Target,
    era: 'legacy' | 'modern',
    path: string,
    method: string,
    params: JsonObject = {},
  ) {
    if (era === 'modern') return raw(target, modernRequest(method, params, { path }));
    return (await rawSession(target, path)).request(7, method, params);
  }

  for (const era of ['legacy', 'modern'] as const) {
    for (const [path, prefix] of [
      ['/mcp/one', ''],
      ['/mcp', 'mcp__one__'],
    ] as const) {
      it(`tells a ${era} client at ${path} that its window was closed, and that its call may have run, before anything breaks [GATE-5e]`, async () => {
        const world = await openGateway({ one: { fixture: 'progress' } });
        const [gateway, target] = await before(world);
        const call = { name: `${prefix}hang`, arguments: {} };
        const answered = request(target, era, path, 'tools/call', call);
        await eventually(() => world.log('one').runs('hang') === 1);
        await gateway.close();
        const answer = await answered;
        const [{ error } = {}] = messagesIn(answer) as { error?: { data: object; message: string } }[];
        assert.deepEqual([answer.status, error?.data], [200, { code: 'windowClosed', outcome: 'unknown' }]);
        assert.match(error?.message ?? '', /tools\/call may have run/);
        await eventually(() => world.log('one').events('cancelled').length === 1);
      });
    }

    it(`says with its status that what a ${era} client asked was not looked at, where that is so [GATE-5e]`, async () => {
      const begun = deferred<undefined>();
      // Its server is starting still.
      const starting = new ServerSurface('one', {
        manager: {
          keyOf: () => 'user:one' as ServerKey,
          live: () => undefined,
          onDidChange: nothing,
          use: (_, options) => {
            begun.resolve(undefined);
            return new Promise((_, reject) =>
              options?.signal?.addEventListener('abort', () => reject(new ManagerError('cancelled'))),
            );
          },
        },
        clock: systemClock(),
        forward: () => Promise.reject(new Error('nothing is called')),
      });
      const surface = surfaceOf(hello, (asked) => starting.answer(asked));
      const [gateway, target] = await open(() => surface);
      const answered = request(target, era, '/mcp', 'tools/list');
      await begun.promise;
      await gateway.close();
      const { status, text } = await answered;
      assert.equal(status, 503);
      assert.match(text, /"code":"windowClosed","outcome":"notSent"/);
    });
  }

  it('gives no session to a handshake that is answered after its end', async () => {
    const [begun, answer] = [deferred<undefined>(), deferred<Hello>()];
    const opened = { sessions: 0 };
    const surface = {
      onEvent: () => {
        opened.sessions += 1;
        return { dispose: () => (opened.sessions -= 1) };
      },
      hello: () => {
        begun.resolve(undefined);
        return answer.promise;
      },
    } as unknown as Surface;
    const [gateway, target] = await open(() => surface);
    const greeted = ask(target, { message: initialize });
    await begun.promise;
    const closed = gateway.close();
    answer.resolve(hello);
    assert.equal((await greeted).status, 503);
    await closed;
    assert.equal(opened.sessions, 0);
  });

  it('gives no session to a handshake of a server that was taken away meanwhile', async () => {
    const [begun, answer] = [deferred<undefined>(), deferred<Hello>()];
    const surface: Surface = {
      ...surfaceOf(hello),
      hello: () => {
        begun.resolve(undefined);
        return answer.promise;
      },
    };
    let behind: Surface | undefined = surface;
    const [gateway, target] = await open(() => behind);
    const greeted = ask(target, { path: '/mcp/one', message: initialize });
    await begun.promise;
    behind = undefined;
    gateway.drop(surface);
    answer.resolve(hello);
    const { session, text } = await greeted;
    assert.equal(session, undefined);
    assert.match(text, /"message":"There is no server “one”\."/);
  });

  it('holds only so many connections open at once, whoever is behind them', async () => {
    const surface = surfaceOf(hello);
    const [, target] = await open(() => surface, 2);
    const { port, hostname } = new URL(target.url);
    const others: Socket[] = [];
    ends.push(() => others.forEach((socket) => socket.destroy()));
    for (let count = 0; count < 2; count += 1) {
      const socket = connect(Number(port), hostname);
      others.push(socket);
      await once(socket, 'connect');
    }
    await assert.rejects(ask(target, { message: ping }));
    others.forEach((socket) => socket.destroy());
    await eventually(async () => (await ask(target).catch(() => undefined))?.status === 200);
  });
});
