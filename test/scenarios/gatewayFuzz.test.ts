// Ten thousand requests made by chance, from a fixed seed, against a real gateway: whatever comes, it answers with a status
// that it may answer with, starts and calls nothing for whoever has no token, and goes on.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../src/contract/json.ts';
import { type GatewayWorld, useGateways } from '../support/gatewayWorld.ts';
import { rawSession } from '../support/rawClient.ts';
import { openSocket, statusesIn } from '../support/rawSocket.ts';

const seed = 20_261_130;
/** 408 and 431 are of Node's own parser. */
const allowed = new Set([200, 202, 400, 401, 403, 404, 405, 408, 413, 415, 417, 431, 501]);

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

const word = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
const methods = fc.oneof(
  { weight: 6, arbitrary: fc.constant('POST') },
  { weight: 1, arbitrary: fc.constantFrom('DELETE', 'PUT', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE', 'post', 'CONNECT') },
);
const paths = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('/mcp/one', '/mcp', '/mcp?mode=plan', '/mcp?tools=search', '/vscode/one') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('/', '*', '/mcp/', '/mcp//', '/mcp/one/', '/mcp/__proto__', '//mcp', '/mcp#x'),
  },
  { weight: 1, arbitrary: fc.webPath().map((path) => path || '/') },
);

const rpcMethods = fc.constantFrom(
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'resources/read', 'resources/subscribe', 'prompts/get'],
  ...[
    'completion/complete',
    'logging/setLevel',
    'server/discover',
    'notifications/cancelled',
    'tasks/get',
    '__proto__',
  ],
);
const scalars = fc.oneof(fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null));
const anything = fc.oneof(scalars, fc.jsonValue({ maxDepth: 4 }));
const keys = ['name', 'uri', 'arguments', 'cursor', 'level', 'ref', 'argument', '_meta', 'requestState', '__proto__'];
const params = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), anything, { maxKeys: 6 }) },
  { weight: 2, arbitrary: fc.constant({ name: 'echo', arguments: { text: 'x' } }) },
  { weight: 1, arbitrary: anything },
);
const envelope = fc.record(
  {
    'io.modelcontextprotocol/protocolVersion': fc.oneof(
      fc.constantFrom('2026-07-28', '2025-11-25', '9999-12-31'),
      anything,
    ),
    'io.modelcontextprotocol/clientCapabilities': fc.oneof(fc.constant({}), anything),
    'io.modelcontextprotocol/clientInfo': fc.oneof(fc.constant({ name: 'x', version: '1' }), anything),
    progressToken: anything,
  },
  { requiredKeys: [] },
);
const message = fc
  .record(
    {
      jsonrpc: fc.oneof({ weight: 8, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: anything }),
      id: fc.oneof({ weight: 4, arbitrary: fc.integer() }, { weight: 1, arbitrary: anything }),
      method: fc.oneof({ weight: 8, arbitrary: rpcMethods }, { weight: 1, arbitrary: anything }),
      params,
      result: anything,
      error: anything,
    },
    { requiredKeys: ['jsonrpc'] },
  )
  .chain((made) =>
    fc.option(envelope, { freq: 3 }).map((meta) => {
      const about: unknown = made.params;
      const isObject = typeof about === 'object' && about !== null && !Array.isArray(about);
      return meta === null || !isObject ? made : { ...made, params: { ...(about as JsonObject), _meta: meta } };
    }),
  );
const bodies = fc.oneof(
  { weight: 8, arbitrary: message.map((made) => JSON.stringify(made)) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 5 }).map((made) => JSON.stringify(made)) },
  // Cut off, doubled, or no JSON at all.
  { weight: 1, arbitrary: message.map((made) => JSON.stringify(made).slice(1)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
);
const values = fc.oneof(
  word,
  fc.constantFrom('2026-07-28', '2025-11-25', 'tools/call', 'echo', '=?base64?AA==?=', '', ' '),
);
const headers = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom('mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'accept', 'expect', 'origin'),
      fc.constantFrom(
        'content-type',
        'content-encoding',
        'upgrade',
        'last-event-id',
        'roundhouse-owner',
        'x-forwarded-host',
      ),
      word,
    ),
    values,
  ),
  { maxLength: 4, size: '-1' },
);
/** What a client would send, but for what it says. */
const plain = fc
  .record({ jsonrpc: fc.constant('2.0'), id: fc.oneof(fc.integer(), fc.string()), method: rpcMethods, params })
  .map((made) => JSON.stringify(made));
