// What a remote server can answer to the first question, and what that is called: the same for every protocol mode
// unless the table says otherwise. `wire` is all that was sent, so that a needless try shows.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { openClient } from '../../src/core/connection/openClient.ts';
import { ManagerError } from '../../src/core/errors.ts';
import type { RemoteLaunch } from '../../src/core/transport/launch.ts';
import { eventually } from '../support/eventually.ts';
import { type HttpPeer, type PeerAnswer, startPeer } from '../support/httpPeer.ts';
import { ManualClock } from '../support/manualClock.ts';
import { opening, remoteLaunch } from '../support/openOptions.ts';
import { patience } from '../support/patience.ts';

const answers: Record<string, (answer: PeerAnswer) => void> = {
  html: (answer) => answer.status(200, { 'content-type': 'text/html' }, '<html>'),
  badJson: (answer) => answer.status(200, { 'content-type': 'application/json' }, '<html>'),
  emptyJson: (answer) => answer.status(200, { 'content-type': 'application/json' }, '{}'),
  accepted: (answer) => answer.status(202),
  emptyStream: (answer) => answer.status(200, { 'content-type': 'text/event-stream' }, ': hello\n\n'),
  reset: (answer) => answer.reset(),
  silent: () => undefined,
  insufficientScope: (answer) =>
    answer.status(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="x y"' }),
  redirectAway: (answer) => answer.status(307, { location: 'http://192.0.2.1/mcp' }),
  protocol404: (answer) => answer.error(-32601, 'Method not found', 404),
};

interface Row {
  readonly answer: string;
  readonly code: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** POSTs in `legacy` and `auto`. */
  readonly legacy: readonly string[];
  readonly auto: readonly string[];
}

const asked = ['initialize'];
const probed = ['server/discover'];
const fellBack = ['server/discover', 'initialize'];
const rows: readonly Row[] = [
  { answer: '400', code: 'httpStatus', data: { status: 400 }, legacy: asked, auto: fellBack },
  { answer: '406', code: 'httpStatus', data: { status: 406 }, legacy: asked, auto: fellBack },
  { answer: '415', code: 'httpStatus', data: { status: 415 }, legacy: asked, auto: fellBack },
  { answer: '429', code: 'httpStatus', data: { status: 429 }, legacy: asked, auto: fellBack },
  { answer: '401', code: 'signInNeeded', legacy: asked, auto: probed },
  { answer: '403', code: 'forbidden', legacy: asked, auto: probed },
  { answer: 'insufficientScope', code: 'forbidden', legacy: asked, auto: probed },
  { answer: '500', code: 'httpStatus', data: { status: 500 }, legacy: asked, auto: fellBack },
  { answer: '503', code: 'httpStatus', data: { status: 503 }, legacy: asked, auto: fellBack },
  { answer: 'html', code: 'httpUnexpectedContent', legacy: asked, auto: fellBack },
  { answer: 'badJson', code: 'httpUnexpectedContent', legacy: asked, auto: fellBack },
  { answer: 'emptyJson', code: 'httpUnexpectedContent', legacy: asked, auto: fellBack },
  { answer: 'accepted', code: 'httpUnexpectedContent', legacy: asked, auto: fellBack },
  { answer: 'emptyStream', code: 'httpUnexpectedContent', legacy: asked, auto: fellBack },
  { answer: 'reset', code: 'networkFailed', legacy: asked, auto: probed },
  { answer: 'silent', code: 'connectTimeout', data: { seconds: 0.4 }, legacy: asked, auto: probed },
  { answer: 'redirectAway', code: 'redirectForbidden', legacy: asked, auto: probed },
  { answer: 'protocol404', code: 'eraUnsupported', legacy: asked, auto: fellBack },
];

describe('a remote server that cannot be connected to', () => {
  let peer: HttpPeer;
  before(async () => {
    peer = await startPeer(({ path }, answer) => {
      const name = path.slice(1);
      const own = answers[name];
      if (own === undefined) answer.status(Number(name), { 'content-type': 'text/plain' }, 'no');
      else own(answer);
    });
  });
  after(() => peer.stop());

  const failing = async (path: string, changes: Partial<RemoteLaunch>) => {
    const from = peer.requests.length;
    const clock = new ManualClock();
    const timeouts = { connect: 400 };
    const launch = remoteLaunch(`${peer.origin}/${path}`, { timeouts, ...changes });
    const opened = openClient(launch, opening({ clock })).then(
      () => assert.fail('it connected'),
      (failure: unknown) => failure,
    );
    if (path === 'silent') {
      await eventually(() => peer.requests.length > from, patience, 'the request');
      clock.advance(timeouts.connect);
    }
    const error = await opened;
    assert.ok(error instanceof ManagerError, String(error));
    return { error, wire: peer.wire().slice(from) };
  };

  for (const row of rows) {
    for (const protocol of ['legacy', 'auto'] as const) {
      it(`answers ${row.answer} to ${protocol} and is called ${row.code} [CONN-3b, CONN-3c]`, async () => {
        const { error, wire } = await failing(row.answer, { protocol });
        assert.equal(error.code, row.code);
        assert.equal(error.data['server'], 'fixture');
        for (const [name, value] of Object.entries(row.data ?? {})) assert.equal(error.data[name], value);
        assert.deepEqual(wire, row[protocol]);
      });
    }
  }

  for (const status of ['404', '405'] as const) {
    it(`answers ${status} to both transports: one error keeps both failures [CONN-3a, CONN-3d]`, async () => {
      const { error, wire } = await failing(status, {});
      assert.equal(error.code, 'transportFallbackFailed');
      const { first, because, status: second } = error.data;
      assert.deepEqual([first, because, second], [Number(status), 'httpStatus', Number(status)]);
      assert.deepEqual(wire, ['initialize', `GET /${status}`]);
      const { errors } = error.cause as AggregateError;
      assert.deepEqual(
        errors.map((each) => (each as ManagerError).code),
        ['httpStatus', 'httpStatus'],
      );
    });

    it(`answers ${status} to an explicit transport, which does not fall back [CONN-3e]`, async () => {
      const { error, wire } = await failing(status, { transport: 'streamable-http', protocol: 'auto' });
      assert.deepEqual([error.code, error.data['status']], ['httpStatus', Number(status)]);
      assert.deepEqual(wire, ['server/discover', 'initialize']);
    });

    it(`answers ${status} to the pin, which does not fall back [CONN-3e]`, async () => {
      const { error, wire } = await failing(status, { protocol: '2026-07-28' });
      assert.deepEqual([error.code, error.data['wanted']], ['eraUnsupported', '2026-07-28']);
      assert.deepEqual(wire, ['server/discover']);
    });
  }

  it('answers a protocol message with status 404: no other transport is tried [CONN-3a]', async () => {
    const { wire } = await failing('protocol404', { protocol: 'legacy' });
    assert.deepEqual(wire, ['initialize']);
  });

  it('is not there: the request is known not to have left', async () => {
    const launch = remoteLaunch('http://127.0.0.1:1/mcp', { protocol: 'auto' });
    await assert.rejects(openClient(launch, opening()), (error: ManagerError) => {
      assert.deepEqual([error.code, error.outcome], ['networkFailed', 'notSent']);
      return true;
    });
  });

  for (const url of ['http://example.com/mcp', 'ftp://127.0.0.1/', 'https://user:hunter2@example.com/', 'nonsense']) {
    it(`has the URL ${url}, which is refused before anything is sent [CONN-13a]`, async () => {
      await assert.rejects(openClient(remoteLaunch(url), opening()), (error: ManagerError) => {
        assert.equal(error.code, 'urlForbidden');
        assert.ok(!JSON.stringify(error.data).includes('hunter2'));
        return true;
      });
    });
  }
});
