import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, it } from 'mocha';
import { ownerHeader, ownerText } from '../../src/contract/gatewayWire.ts';
import { ownIdentity, type ProcessIdentity, systemFacts } from '../../src/core/config/processIdentity.ts';
import { limits } from '../../src/core/limits.ts';
import type { Endpoint } from '../../src/gateway/admission.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import { ServerSurface } from '../../src/gateway/serverSurface.ts';
import { createToolCalls } from '../../src/core/tools/createToolCalls.ts';
import { eventually } from '../support/eventually.ts';
import { ask, initialize, type PeerTarget } from '../support/gatewayPeer.ts';
import { useGateways } from '../support/gatewayWorld.ts';
import { ManualClock } from '../support/manualClock.ts';

const path = '/mcp/one';
const hang = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'hang', arguments: {} } };
const ping = { jsonrpc: '2.0', id: 8, method: 'ping' };

/** Milliseconds: long before all sessions are looked through. */
const soon = limits.gateway.reap / 4;

describe('a session of the gateway and the process that it belongs to', function () {
  this.timeout(60_000);
  const openGateway = useGateways();
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function identityOf({ pid }: ChildProcess): Promise<ProcessIdentity> {
    const started = await systemFacts.start(pid!);
    return { ...(await ownIdentity()), pid: pid!, start: started!.start };
  }

  /** A process of its own that shakes hands, says who it is, and calls a tool that never answers. */
  async function client({
    url,
    token,
  }: PeerTarget): Promise<{ readonly child: ChildProcess; readonly session: string }> {
    const asked = JSON.stringify({ url: `${url}${path}`, token, initialize, hang });
    const child = spawn(process.execPath, ['-e', program, asked]);
    ends.push(() => void child.kill('SIGKILL'));
    child.stdin.write(JSON.stringify({ [ownerHeader]: ownerText(await identityOf(child)) }));
    const [session] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { child, session };
  }

  async function kill(child: ChildProcess): Promise<void> {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  const greet = (target: PeerTarget, owner: string) => ask(target, { path, headers: { [ownerHeader]: owner } });
  const knows = async (target: PeerTarget, session: string | undefined): Promise<boolean> =>
    (await ask(target, { path, session, message: ping })).status === 200;

  it('ends with it at the next look, though somebody else holds its connection, and what it had under way is cancelled at the server; nobody else loses anything [GATE-1f, GATE-2i]', async () => {
    const world = await openGateway({ one: { fixture: 'progress' } });
    const { manager } = world;
    const clock = new ManualClock(Date.now());
    const calls = createToolCalls({ manager, clock });
    const one = new ServerSurface('one', { manager, clock, forward: calls.forward });
    const gateway = new Gateway({
      clock,
      token: 't',
      surface: ({ kind }: Endpoint) => (kind === 'server' ? one : undefined),
    });
    const target = { url: await gateway.listen(), token: 't' };
    ends.push(async () => {
      const closed = gateway.close();
      clock.advance(limits.gateway.farewell);
      await closed;
      one.dispose();
      calls.dispose();
    });
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log(1)']);
    ends.push(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    const owner = await identityOf(child);
    const other = await ownIdentity();
    const owners = [owner, other, { ...owner, host: 'elsewhere' }].map(ownerText);
    const sessions = await Promise.all(owners.map(async (each) => (await greet(target, each)).session));
    sessions.push((await ask(target, { path })).session);
    const call = ask(target, { path, session: sessions[0], message: hang });
    await eventually(() => world.log('one').runs('hang') === 1);

    clock.advance(limits.gateway.reap);
    await eventually(() => knows(target, sessions[0]));
    await kill(child);
    assert.deepEqual(world.log('one').events('cancelled'), []);
    clock.advance(limits.gateway.reap);
    await eventually(() => {
      assert.equal(world.log('one').events('cancelled').length, 1);
      return true;
    }, soon);
    assert.match((await call).text, /"error"/);
    assert.deepEqual(await Promise.all(sessions.map((id) => knows(target, id))), [false, true, true, true]);
    assert.equal(world.log('one').runs('hang'), 1);
  });

  it('ends soon after a client that is killed in the middle of a call, which is cancelled at the server and runs once [GATE-1f]', async () => {
    const world = await openGateway({ one: { fixture: 'progress' } });
    const { child, session } = await client(world);
    await eventually(() => world.log('one').runs('hang') === 1);
    assert.equal(await knows(world, session), true);
    await kill(child);
    await eventually(() => world.log('one').events('cancelled').length === 1);
    await eventually(async () => {
      assert.equal(await knows(world, session), false);
      return true;
    }, soon);
    assert.equal(world.log('one').runs('hang'), 1);
  });

  it('is served like any other where its client says something of its owner that is none', async () => {
    const world = await openGateway({ one: { fixture: 'progress' } });
    for (const said of ['', '%', ownerText({ ...(await ownIdentity()), pid: 0 }), 'x'.repeat(8_000)]) {
      const { session, status } = await greet(world, said);
      assert.deepEqual([status, await knows(world, session)], [200, true], said.slice(0, 100));
    }
  });
});

const program = `
const { url, token, initialize, hang } = JSON.parse(process.argv[1]);
const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + token };
const post = (message, more) => fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(message) });
process.stdin.once('data', async (told) => {
  const answer = await post(initialize, JSON.parse(told));
  const session = answer.headers.get('mcp-session-id');
  console.log(session);
  await post(hang, { 'mcp-session-id': session });
});
`;
