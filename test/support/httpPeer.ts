// An HTTP server of a test whose every answer the test writes itself, with a record of all that reached it. For what no
// well-behaved server does; the fixtures are the well-behaved (and the misbehaving) MCP servers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/contract/json.ts';

export interface PeerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON-RPC message of a POST. */
  readonly message: JsonObject;
  /** `method` of the JSON-RPC message, or an empty string. */
  readonly rpc: string;
}

export type PeerHandler = (request: PeerRequest, answer: PeerAnswer) => void;

/** Ways to answer. */
export interface PeerAnswer {
  readonly raw: ServerResponse;
  status(code: number, headers?: Record<string, string>, body?: string): void;
  /** A JSON-RPC result as JSON. */
  result(result: JsonObject, headers?: Record<string, string>): void;
  error(code: number, message: string, status?: number): void;
  /** Opens an event stream and sends these messages; it stays open. */
  stream(messages?: readonly JsonObject[]): void;
  reset(): void;
}

export interface HttpPeer {
  readonly origin: string;
  readonly url: string;
  readonly requests: readonly PeerRequest[];
  /** JSON-RPC methods in order of arrival; other requests as `GET /path`. */
  wire(): string[];
  connections(): Promise<number>;
  /** Cuts all connections, as a crash does. */
  cut(): void;
  stop(): Promise<void>;
}

export async function startPeer(handler: PeerHandler, port = 0): Promise<HttpPeer> {
  const requests: PeerRequest[] = [];
  const server = createServer((incoming, response) => {
    void read(incoming).then((request) => {
      requests.push(request);
      handler(request, answering(request, response));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/mcp`,
    requests,
    wire: () => requests.map(({ rpc, method, path }) => (rpc === '' ? `${method} ${path}` : rpc)),
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    cut: () => server.closeAllConnections(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A 2025-11-25 server in JSON mode: answers the handshake, and `rest` everything else. */
export function legacyPeer(rest: PeerHandler, session?: () => string): PeerHandler {
  return (request, answer) => {
    const id = session?.();
    if (request.rpc === 'initialize') {
      answer.result(initializeResult, id === undefined ? {} : { 'mcp-session-id': id });
    } else if (request.rpc === 'notifications/initialized') {
      answer.status(202);
    } else {
      rest(request, answer);
    }
  };
}

/** A 2026-07-28 server: answers the question for its protocol, and `rest` everything else. */
export function modernPeer(rest: PeerHandler): PeerHandler {
  return (request, answer) => {
    if (request.rpc === 'server/discover') answer.result(discoverResult);
    else rest(request, answer);
  };
}

export const discoverResult: JsonObject = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'peer', version: '9' } },
};

export const initializeResult: JsonObject = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, experimental: { unknown: { kept: true } } },
  serverInfo: { name: 'peer', version: '9' },
};

async function read(incoming: IncomingMessage): Promise<PeerRequest> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  const message = text === '' ? {} : (JSON.parse(text) as JsonObject);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers as Record<string, string>,
    message,
    rpc: typeof message['method'] === 'string' ? message['method'] : '',
  };
}

function answering(request: PeerRequest, raw: ServerResponse): PeerAnswer {
  const json = (status: number, body: JsonObject, headers: Record<string, string> = {}): void => {
    raw.writeHead(status, { 'content-type': 'application/json', ...headers });
    raw.end(JSON.stringify(body));
  };
  const id = request.message['id'] ?? null;
  return {
    raw,
    status: (code, headers = {}, body = '') => void raw.writeHead(code, headers).end(body),
    result: (result, headers) => json(200, { jsonrpc: '2.0', id, result }, headers),
    error: (code, message, status = 200) => json(status, { jsonrpc: '2.0', id, error: { code, message } }),
    stream: (messages = []) => {
      raw.writeHead(200, { 'content-type': 'text/event-stream' });
      raw.flushHeaders();
      for (const message of messages) raw.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
    reset: () => void raw.destroy(),
  };
}
