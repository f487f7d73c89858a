// An attached proxy and gateways of this very process, which end in order, forget sessions and listen on sockets.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/event.ts';
import { AttachedProxy } from '../../src/cli/proxy/attachedProxy.ts';
import { LineOutput } from '../../src/cli/proxy/lineOutput.ts';
import { ownerText } from '../../src/contract/gatewayWire.ts';
import type { AnnouncedWindow, WindowDescriptor } from '../../src/contract/windowDescriptor.ts';
import { ownIdentity } from '../../src/core/config/processIdentity.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import type { ClientRequest, Surface, SurfaceEvent } from '../../src/gateway/surface.ts';
import { createToken } from '../../src/gateway/token.ts';
import { eventually } from '../support/eventually.ts';
import { patience } from '../support/patience.ts';
import type { Message } from '../support/proxyWorld.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { restrictedWindow, windowOf } from '../support/windowOf.ts';

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };

/** A surface that notes what it is asked, and answers when it is told. */
class NotedSurface implements Surface {
  readonly events = new Emitter<SurfaceEvent>();
  readonly onEvent = this.events.event;
  readonly requests: ClientRequest[] = [];
  readonly said: string[] = [];
  /** Never answers about subscriptions and log levels. */
  isSlow = false;
  /** A URI that there is not. */
  unknown: string | undefined;
  /** What never ends here. */
  hanging = ['hang'];

  hello(): ReturnType<Surface['hello']> {
    const capabilities = { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} };
    return Promise.resolve({ capabilities, serverInfo: { name: 'noted', version: '1' }, instructions: undefined });
  }

  async answer(request: ClientRequest): ReturnType<Surface['answer']> {
    this.requests.push(request);
    const { name } = request.params;
    if (name === 'ask') {
      const { answer = '' } = (await request.ask?.('elicitation/create', { message: 'well?' }, request.signal)) ?? {};
      return { kind: 'value', result: { answer } };
    }
    if (this.hanging.includes(typeof name === 'string' ? name : request.method)) {
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
      throw new ManagerError('cancelled', {}, { outcome: 'unknown' });
    }
    return { kind: 'value', result: { name: name ?? '' } };
  }

  subscribe(uri: string): Promise<void> {
    this.said.push(`subscribe ${uri}`);
    if (uri === this.unknown) return Promise.reject(new ManagerError('unknownResource', { resource: uri }));
    return this.isSlow ? new Promise(() => undefined) : Promise.resolve();
  }

  unsubscribe(): Promise<void> {
    return Promise.resolve();
  }

  setLogLevel(level: string | undefined): Promise<void> {
    if (level !== undefined) this.said.push(`level ${level}`);
    return this.isSlow ? new Promise(() => undefined) : Promise.resolve();
  }
}

