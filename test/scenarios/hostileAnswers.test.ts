// Servers that answer with what is legal and made to hurt: each costs itself something and nobody else.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { LiveClient } from '../../src/core/connection/liveClient.ts';
import { openClient } from '../../src/core/connection/openClient.ts';
import { discover, type Listed } from '../../src/core/discovery/discover.ts';
import type { OfferedTool } from '../../src/core/discovery/snapshot.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { limits } from '../../src/core/limits.ts';
import { eventually } from '../support/eventually.ts';
import { opening, stdioLaunch } from '../support/openOptions.ts';
import { patience } from '../support/patience.ts';
import { inlineServer, RawStdio } from '../support/rawStdio.ts';
import { withDeadline } from '../support/withDeadline.ts';

const clients: LiveClient[] = [];
const processes: RawStdio[] = [];
const never = new AbortController().signal;

/** A server that shakes hands and leaves the rest to `handle`, the body of a function of a request. */
async function connected(handle: string, hello = '{}'): Promise<LiveClient> {
  const server = inlineServer(`
    const greet = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
    onRequest(({ id, method, params }) => {
      if (method === 'initialize') answer(id, { ...greet, ...${hello} });
      else if (id !== undefined) { ${handle} }
    });`);
  const client = await openClient(stdioLaunch(server), opening());
  clients.push(client);
  return client;
}

async function flooded(stream: 'stdout' | 'stderr', unit: string): Promise<RawStdio> {
  const server = new RawStdio(
    inlineServer(`
      const flood = Buffer.from((${JSON.stringify(unit)}.repeat(8190 / ${unit.length} | 0) + '\\n').repeat(8));
      const go = () => process.${stream}.write(flood, () => setImmediate(go));
      go();`),
  );
  processes.push(server);
  return server.start();
}

async function toolsOf(client: LiveClient): Promise<Listed<OfferedTool>> {
  const { tools } = await discover(client, { signal: never, kinds: ['tools'] });
  assert.equal(tools?.kind, 'listed');
  return tools;
}

function failure(promise: Promise<unknown>): Promise<ManagerError> {
  return promise.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => {
      assert.ok(error instanceof ManagerError, String(error));
      return error;
    },
  );
}

describe('A hostile stdio server', () => {
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(processes.splice(0).map(({ transport }) => transport.close()));
  });

  for (const [what, value, words] of [
    ['60 MiB of nesting', `'['.repeat(30 * 2 ** 20) + ']'.repeat(30 * 2 ** 20)`, /nested deeper than 4000/],
    ['60 MiB of empty objects', `'[' + '{},'.repeat(20 * 2 ** 20) + '0]'`, /more than 3000000/],
  ] as const) {
    it(`that answers with ${what} fails that call at once and serves the next [CONN-9d]`, async () => {
      const client = await connected(`
        if (method === 'big') line('{"jsonrpc":"2.0","id":' + id + ',"result":{"a":' + ${value} + '}}');
        else answer(id, { small: true });`);
      const big = failure(client.request('big', {}, { kind: 'call' }));
      const small = client.request('small', {}, { kind: 'call' });
      const error = await big;
      assert.deepEqual([error.code, error.outcome, error.data['method']], ['invalidResponse', 'completed', 'big']);
      assert.match(String(error.data['detail']), words);
      assert.deepEqual(await small, { small: true });
    });
  }

  it('that shakes hands with a nested answer is told so', async () => {
    const deep = `{ capabilities: { experimental: JSON.parse('{"a":'.repeat(900) + '1' + '}'.repeat(900)) } }`;
    await connected('', deep);
    const nested = inlineServer(`onRequest(({ id }) => line('{"jsonrpc":"2.0","id":' + id + ',"result":{"a":'
      + '{"a":'.repeat(100000) + '1' + '}'.repeat(100000) + '}}'));`);
    const error = await failure(openClient(stdioLaunch(nested), opening()));
    assert.deepEqual([error.code, error.data['method']], ['invalidResponse', 'initialize']);
    assert.match(String(error.data['detail']), /nested deeper than 4000/);
  });

  it('that has a name of 30 million characters is known by the beginning of it', async () => {
    const client = await connected(
      '',
      `{ serverInfo: { name: 'N'.repeat(3e7), version: '\\u202e'.repeat(5e6) }, instructions: 'x'.repeat(2e7) }`,
    );
    const { serverName, serverVersion, instructions } = client.negotiated;
    assert.deepEqual(
      [serverName, serverVersion?.length, instructions?.length],
      ['N'.repeat(limits.serverInfo.name), limits.serverInfo.version, limits.serverInfo.instructions],
    );
  });

  for (const size of [3, 60]) {
    it(`that lists tools of ${size} MiB without end gets an incomplete list [DISC-2d]`, async () => {
      const client = await connected(`
        const x = 'A'.repeat(${size} * 2 ** 20);
        const next = (Number(params?.cursor) || 0) + 1;
        answer(id, { tools: [{ name: 't' + next, inputSchema: { type: 'object' }, _meta: { x } }], nextCursor: String(next) });`);
      const list = await toolsOf(client);
      assert.equal(list.incomplete?.reason, 'sizeLimit');
      assert.ok(list.size <= limits.discovery.total);
      assert.equal(list.items.length, size === 3 ? 42 : 0);
    });
  }

  it('that gives cursors of 5 MB is asked no further', async () => {
    const client = await connected(
      `answer(id, { tools: [{ name: 't', inputSchema: {} }], nextCursor: 'C'.repeat(5e6) + Math.random() });`,
    );
    const list = await toolsOf(client);
    assert.deepEqual([list.items.length, list.incomplete?.reason], [1, 'pageFailed']);
  });

  for (const unit of ['abcd', 'eyJ-']) {
    it(`that floods stderr with ${unit} leaves everybody their turn, and ends [CONN-8a, CONN-10a]`, async () => {
      const server = await flooded('stderr', unit);
      let most = 0;
      let before = 0;
      const look = (): void => {
        most = Math.max(most, server.stderr.length - before);
        before = server.stderr.length;
        if (before < 1_000) setImmediate(look);
      };
      look();
      await eventually(() => server.stderr.length >= 1_000, patience, '1,000 lines');
      assert.ok(most > 0 && most <= 20, `${most} lines of 8 KiB in one turn`);
      await withDeadline(server.transport.close(), patience, 'the end');
    });
  }

  it('that floods stdout with what is no message ends [CONN-8a, CONN-9a]', async () => {
    const server = await flooded('stdout', 'eyJ-');
    await eventually(() => server.transport.noiseCount >= 2_000, patience, '2,000 lines');
    await withDeadline(server.transport.close(), patience, 'the end');
    assert.ok(server.noise.length < 40 && server.transport.noiseSample.startsWith('eyJ-'));
  });
});
