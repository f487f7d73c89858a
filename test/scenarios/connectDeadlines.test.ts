// The product's own time-outs, met to the second on a clock that the test moves, against real servers.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { setImmediate as turn } from 'node:timers/promises';
import type { JsonObject } from '../../src/contract/json.ts';
import { openClient } from '../../src/core/connection/openClient.ts';
import type { LiveClient, RequestOptions } from '../../src/core/connection/liveClient.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { type HttpPeer, legacyPeer, startPeer } from '../support/httpPeer.ts';
import { ManualClock } from '../support/manualClock.ts';
import { opening, remoteLaunch, stdioLaunch } from '../support/openOptions.ts';
import { patience } from '../support/patience.ts';

describe('without any time-out configured', () => {
  const peers: HttpPeer[] = [];
  afterEach(async () => {
    await Promise.all(peers.splice(0).map((peer) => peer.stop()));
  });

  const outcome = (work: Promise<unknown>) => {
    let reason: unknown;
    const settled = work.then(
      () => assert.fail('it succeeded'),
      (error: unknown) => {
        reason = error;
      },
    );
    return { failure: () => reason, settled };
  };
  const connected = async (): Promise<{
    client: LiveClient;
    peer: HttpPeer;
    clock: ManualClock;
    progress: () => void;
  }> => {
    let stream: { write(text: string): unknown } | undefined;
    let token: unknown;
    const peer = await startPeer(
      legacyPeer((request, answer) => {
        if (request.rpc === 'tools/call') {
          token = ((request.message['params'] as JsonObject)['_meta'] as JsonObject)['progressToken'];
          answer.stream();
          stream = answer.raw;
        } else if (request.method === 'GET') answer.status(405);
      }),
    );
    peers.push(peer);
    const clock = new ManualClock();
    const client = await openClient(remoteLaunch(peer.url), opening({ clock }));
    const progress = (): void => {
      const params = { progressToken: token, progress: 1 };
      stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`);
    };
    return { client, peer, clock, progress };
  };

  it('a remote connect ends after 30 s [CONN-6a]', async () => {
    const clock = new ManualClock();
    const peer = await startPeer(() => undefined);
    peers.push(peer);
    const { failure, settled } = outcome(openClient(remoteLaunch(peer.url), opening({ clock })));
    await eventually(() => peer.requests.length === 1, patience, 'the request');
    clock.advance(29_999);
    await turn();
    assert.equal(failure(), undefined);
    clock.advance(1);
    await settled;
    assertTimeout(failure(), ['connectTimeout', 30]);
  });

  it('a stdio connect ends after 60 s [CONN-6b]', async () => {
    const clock = new ManualClock();
    const log = fixtureLog();
    const launch = stdioLaunch(fixtureCommand('silent', undefined, log));
    const { failure, settled } = outcome(openClient(launch, opening({ clock })));
    await eventually(() => log.asked('initialize') === 1, patience, 'the question');
    clock.advance(59_999);
    await turn();
    assert.equal(failure(), undefined);
    clock.advance(1);
    await clock.during(settled); // The end of the process takes time of the same clock.
    assertTimeout(failure(), ['connectTimeout', 60]);
    log.dispose();
  });

  for (const [kind, seconds] of [
    ['list', 15],
    ['request', 30],
  ] as const) {
    it(`a request of kind ${kind} ends after ${seconds} s [CONN-6d, CONN-6h]`, async () => {
      const { client, peer, clock } = await connected();
      const options: RequestOptions = { kind };
      const { failure, settled } = outcome(client.request('tools/list', {}, options));
      await eventually(() => peer.wire().includes('tools/list'), patience, 'the request');
      clock.advance(seconds * 1_000 - 1);
      await turn();
      assert.equal(failure(), undefined);
      clock.advance(1);
      await settled;
      assertTimeout(failure(), ['requestTimeout', seconds]);
      await client.close();
    });
  }

  it('a call ends ten minutes after its last progress [CONN-6e]', async () => {
    const { client, peer, clock, progress } = await connected();
    let heard = 0;
    const call = client.request('tools/call', { name: 'x' }, { kind: 'call', onProgress: () => (heard += 1) });
    const { failure, settled } = outcome(call);
    await eventually(() => peer.wire().includes('tools/call'), patience, 'the call');
    for (let round = 1; round <= 3; round += 1) {
      clock.advance(599_999);
      progress();
      await eventually(() => heard === round, patience, 'the progress');
    }
    clock.advance(599_999);
    await turn();
    assert.equal(failure(), undefined);
    clock.advance(1);
    await settled;
    assertTimeout(failure(), ['callTimeout', 600]);
    await client.close();
  });

  it('a call ends after 60 minutes, whatever its progress [CONN-6g]', async () => {
    const { client, peer, clock, progress } = await connected();
    let heard = 0;
    const call = client.request('tools/call', { name: 'x' }, { kind: 'call', onProgress: () => (heard += 1) });
    const { failure, settled } = outcome(call);
    await eventually(() => peer.wire().includes('tools/call'), patience, 'the call');
    for (let round = 1; round <= 11; round += 1) {
      clock.advance(5 * 60_000);
      progress();
      await eventually(() => heard === round, patience, 'the progress');
    }
    clock.advance(5 * 60_000 - 1);
    await turn();
    assert.equal(failure(), undefined);
    clock.advance(1);
    await settled;
    assertTimeout(failure(), ['callTimeout', 3_600]);
    await client.close();
  });

  it("the caller's abort wins over a time-out of the same moment [CONN-6j]", async () => {
    const { client, peer, clock } = await connected();
    const controller = new AbortController();
    const { failure, settled } = outcome(client.request('tools/list', {}, { kind: 'list', signal: controller.signal }));
    await eventually(() => peer.wire().includes('tools/list'), patience, 'the request');
    clock.after(14_999, () => controller.abort());
    clock.advance(15_000);
    await settled;
    const error = failure();
    assert.ok(error instanceof ManagerError);
    assert.equal(error.code, 'cancelled');
    await client.close();
  });
});

function assertTimeout(error: unknown, expected: readonly [code: string, seconds: number]): void {
  assert.ok(error instanceof ManagerError);
  assert.deepEqual([error.code, error.data['seconds']], expected);
}
