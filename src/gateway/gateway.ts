// The loopback HTTP server that agents talk to (GATE-1): lets requests in, finds their session and answers. One surface a
// path, shared by all of its clients. Promises: listens on 127.0.0.1 only; when it ends, so do its sessions.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../contract/json.ts';
import { limits } from '../core/limits.ts';
import { type Admission, admit, type Endpoint, tooLarge } from './admission.ts';
import { EventStream } from './eventStream.ts';
import { type Inbound, type LegacyMessage, readInbound, type RpcId } from './inbound.ts';
import { LegacySession } from './legacySession.ts';
import { failed, RpcFailure } from './outcomes.ts';
import { readBody } from './readBody.ts';
import { serveModern } from './modernRequest.ts';
import { Reply } from './reply.ts';
import { SessionTable } from './sessionTable.ts';
import type { Surface } from './surface.ts';
import { tokenCheck } from './token.ts';

export interface GatewayOptions {
  readonly clock: Clock;
  /** Undefined only where a person gave it up. */
  readonly token: string | undefined;
  /** What a path shows; undefined where there is no such server. The same surface each time. */
  readonly surface: (endpoint: Endpoint) => Surface | undefined;
}

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #isToken: ((presented: string) => boolean) | undefined;
  readonly #sessions: SessionTable;
  readonly #listening = new Set<() => void>();
  readonly #server: Server;
  #port = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#sessions = new SessionTable(options.clock);
    this.#isToken = options.token === undefined ? undefined : tokenCheck(options.token);
    const { head, request, idleConnection } = limits.gateway;
    this.#server = createServer(
      { noDelay: true, headersTimeout: head, requestTimeout: request, keepAliveTimeout: idleConnection },
      (asked, response) => void this.#serve(asked, response),
    );
  }

  /** Answers the address, `http://127.0.0.1:PORT`. */
  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
    return `http://127.0.0.1:${this.#port}`;
  }

  async close(): Promise<void> {
    this.#sessions.dispose();
    for (const end of this.#listening) end();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const admission = admit(request, { port: this.#port, isToken: this.#isToken });
    if (admission.kind === 'refused') {
      refuse(response, admission);
      return;
    }
    const surface = this.#options.surface(admission.endpoint);
    if (surface === undefined) {
      refuse(response, { kind: 'refused', status: 404, message: 'There is nothing at this path.' });
      return;
    }
    switch (admission.method) {
      case 'GET':
        this.#openStream(request, response, surface);
        return;
      case 'DELETE':
        this.#end(request, response, surface);
        return;
      case 'POST':
        await this.#post(request, response, surface);
    }
  }

  #openStream(request: IncomingMessage, response: ServerResponse, surface: Surface): void {
    const session = this.#find(request, response, surface);
    if (session === undefined) return;
    const stream = new EventStream(response, this.#options.clock);
    session.attach(stream);
    response.once('close', () => session.detach(stream));
  }

  #end(request: IncomingMessage, response: ServerResponse, surface: Surface): void {
    const session = this.#find(request, response, surface);
    if (session === undefined) return;
    this.#sessions.end(session.id);
    response.writeHead(200, { 'content-length': 0 }).end();
  }

  async #post(request: IncomingMessage, response: ServerResponse, surface: Surface): Promise<void> {
    const body = await readBody(request);
    if (body.kind === 'tooLarge') {
      refuse(response, tooLarge);
      return;
    }
    if (body.kind === 'broken') return;
    const inbound = readInbound(body.bytes, {
      version: header(request, 'mcp-protocol-version'),
      method: header(request, 'mcp-method'),
      name: header(request, 'mcp-name'),
    });
    switch (inbound.kind) {
      case 'refused':
        json(response, inbound.status, { jsonrpc: '2.0', id: inbound.id, error: inbound.error });
        return;
      case 'modern':
        await serveModern(response, {
          inbound,
          surface,
          clock: this.#options.clock,
          header: (name) => header(request, name),
          onListen: (end) => {
            this.#listening.add(end);
            response.once('close', () => this.#listening.delete(end));
          },
        });
        return;
      case 'legacy':
        await this.#legacy(inbound, request, response, surface);
    }
  }

  async #legacy(
    { messages }: Extract<Inbound, { kind: 'legacy' }>,
    request: IncomingMessage,
    response: ServerResponse,
    surface: Surface,
  ): Promise<void> {
    const [message] = messages;
    if (message === undefined) return;
    if (message.kind === 'request' && message.method === 'initialize') {
      await this.#initialize(message, response, surface);
      return;
    }
    const session = this.#find(request, response, surface);
    if (session === undefined) return;
    if (message.kind !== 'request') {
      session.take(message);
      response.writeHead(202, { 'content-length': 0 }).end();
      return;
    }
    const reply = new Reply(response, { clock: this.#options.clock, streams: true });
    reply.end(message.id, await session.answer(message, reply));
  }

  async #initialize(
    message: Extract<LegacyMessage, { kind: 'request' }>,
    response: ServerResponse,
    surface: Surface,
  ): Promise<void> {
    const session = new LegacySession(surface, message);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const options = { clock: this.#options.clock, streams: true, headers: { 'mcp-session-id': session.id } };
    const reply = new Reply(response, options);
    try {
      const hello = await surface.hello({ signal: gone.signal });
      if (!this.#sessions.add(session, surface)) throw new RpcFailure(-32000, 'Every session is in use.');
      reply.end(message.id, { kind: 'value', result: session.initialized(hello) });
    } catch (error) {
      session.dispose();
      reply.end(message.id, failed(error));
    }
  }

  /** The session that a request names; answers where there is none. */
  #find(request: IncomingMessage, response: ServerResponse, surface: Surface): LegacySession | undefined {
    const id = header(request, 'mcp-session-id');
    const known = id === undefined ? undefined : this.#sessions.use(id, surface);
    if (known !== undefined) return known;
    const [status, message] =
      id === undefined ? ([400, 'No session is named'] as const) : ([404, 'Session not found'] as const);
    json(response, status, { jsonrpc: '2.0', id: null, error: { code: status === 404 ? -32001 : -32000, message } });
    return undefined;
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

function refuse(response: ServerResponse, refusal: Admission): void {
  if (refusal.kind !== 'refused') return;
  const { status, message, headers } = refusal;
  json(response, status, { jsonrpc: '2.0', id: null, error: { code: -32000, message } }, headers);
}

function json(response: ServerResponse, status: number, body: JsonObject & { id: RpcId | null }, headers = {}): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