describe('an attached proxy and the life of windows', function () {
  this.timeout(120_000);
  const clock = systemClock();
  let windows: AnnouncedWindow[];
  let home: Awaited<ReturnType<typeof temporaryFolder>>;
  let proxy: AttachedProxy;
  let messages: Message[];
  let gateways: Gateway[];
  let lines: string[];
  let looks: number;

  beforeEach(async () => {
    [windows, messages, gateways, lines, looks] = [[], [], [], [], 0];
    home = await temporaryFolder();
    const stream = new PassThrough();
    createInterface({ input: stream }).on('line', (line) => messages.push(JSON.parse(line) as Message));
    proxy = new AttachedProxy({
      ...{ clock, folder: home.path, output: new LineOutput(stream) },
      windows: () => {
        looks += 1;
        return Promise.resolve([...windows]);
      },
      owner: ownerText(await ownIdentity()),
      tell: (line) => lines.push(line),
    });
  });
  afterEach(async () => {
    await proxy.end();
    for (const gateway of gateways) await gateway.close();
    await home.remove();
  });

  let pid = 1;
  /** A window in place of those before it. */
  async function open(surface: Surface, socket?: string): Promise<Gateway> {
    const token = createToken();
    const gateway = new Gateway({ clock, token, surface: () => surface });
    gateways.push(gateway);
    const window = { ...windowOf((pid += 1), [home.path]), token };
    if (socket === undefined) windows = [{ ...window, url: await gateway.listen() }];
    else {
      assert.ok(await gateway.listenOnSocket(socket));
      // Nobody listens at its port: the socket is the way.
      windows = [{ ...window, url: 'http://127.0.0.1:1', socket }];
    }
    return gateway;
  }

  const send = (message: object): void => proxy.take(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
  const answer = (id: number): Promise<Message> =>
    eventually(() => messages.find((each) => each.id === id && each.method === undefined), patience);
  const request = (id: number, method: string, params: object = {}): Promise<Message> => {
    send({ id, method, params });
    return answer(id);
  };
  const told = (method: string): Message[] => messages.filter((each) => each.method === method);
  const begin = async (): Promise<void> => {
    await request(0, 'initialize', hello);
    send({ method: 'notifications/initialized' });
  };

  it('go by its socket where it has one', async function () {
    if (process.platform === 'win32') this.skip();
    await open(new NotedSurface(), join(home.path, 'gateway.sock'));
    await begin();
    assert.deepEqual((await request(1, 'tools/call', { name: 'x' })).result, { name: 'x' });
  });

  it('know of each request of a modern agent whose it is, as of the session of another one', async () => {
    const surface = new NotedSurface();
    await open(surface);
    const owner = ownerText(await ownIdentity());
    await request(1, 'tools/call', { name: 'x', _meta: envelope });
    assert.equal(surface.requests[0]?.client.caller.session, owner);
  });

  it('end in order: calls under way may have run, and the next window goes on, with all that it has to know [GATE-5e]', async () => {
    const [first, second] = [new NotedSurface(), new NotedSurface()];
    const gateway = await open(first);
    await begin();
    await request(1, 'logging/setLevel', { level: 'error' });
    await request(2, 'resources/subscribe', { uri: 'a:b' });
    await request(3, 'resources/subscribe', { uri: 'a:c' });
    await request(4, 'resources/unsubscribe', { uri: 'a:c' });
    send({ id: 5, method: 'tools/call', params: { name: 'hang' } });
    await eventually(() => first.requests.length === 1, patience);
    const closed = gateway.close();
    assert.deepEqual((await answer(5)).error?.data, { code: 'windowClosed', outcome: 'unknown' });
    const next = request(6, 'tools/call', { name: 'next' });
    await open(second);
    assert.deepEqual((await next).result, { name: 'next' });
    await closed;
    await eventually(() => told('notifications/tools/list_changed').length === 1, patience);
    await eventually(() => second.said.length === 2, patience);
    assert.deepEqual([...second.said].sort(), ['level error', 'subscribe a:b']);
    assert.deepEqual(
      second.requests.map(({ params }) => params['name']),
      ['next'],
    );
    second.events.fire({ kind: 'resourceUpdated', uri: 'a:b' });
    await eventually(() => told('notifications/resources/updated').length === 1, patience);
  });

  it('end in order under a list: it is asked at the next one, as it changes nothing [GATE-5e]', async () => {
    const [first, second] = [new NotedSurface(), new NotedSurface()];
    const gateway = await open(first);
    await begin();
    first.hanging = ['resources/list'];
    send({ id: 1, method: 'resources/list', params: {} });
    await eventually(() => first.requests.length === 1, patience);
    const closed = gateway.close();
    await open(second);
    assert.deepEqual((await answer(1)).result, { name: '' });
    await closed;
    assert.equal(second.requests.length, 1);
  });

  it('are gone: what the agent cancels meanwhile never reaches the next one [GATE-5e]', async () => {
    const [first, second] = [new NotedSurface(), new NotedSurface()];
    const gateway = await open(first);
    await begin();
    await gateway.close();
    windows = [];
    const before = looks;
    await eventually(() => looks > before + 2, patience, 'the search for another window');
    send({ id: 1, method: 'tools/call', params: { name: 'cancelled' } });
    send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await open(second);
    assert.deepEqual((await request(2, 'tools/call', { name: 'next' })).result, { name: 'next' });
    assert.deepEqual(
      second.requests.map(({ params }) => params['name']),
      ['next'],
    );
    assert.equal(messages.filter(({ id }) => id === 1).length, 0);
  });

  it('have a server that takes its time with a subscription or a log level: no request waits for it', async () => {
    const second = new NotedSurface();
    const gateway = await open(new NotedSurface());
    await begin();
    await request(1, 'logging/setLevel', { level: 'error' });
    await request(2, 'resources/subscribe', { uri: 'a:b' });
    await gateway.close();
    second.isSlow = true;
    await open(second);
    await eventually(() => second.said.length === 2, patience);
    assert.deepEqual((await request(3, 'tools/call', { name: 'x' })).result, { name: 'x' });
  });

  it('hear nothing of what an agent wanted that has begun anew since, nor of what was refused', async () => {
    const [first, second] = [new NotedSurface(), new NotedSurface()];
    first.unknown = 'a:refused';
    const gateway = await open(first);
    await begin();
    await request(1, 'logging/setLevel', { level: 'error' });
    await request(2, 'resources/subscribe', { uri: 'a:old' });
    await request(3, 'initialize', hello);
    send({ method: 'notifications/initialized' });
    assert.ok((await request(4, 'resources/subscribe', { uri: 'a:refused' })).error !== undefined);
    await request(5, 'resources/subscribe', { uri: 'a:new' });
    await gateway.close();
    await open(second);
    await eventually(() => second.said.length > 0, patience);
    await request(6, 'tools/call', { name: 'x' });
    second.events.fire({ kind: 'resourceUpdated', uri: 'a:new' });
    await eventually(() => told('notifications/resources/updated').length === 1, patience);
    assert.deepEqual(second.said, ['subscribe a:new']);
  });

  it('are in Restricted Mode where the agent works: it is served nowhere, hears why, and at once when that ends [TRUST-1c, GATE-5d]', async () => {
    const elsewhere = new NotedSurface();
    await open(elsewhere);
    const other = { ...windows[0]!, folders: [], focusedAt: 9 };
    const restricted = restrictedWindow(1_000, [home.path]);
    windows = [other, restricted];
    await begin();
    assert.deepEqual((await request(1, 'tools/list')).result, { tools: [] });
    const { error } = await request(2, 'tools/call', { name: 'x' });
    assert.deepEqual(error?.data, { code: 'windowClosed', outcome: 'notSent' });
    assert.match(error.message, /in Restricted Mode/);
    assert.equal(elsewhere.requests.length, 0);
    assert.equal(lines.filter((line) => line.includes('Restricted Mode')).length, 1);
    const trusted = new NotedSurface();
    await open(trusted);
    windows = [other, ...windows];
    await eventually(() => told('notifications/tools/list_changed').length === 1, patience);
    assert.deepEqual((await request(3, 'tools/call', { name: 'x' })).result, { name: 'x' });
    assert.deepEqual([elsewhere.requests.length, trusted.requests.length], [0, 1]);
  });

  it('forget its session: it gets another one, and no call is lost or repeated', async () => {
    const surface = new NotedSurface();
    const gateway = await open(surface);
    await begin();
    gateway.drop(surface);
    const results = await Promise.all([1, 2, 3].map((id) => request(id, 'tools/call', { name: `call ${id}` })));
    assert.deepEqual(
      results.map(({ result }) => result),
      [1, 2, 3].map((id) => ({ name: `call ${id}` })),
    );
    assert.equal(surface.requests.length, 3);
  });

  it('come and go under a stream of changes, which is acknowledged once and stays open', async () => {
    send({
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: envelope },
    });
    const acknowledged = (): Message[] => told('notifications/subscriptions/acknowledged');
    const changed = (): number => told('notifications/tools/list_changed').length;
    await eventually(() => acknowledged().length === 1, patience);
    const surface = new NotedSurface();
    const gateway = await open(surface);
    await eventually(() => changed() === 1, patience);
    surface.events.fire({ kind: 'listChanged', of: 'tools' });
    await eventually(() => changed() === 2, patience);
    await gateway.close();
    await open(new NotedSurface());
    await eventually(() => changed() === 3, patience);
    assert.equal(acknowledged().length, 1);
    assert.equal(messages.filter(({ id, method }) => id === 1 && method === undefined).length, 0);
    for (const message of [...acknowledged(), ...told('notifications/tools/list_changed')]) {
      assert.deepEqual(message.params?.['_meta'], { 'io.modelcontextprotocol/subscriptionId': 1 });
    }
  });

  it('ask, and the answer goes back to whoever asked; a question of a lost call is taken back', async () => {
    const surface = new NotedSurface();
    const gateway = await open(surface);
    await begin();
    send({ id: 1, method: 'tools/call', params: { name: 'ask' } });
    const [question] = await eventually(
      () => told('elicitation/create').length === 1 && told('elicitation/create'),
      patience,
    );
    send({ id: question!.id, result: { answer: 'green' } });
    assert.deepEqual((await answer(1)).result, { answer: 'green' });
    send({ id: 2, method: 'tools/call', params: { name: 'ask' } });
    await eventually(() => told('elicitation/create').length === 2, patience);
    await gateway.close();
    await answer(2);
    const open_ = told('elicitation/create')[1]!.id;
    await eventually(
      () => told('notifications/cancelled').some(({ params }) => params?.['requestId'] === open_),
      patience,
    );
  });

  it('refuse what is too large, and the agent hears it under its own id', async () => {
    await open(new NotedSurface());
    await begin();
    const { error } = await request(1, 'tools/call', { name: 'x', arguments: { text: 'x'.repeat(11 * 1024 * 1024) } });
    assert.match(error!.message, /larger than/);
    assert.deepEqual((await request(2, 'tools/call', { name: 'x' })).result, { name: 'x' });
  });

  it('do not answer under a token of another life: the next one serves', async () => {
    await open(new NotedSurface());
    const [stale] = windows;
    const surface = new NotedSurface();
    await open(surface);
    windows = [{ ...(stale as WindowDescriptor), token: 'other', focusedAt: 9 }, ...windows];
    await begin();
    assert.deepEqual((await request(1, 'tools/call', { name: 'x' })).result, { name: 'x' });
    assert.equal(surface.requests.length, 1);
  });
});
