// What a person reads of a failure beyond its name: what a refusing server said, how large the request was that it cut
// off, what it printed while it kept everybody waiting, and how each transport failed. Against real servers.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { wordsOf } from '../../src/cli/output/words.ts';
import { openClient } from '../../src/core/connection/openClient.ts';
import { problemOf } from '../../src/core/connection/failureState.ts';
import { ManagerError } from '../../src/core/errors.ts';
import type { Launch } from '../../src/core/transport/launch.ts';
import { fixtureCommand, type Overrides } from '../support/fixtureServer.ts';
import { type HttpPeer, legacyPeer, type PeerHandler, startPeer } from '../support/httpPeer.ts';
import { opening, remoteLaunch, stdioLaunch } from '../support/openOptions.ts';

const secret = 'hunter2-hunter2-hunter2';

describe('the words for a failure', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });

  const start = async (handler: PeerHandler): Promise<HttpPeer> => {
    const peer = await startPeer(handler);
    closers.push(() => peer.stop());
    return peer;
  };
  const failed = async (work: Promise<unknown>): Promise<{ message: string; remedy: string; error: ManagerError }> => {
    const error = await work.then(
      () => assert.fail('it succeeded'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ManagerError, String(error));
    return { ...wordsOf(problemOf(error)), error };
  };
  const called = async (launch: Launch, args: Record<string, string> = {}) => {
    const client = await openClient(launch, opening());
    closers.push(() => client.close());
    return failed(client.request('tools/call', { name: 'echo', arguments: args }, { kind: 'call' }));
  };
  const fixture = (name: string, overrides: Overrides, timeouts = {}): Launch =>
    stdioLaunch(fixtureCommand(name, overrides), { timeouts });

  describe('of an HTTP status', () => {
    // As resolveLaunch makes them of such a header.
    const lent = { headers: { authorization: `Bearer ${secret}` }, secrets: [secret] };
    const body = `slow\u0000 down,\u202E ${secret}\u001B[31m please ${'x'.repeat(9_000)}`;
    const refusing: PeerHandler = (_, answer) =>
      answer.status(429, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '30' }, body);
    const expected =
      /^Server "fixture" answered with HTTP status 429\. Its answer begins: slow down, \[redacted\] please x{100,200}\. It asks to be tried again after: 30 s\.$/;

    for (const [what, transport, protocol] of [
      ['legacy Streamable HTTP', 'streamable-http', 'legacy'],
      ['automatic', 'auto', 'auto'],
      ['SSE', 'sse', 'legacy'],
    ] as const) {
      it(`hold what the server said and when to come back, bounded and without secrets: ${what}`, async () => {
        const peer = await start(refusing);
        const launch = remoteLaunch(peer.url, { transport, protocol, ...lent });
        assert.match((await failed(openClient(launch, opening()))).message, expected);
      });
    }

    it('hold them for a call, too', async () => {
      const peer = await start(legacyPeer(refusing));
      const { message } = await called(remoteLaunch(peer.url, lent));
      assert.match(message, expected);
    });

    it('show the words of a page, not its markup', async () => {
      const page = '<!doctype html><style>b{}</style><title>502</title><h1 onclick="x">Bad\n gateway</h1><!-- cut';
      const peer = await start((_, answer) => answer.status(502, { 'content-type': 'text/html' }, page));
      const { message } = await failed(openClient(remoteLaunch(peer.url), opening()));
      assert.match(message, /Its answer begins: 502 Bad gateway\.$/);
    });

    it('are the sentence alone where the server said nothing', async () => {
      const peer = await start((_, answer) => answer.status(503, { 'retry-after': 'whenever <b>' }));
      const { message } = await failed(openClient(remoteLaunch(peer.url), opening()));
      assert.equal(message, 'Server "fixture" answered with HTTP status 503.');
    });
  });

  it('of both transports say how each failed, in words [CONN-3d]', async () => {
    const peer = await start(({ method }, answer) => {
      if (method === 'POST') answer.status(404);
      else answer.status(503, { 'content-type': 'text/plain' }, 'closed today');
    });
    const { message } = await failed(openClient(remoteLaunch(peer.url), opening()));
    assert.equal(
      message,
      'Server "fixture" answered Streamable HTTP with status 404, and SSE, which was tried next, failed too: ' +
        'Server "fixture" answered with HTTP status 503. Its answer begins: closed today.',
    );
    const elsewhere = await start(({ method, path }, answer) => {
      if (method === 'POST') answer.status(405);
      else answer.raw.writeHead(200, { 'content-type': 'text/event-stream' }).end(`event: endpoint\ndata: ${path}\n\n`);
    });
    const { message: other } = await failed(openClient(remoteLaunch(elsewhere.url), opening()));
    assert.match(other, /status 405, .* failed too: \S.* "fixture" /);
    assert.doesNotMatch(other, /httpStatus|connectionClosed|networkFailed/);
  });

  it('of an endpoint elsewhere name the server, the origin and what to correct', async () => {
    const peer = await start((_, answer) => {
      answer.raw.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.raw.write('event: endpoint\ndata: http://127.0.0.1:9/message?token=t\n\n');
    });
    const launch = remoteLaunch(peer.url, { transport: 'sse', protocol: 'legacy' });
    const { message, remedy } = await failed(openClient(launch, opening()));
    assert.match(message, /^Server "fixture" wants its messages sent to another origin, http:\/\/127\.0\.0\.1:9, /);
    assert.match(remedy, /address that the server gives out/);
  });

  describe('of an answer that does not come whole', () => {
    const cases: readonly (readonly [string, PeerHandler, RegExp, RegExp])[] = [
      [
        'cut off in its body',
        (_, answer) => {
          answer.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
          answer.raw.write('{"jsonrpc":"2.0",', () => answer.reset());
        },
        /^The answer of server "fixture" broke off: /,
        /^Try again/,
      ],
      [
        'with headers without end',
        (_, answer) => answer.status(200, { 'x-long': 'h'.repeat(60_000) }, '{}'),
        /^Server "fixture" answered with headers that are too large/,
        /proxy/,
      ],
    ];
    for (const [what, handler, text, remedy] of cases) {
      it(`say what is wrong with it: ${what}`, async () => {
        const peer = await start(legacyPeer(handler));
        const told = await called(remoteLaunch(peer.url));
        assert.match(told.message, text);
        assert.match(told.remedy, remedy);
      });
    }
  });

  describe('of a broken connection', () => {
    const large = { text: 'a'.repeat(3 * 1024 * 1024) };

    it('tell the size of the large request before it: HTTP', async () => {
      const peer = await start(legacyPeer((_, answer) => answer.reset()));
      const { message, error } = await called(remoteLaunch(peer.url), large);
      assert.equal(error.code, 'networkFailed');
      assert.match(message, / The request was 3\.0 MiB large, which may be more than it takes\.$/);
    });

    it('tell the size of the large request before it: stdio', async () => {
      const { message, error } = await called(fixture('crashes-on-call', {}), large);
      assert.deepEqual([error.code, error.outcome], ['processExited', 'unknown']);
      assert.match(message, / The request was 3\.0 MiB large/);
    });

    it('do not speak of the size of a small one', async () => {
      const peer = await start(legacyPeer((_, answer) => answer.reset()));
      assert.equal((await called(remoteLaunch(peer.url))).error.data['sentSize'], undefined);
    });

    it('tell the size of any that is refused as too large', async () => {
      const peer = await start(legacyPeer((_, answer) => answer.status(413)));
      const { message } = await called(remoteLaunch(peer.url), { text: 'a'.repeat(20_000) });
      assert.match(message, /HTTP status 413\. The request was 20 KiB large/);
    });
  });

  describe('of a time-out', () => {
    it('tell the stdout lines that were ignored while it connected [CONN-9a]', async () => {
      const rules = [{ on: 'initialize', stdout: 'Starting...\nListening on 3000\n', never: true }];
      const launch = fixture('small-legacy', { rules }, { connect: 2_000 });
      const { message } = await failed(openClient(launch, opening()));
      assert.match(message, /was not ready after 2 s\. Lines of its stdout .*: 2; the last one: Listening on 3000\.$/);
    });

    it('tell those that came while the call ran, and no earlier ones [CONN-9a]', async () => {
      const rules = [{ on: 'tools/call', stdout: '{"jsonrpc":"2.0", broken\n', never: true }];
      const launch = fixture('noise-late', { rules }, { call: 500 });
      const { message } = await called(launch);
      assert.match(
        message,
        /did not end within 0\.5 s\. Lines of its stdout .*: 1; the last one: \{"jsonrpc":"2\.0", b/,
      );
    });

    it('hint at the framing of language servers where that is what was printed', async () => {
      const body = '{"jsonrpc":"2.0","id":0,"result":{}}';
      const rules = [{ on: 'initialize', stdout: `Content-Length: ${body.length}\r\n\r\n${body}`, never: true }];
      const launch = fixture('small-legacy', { rules }, { connect: 2_000 });
      const { message } = await failed(openClient(launch, opening()));
      assert.match(message, /the last one: Content-Length: 36\. It puts Content-Length before its messages/);
    });

    it('send nobody to a terminal where a URL is reached', async () => {
      const peer = await start(() => undefined);
      const { remedy } = await failed(openClient(remoteLaunch(peer.url, { timeouts: { connect: 300 } }), opening()));
      assert.match(remedy, /^Check the URL and the network/);
    });

    it('are the sentence alone where there were none', async () => {
      const launch = fixture('silent', {}, { connect: 500 });
      const { message } = await failed(openClient(launch, opening()));
      assert.equal(message, 'Server "fixture" was not ready after 0.5 s.');
    });
  });
});
