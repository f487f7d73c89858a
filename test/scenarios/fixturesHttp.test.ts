// The misbehaving fixtures over HTTP and SSE, asked by plain fetch.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { JsonObject } from '../../src/contract/json.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, startHttpFixture, type HttpFixture, type Overrides } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';
import { withDeadline } from '../support/withDeadline.ts';

describe('fixtures over HTTP', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  const start = async (name: string, overrides?: Overrides): Promise<HttpFixture> => {
    const fixture = await startHttpFixture(name, overrides);
    cleanups.push(() => fixture.stop());
    return fixture;
  };
  const clientOf = async (fixture: HttpFixture, mode: 'legacy' | 'auto'): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(fixture.url)));
    cleanups.push(() => client.close());
    return client;
  };

  it('http-post-STATUS answer POST with that status', async () => {
    for (const status of [401, 404, 500]) {
      const fixture = await start(`http-post-${status}`);
      const answer = await post(fixture.url, initialize);
      assert.equal(answer.status, status);
      const challenge = `Bearer resource_metadata="${fixture.origin}/.well-known/oauth-protected-resource"`;
      if (status === 401) assert.equal(answer.headers.get('www-authenticate'), challenge);
      await fixture.stop();
    }
  });

  it('http-discover-500 fails the probe only', async () => {
    const { url } = await start('http-discover-500');
    assert.equal((await post(url, discover)).status, 500);
    assert.equal((await post(url, initialize)).status, 200);
  });

  it('http-discover-empty-object and http-html answer 200 with what is no answer', async () => {
    assert.equal(await (await post((await start('http-discover-empty-object')).url, discover)).text(), '{}');
    const page = await post((await start('http-html')).url, initialize);
    assert.equal(page.headers.get('content-type'), 'text/html');
  });

  it('http-hangs answers nothing and records that the client left', async () => {
    const fixture = await start('http-hangs');
    await assert.rejects(fetch(fixture.url, { ...init(initialize), signal: AbortSignal.timeout(1_000) }), /timeout/i);
    await eventually(() => fixture.log.events('httpClosed').some(({ finished }) => finished === false));
  });

  it('http-resets cuts the connection, http-accepted-no-answer says 202', async () => {
    await assert.rejects(post((await start('http-resets')).url, initialize), /fetch failed/);
    assert.equal((await post((await start('http-accepted-no-answer')).url, initialize)).status, 202);
  });

  it('http-redirect-other-origin sends to the second port, which works and records the headers', async () => {
    const fixture = await start('http-redirect-other-origin');
    const answer = await post(fixture.url, initialize);
    assert.equal(answer.status, 307);
    assert.equal(answer.headers.get('location'), `${fixture.otherOrigin}/mcp`);
    const there = await post(answer.headers.get('location')!, initialize, { 'x-canary': 'seen' });
    assert.equal(there.status, 200);
    const [arrived] = fixture.log.events('http').filter(({ listener }) => listener === 'other');
    assert.equal((arrived!['headers'] as JsonObject)['x-canary'], 'seen');
  });

  it('http-redirect-same-origin redirects once and then serves', async () => {
    const { url, origin } = await start('http-redirect-same-origin');
    const answer = await post(url, initialize);
    assert.equal(answer.headers.get('location'), `${origin}/mcp?moved=1`);
    assert.equal((await post(answer.headers.get('location')!, initialize)).status, 200);
  });

  it('http-needs-token answers 401 until the header is there', async () => {
    const { url } = await start('http-needs-token');
    assert.equal((await post(url, initialize)).status, 401);
    assert.equal((await post(url, initialize, { authorization: 'Bearer good' })).status, 200);
  });

  it('http-session-forgotten answers 404 after its share of messages, and opens a new session', async () => {
    const { url } = await start('http-session-forgotten');
    const session = async () => (await post(url, initialize)).headers.get('mcp-session-id')!;
    const first = await session();
    const statuses: number[] = [];
    for (let i = 0; i < 8; i += 1) statuses.push((await post(url, list, { 'mcp-session-id': first })).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 404, 404]);
    assert.equal((await post(url, list, { 'mcp-session-id': await session() })).status, 200);
  });

  it('a control forgets all sessions', async () => {
    const fixture = await start('http-session-on-demand');
    const id = (await post(fixture.url, initialize)).headers.get('mcp-session-id')!;
    assert.equal((await post(fixture.url, list, { 'mcp-session-id': id })).status, 200);
    await fixture.control('forgetSessions');
    assert.equal((await post(fixture.url, list, { 'mcp-session-id': id })).status, 404);
  });

  it('a control ends the GET stream of a session', async () => {
    const fixture = await start('http-session-on-demand');
    const id = (await post(fixture.url, initialize)).headers.get('mcp-session-id')!;
    const stream = await fetch(fixture.url, { headers: { accept: 'text/event-stream', 'mcp-session-id': id } });
    assert.equal(stream.status, 200);
    const ended = stream.text().then(
      () => true,
      () => true,
    );
    await fixture.control('dropStreams');
    assert.equal(await withDeadline(ended, patience, 'the end of the stream'), true);
  });

  it('http-get-405 has no GET stream, http-get-409 has one at the second try', async () => {
    const stream = { headers: { accept: 'text/event-stream' } };
    assert.equal((await fetch((await start('http-get-405')).url, stream)).status, 405);
    const { url } = await start('http-get-409');
    const id = (await post(url, initialize)).headers.get('mcp-session-id')!;
    const withSession = { headers: { ...stream.headers, 'mcp-session-id': id } };
    assert.equal((await fetch(url, withSession)).status, 409);
    const second = await fetch(url, withSession);
    assert.equal(second.status, 200);
    await second.body!.cancel();
  });

  it('http-call-stream-ends ends the stream of a call without a result', async () => {
    const fixture = await start('http-call-stream-ends');
    const id = (await post(fixture.url, initialize)).headers.get('mcp-session-id')!;
    const body = await (await post(fixture.url, call('echo', { text: 'x' }), { 'mcp-session-id': id })).text();
    assert.equal(body, ': so long\n\n');
    assert.equal(fixture.log.runs('echo'), 0);
  });

  it('http-mirrored gives back the headers that a client mirrored', async () => {
    const client = await clientOf(await start('http-mirrored'), 'auto');
    await client.listTools();
    const result = await client.callTool({ name: 'mirrored', arguments: { region: 'eu', count: 3, dry: true } });
    assert.match(JSON.stringify(result.content), /mcp-param-region\\":\\"eu/);
  });

  describe('the older event stream', () => {
    it('sse-only refuses POST with its status and names an endpoint on GET', async () => {
      for (const [name, status] of [
        ['sse-only', 405],
        ['sse-only-404', 404],
      ] as const) {
        const { url } = await start(name);
        assert.equal((await post(url, initialize)).status, status);
        assert.match(await firstEvent(url), /event: endpoint\ndata: \/messages\?sessionId=/);
      }
    });

    it('sse-endpoint-elsewhere names another origin, sse-endpoint-never none', async () => {
      const elsewhere = await start('sse-endpoint-elsewhere');
      assert.match(await firstEvent(elsewhere.url), new RegExp(`data: ${elsewhere.otherOrigin}/messages`));
      assert.equal(await firstEvent((await start('sse-endpoint-never')).url), ': nothing will follow');
    });
  });

  for (const via of ['http', 'stdio'] as const) {
    describe(`modern subscriptions over ${via}`, () => {
      const listening = async (name: string): Promise<Client> => {
        if (via === 'http') return clientOf(await start(name), 'auto');
        const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
        await client.connect(new StdioClientTransport(fixtureCommand(name)));
        cleanups.push(() => client.close());
        return client;
      };
      const filter = { toolsListChanged: true };

      it('are acknowledged, and missing, rejected, silent or not honoured as named', async () => {
        const good = await (await listening('changes-modern')).listen(filter);
        assert.deepEqual(good.honoredFilter, filter);
        const missing = await listening('subscription-missing');
        await assert.rejects(missing.listen(filter), /Method not found/);
        const rejected = await listening('subscription-rejected');
        await assert.rejects(rejected.listen(filter), /limit reached/);
        const silent = await listening('subscription-silent');
        await assert.rejects(silent.listen(filter, { timeout: 300 }), /timed out/);
        const ignored = await (await listening('subscription-not-honoured')).listen(filter);
        assert.deepEqual(ignored.honoredFilter, {});
      });

      it('end in good order or break off after their acknowledgement', async () => {
        const ends = await (await listening('subscription-ends')).listen(filter);
        assert.equal(await withDeadline(ends.closed, patience, 'the end'), 'graceful');
        const breaks = await (await listening('subscription-dropped')).listen(filter);
        assert.equal(await withDeadline(breaks.closed, patience, 'the break'), 'remote');
      });

      it('bring a burst of 50', async () => {
        const client = await listening('subscription-burst');
        let changes = 0;
        client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));
        await client.listen(filter);
        await eventually(() => changes === 50);
      });
    });
  }
});

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const discover = { jsonrpc: '2.0', id: 2, method: 'server/discover', params: {} };
const list = { jsonrpc: '2.0', id: 3, method: 'tools/list' };

function call(name: string, args: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name, arguments: args } };
}

function init(body: JsonObject, headers: Record<string, string> = {}): RequestInit {
  const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return { method: 'POST', redirect: 'manual', headers: { ...accept, ...headers }, body: JSON.stringify(body) };
}

async function post(url: string, body: JsonObject, headers?: Record<string, string>): Promise<Response> {
  return fetch(url, init(body, headers));
}

/** The stream's first block, without the blank line that ends it. */
async function firstEvent(url: string): Promise<string> {
  const { body } = await fetch(url);
  const reader = body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes('\n\n')) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value);
  }
  await reader.cancel();
  return text.split('\n\n')[0]!;
}