const requests = fc.record({ method: methods, path: paths, headers, body: bodies });

describe('the gateway under requests made by chance', function () {
  this.timeout(300_000);
  const openGateway = useGateways();

  it('answers 5,000 that have no token with a refusal, and starts nothing [GATE-2a, GATE-2c, GATE-2f]', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' } });
    const tokens = fc.constantFrom(
      '',
      'Bearer',
      'Bearer nonsense',
      `bearer ${'x'.repeat(43)}`,
      `Basic ${gateway.token}`,
    );
    const statuses = new Map<number, number>();
    for (const [request, token] of fc.sample(fc.tuple(requests, tokens), { seed, numRuns: 5_000 }))
      await send(gateway, request, token, statuses);
    assert.deepEqual(
      [...statuses.keys()].filter((status) => status < 400),
      [],
    );
    assert.ok((statuses.get(401) ?? 0) > 1_000, JSON.stringify([...statuses]));
    assert.deepEqual(gateway.log('one').events('start'), []);
  });

  it('answers 5,000 of a client that has it, and serves the others as before [GATE-2f, GATE-2j]', async () => {
    const gateway = await openGateway({ one: { fixture: 'small-legacy' } });
    const other = await rawSession(gateway);
    const statuses = new Map<number, number>();
    let id = '';
    const made = fc.sample(fc.tuple(requests, plain, fc.nat(3)), { seed, numRuns: 5_000 });
    for (const [index, [request, simple, kind]] of made.entries()) {
      if (index % 50 === 0) {
        // Requests made by chance may end it, too; and of many the one that nobody uses goes first.
        id = (await rawSession(gateway)).id;
        assert.equal((await other.request(index, 'ping')).status, 200);
      }
      const { method, path, headers } = kind === 0 ? request : { method: 'POST', path: '/mcp/one', headers: [] };
      const body = kind === 1 ? simple : request.body;
      await send(
        gateway,
        { method, path, body, headers: [['mcp-session-id', id], ...headers] },
        `Bearer ${gateway.token}`,
        statuses,
      );
    }
    assert.ok((statuses.get(200) ?? 0) > 500, JSON.stringify([...statuses]));
    const answer = await other.request(1, 'tools/call', { name: 'echo', arguments: { text: 'as before' } });
    assert.match(answer.text, /as before/);
    assert.equal(gateway.log('one').events('start').length, 1);
  });

  async function send(
    gateway: GatewayWorld,
    { method, path, headers: own, body }: Request,
    token: string,
    statuses: Map<number, number>,
  ): Promise<void> {
    const connection = await openSocket(gateway.url);
    const bytes = Buffer.from(body);
    const lines = [
      `${method} ${path} HTTP/1.1`,
      `Host: ${new URL(gateway.url).host}`,
      ...(token === '' ? [] : [`Authorization: ${token}`]),
      ...(own.some(([name]) => name === 'content-type') ? [] : ['Content-Type: application/json']),
      `Content-Length: ${bytes.length}`,
      'Connection: close',
      ...own.map(([name, value]) => `${name}: ${value}`),
    ];
    connection.socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]));
    await connection.ended(20_000);
    const text = connection.text();
    const [status = 0, ...more] = statusesIn(text).filter((each) => each !== 100);
    const what = `${lines.join('\n')}\n\n${body}\n\n${text}`;
    // A tunnel is no request to answer.
    if (method === 'CONNECT') return;
    assert.ok(allowed.has(status) && more.length === 0, what);
    assert.doesNotMatch(text, /^access-control-/im, what);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
});
