// The fixtures, which are servers of the official SDKs, over Streamable HTTP and SSE in each protocol mode.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { openClient } from '../../src/core/connection/openClient.ts';
import type { LiveClient } from '../../src/core/connection/liveClient.ts';
import type { Problem } from '../../src/core/connection/state.ts';
import { ManagerError } from '../../src/core/errors.ts';
import type { RemoteLaunch } from '../../src/core/transport/launch.ts';
import { eventually } from '../support/eventually.ts';
import { type HttpFixture, type Overrides, startHttpFixture } from '../support/fixtureServer.ts';
import { opening, remoteLaunch } from '../support/openOptions.ts';
import { patience } from '../support/patience.ts';
import { withDeadline } from '../support/withDeadline.ts';

describe('a fixture over HTTP', () => {
  const clients: LiveClient[] = [];
  const fixtures: HttpFixture[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(fixtures.splice(0).map((fixture) => fixture.stop()));
  });

  const start = async (name: string, overrides?: Overrides): Promise<HttpFixture> => {
    const fixture = await startHttpFixture(name, overrides);
    fixtures.push(fixture);
    return fixture;
  };
  const connect = async (url: string, changes: Partial<RemoteLaunch> = {}): Promise<LiveClient> => {
    const client = await openClient(remoteLaunch(url, changes), opening());
    clients.push(client);
    return client;
  };
  const failure = async (work: Promise<unknown>): Promise<ManagerError> => {
    const error: unknown = await withDeadline(work, patience, 'a failure').then(
      () => assert.fail('it succeeded'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ManagerError, String(error));
    return error;
  };
  const echo = async (client: LiveClient): Promise<void> => {
    const params = { name: 'echo', arguments: { text: 'hello' } };
    const result = await client.request('tools/call', params, { kind: 'call' });
    assert.ok(JSON.stringify(result).includes('hello'));
  };

  for (const [name, protocol, era] of [
    ['basic-both', 'legacy', 'legacy'],
    ['basic-both', 'auto', 'modern'],
    ['basic-both', '2026-07-28', 'modern'],
    ['basic-legacy', 'auto', 'legacy'],
    ['basic-modern', 'auto', 'modern'],
  ] as const) {
    it(`${name} in ${protocol} is ${era} [CONN-1b, CONN-1e]`, async () => {
      const fixture = await start(name);
      const client = await connect(fixture.url, { protocol });
      assert.deepEqual([client.negotiated.era, client.negotiated.transport], [era, 'streamable-http']);
      await echo(client);
    });
  }

  for (const [name, protocol] of [
    ['basic-legacy', '2026-07-28'],
    ['basic-modern', 'legacy'],
  ] as const) {
    it(`${name} does not speak ${protocol} [CONN-1e]`, async () => {
      const fixture = await start(name);
      const error = await failure(connect(fixture.url, { protocol }));
      assert.equal(error.code, 'eraUnsupported');
    });
  }

  it('speaks SSE [CONN-1c]', async () => {
    const fixture = await start('sse-only');
    const client = await connect(fixture.url, { transport: 'sse' });
    assert.equal(client.negotiated.transport, 'sse');
    await echo(client);
  });

  it('that speaks both transports at their own places is spoken to over each [CONN-1b, CONN-1c]', async () => {
    const fixture = await start('sse-and-streamable');
    await echo(await connect(fixture.url));
    const older = await connect(fixture.sseUrl);
    assert.equal(older.negotiated.transport, 'sse');
    await echo(older);
  });

  it('forgets its sessions: the next call fails unsent and the connection ends [CONN-12b, CONN-12c]', async () => {
    const fixture = await start('basic-legacy');
    const client = await connect(fixture.url);
    await echo(client);
    const ended = new Promise<Problem | undefined>((resolve) => client.onClose(resolve));
    await fixture.control('forgetSessions');
    const error = await failure(
      client.request('tools/call', { name: 'echo', arguments: { text: 'x' } }, { kind: 'call' }),
    );
    assert.deepEqual([error.code, error.outcome], ['sessionLost', 'notSent']);
    assert.equal((await ended)?.code, 'sessionLost');
    assert.equal(fixture.log.runs('echo'), 1);
    await echo(await connect(fixture.url));
  });

  it('has its session deleted by a close that does not wait for the answer [CONN-5a, CONN-8h]', async () => {
    const fixture = await start('http-delete-hangs');
    const client = await connect(fixture.url);
    await withDeadline(client.close(), 1_000, 'the close');
    await eventually(
      () => fixture.log.events('http').some((each) => each['verb'] === 'DELETE'),
      patience,
      'the DELETE',
    );
  });
});
