// The HTTP server that agents talk to (GATE-1): lets requests in, finds their session and answers. One surface a path,
// shared by all of its clients. Promises: listens on 127.0.0.1 and on a socket of the person's alone; a session ends with
// the gateway, with what is behind its path, and with the process that owns it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { ownerHeader, readOwner } from '../contract/gatewayWire.ts';
import type { JsonObject } from '../contract/json.ts';
import { limits } from '../core/limits.ts';
import { acceptsStream } from './acceptsStream.ts';
import { type Admission, admit, type Endpoint, tooLarge } from './admission.ts';
import { EventStream } from './eventStream.ts';
import { type Inbound, type LegacyMessage, readInbound, type RpcId } from './inbound.ts';
import { answerBatch } from './legacyBatch.ts';
import { LegacySession } from './legacySession.ts';
import { failed, RpcFailure, statusOfClosed, unlessWindowClosed, windowClosed } from './outcomes.ts';
import { readBody } from './readBody.ts';
import { serveModern } from './modernRequest.ts';
import { Reply, type RpcError } from './reply.ts';
import { SessionTable, type SessionTableDeps } from './sessionTable.ts';
import { canBeSocket, freeSocket, protectSocket } from './socketFile.ts';
import type { Surface } from './surface.ts';
import { tokenCheck } from './token.ts';

export interface GatewayOptions {
  readonly clock: Clock;
  /** Undefined only where a person gave it up. */
  readonly token: string | undefined;
  /** What a path shows; undefined where there is no such server. The same surface each time. */
  readonly surface: (endpoint: Endpoint) => Surface | undefined;
  /** Whether the process that owns a session still runs. */
  readonly judge?: SessionTableDeps['judge'];
  /** That the port, and the socket, hold open at once; others are closed as they come. */
  readonly connections?: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly surface: Surface;
  /** The path, as sessions are bound to it: what is behind it may be another surface later. */
  readonly place: string;
}

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #isToken: ((presented: string) => boolean) | undefined;
  readonly #sessions: SessionTable;
  /** Streams of modern clients that stay open, by how they end in order. */
  readonly #listening = new Map<() => void, Surface>();
  readonly #servers: Server[] = [];
  readonly #closing = new AbortController();

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#sessions = new SessionTable(options);
    this.#isToken = options.token === undefined ? undefined : tokenCheck(options.token);
  }

  /** Answers the address, `http://127.0.0.1:PORT`. */
  async listen(port = 0): Promise<string> {
    // Requests come only once it listens, and the port is known by then.
    let own = 0;
    const server = await this.#open(
      (server) => server.listen(port, '127.0.0.1'),
      () => own,
    );
    own = (server.address() as AddressInfo).port;
    return `http://127.0.0.1:${own}`;
  }

  /**
   * Listens on a Unix socket as well, which only the person may use. Its folder has to be theirs alone. False where there
   * can be none at this path: it is too long, taken, or this is Windows.
   */
  async listenOnSocket(path: string): Promise<boolean> {
    if (!canBeSocket(path) || !(await freeSocket(path, this.#options.clock))) return false;
    await this.#open(
      (server) => server.listen(path),
      () => undefined,
    );
    await protectSocket(path);
    return true;
  }

  /** There is nothing behind this surface any more: whatever clients have open there ends. */
  drop(surface: Surface): void {
    this.#sessions.endAllOf(surface);
    for (const [end, of] of [...this.#listening]) if (of === surface) end();
  }

  /** Takes no more requests, ends what is open, and gives the answers that are left a moment to go out. */
  async close(): Promise<void> {
    const why = windowClosed();
    this.#closing.abort(why);
    this.#sessions.dispose(why);
    for (const end of [...this.#listening.keys()]) end();
    const closed = Promise.all(
      this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    );
    const late = this.#options.clock.after(limits.gateway.farewell, () => {
      for (const server of this.#servers) server.closeAllConnections();
    });
    await closed;
    late.dispose();
  }

  async #open(listen: (server: Server) => void, port: () => number | undefined): Promise<Server> {
    const { head, request, idleConnection, look } = limits.gateway;
    const server = createServer(
      {
        noDelay: true,
        headersTimeout: head,
        requestTimeout: request,
        keepAliveTimeout: idleConnection,
        connectionsCheckingInterval: look,
      },
      (asked, response) => void this.#serve(asked, response, port()).catch(() => response.destroy()),
    );
    // Also of those who know no token, whose heads are waited for.
    server.maxConnections = this.#options.connections ?? limits.gateway.connections;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.once('listening', resolve);
      listen(server);
    });
    this.#servers.push(server);
    return server;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, port: number | undefined): Promise<void> {
    response.on('error', () => undefined);
    const admission = admit(request, { port, isToken: this.#isToken });
    if (admission.kind === 'refused') {
      refuse(response, admission);
      return;
    }
    if (this.#closing.signal.aborted) {
      refuse(response, closes);
      return;
    }
    const { endpoint, method } = admission;
    const surface = this.#options.surface(endpoint);
    if (surface === undefined) {
      const message =
        endpoint.kind === 'all' ? 'There is nothing at this path.' : `There is no server “${endpoint.id}”.`;
      refuse(response, { kind: 'refused', status: 404, message });
      return;
    }
    const exchange: Exchange = { request, response, surface, place: JSON.stringify(endpoint) };
    switch (method) {
      case 'GET':
        this.#openStream(exchange);
        return;
      case 'DELETE':
        this.#end(exchange);
        return;
      case 'POST':
        await this.#post(exchange);
    }
  }

  #openStream(exchange: Exchange): void {
    const session = this.#find(exchange);
    if (session === undefined) return;
    const { request, response } = exchange;
    if (!acceptsStream(header(request, 'accept'))) {
      refuse(response, { kind: 'refused', status: 406, message: 'There is nothing here but an event stream.' });
      return;
    }
    const stream = new EventStream(response, this.#options.clock);
    session.attach(stream);
    response.once('close', () => session.detach(stream));
    this.#watch(session, response);
  }

  #end(exchange: Exchange): void {
    const session = this.#find(exchange);
    if (session === undefined) return;
    this.#sessions.end(session.id);
    exchange.response.writeHead(200, { 'content-length': 0 }).end();
  }

  async #post(exchange: Exchange): Promise<void> {
    const { request, response, surface } = exchange;
    const body = await readBody(request);
    if (body.kind === 'tooLarge') {
      refuse(response, tooLarge);
      return;
    }
    if (body.kind === 'broken') return;
    if (this.#closing.signal.aborted) {
      refuse(response, closes);
      return;
    }
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
          closing: this.#closing.signal,
          header: (name) => header(request, name),
          onListen: (end) => {
            this.#listening.set(end, surface);
            response.once('close', () => this.#listening.delete(end));
          },
        });
        return;
      case 'legacy':
        await this.#legacy(inbound, exchange);
    }
  }

  async #legacy({ messages, batch }: Extract<Inbound, { kind: 'legacy' }>, exchange: Exchange): Promise<void> {
    const [message] = messages;
    if (message === undefined) return;
    if (message.kind === 'request' && message.method === 'initialize') {
      await this.#initialize(message, exchange);
      return;
    }
    const session = this.#find(exchange);
    if (session === undefined) return;
    const { request, response } = exchange;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    if (batch) {
      this.#watch(session, response);
      await answerBatch(response, { messages, session, clock: this.#options.clock, gone: gone.signal });
      return;
    }
    if (message.kind !== 'request') {
      session.take(message);
      response.writeHead(202, { 'content-length': 0 }).end();
      return;
    }
    this.#watch(session, response);
    const streams = acceptsStream(header(request, 'accept'));
    const reply = new Reply(response, { clock: this.#options.clock, streams, statusOf });
    reply.end(message.id, await session.answer(message, reply, gone.signal));
  }

  async #initialize(message: Extract<LegacyMessage, { kind: 'request' }>, exchange: Exchange): Promise<void> {
    const { request, response, surface, place } = exchange;
    const session = new LegacySession(surface, message, readOwner(header(request, ownerHeader)));
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, this.#closing.signal]);
    const headers = { 'mcp-session-id': session.id };
    const streams = acceptsStream(header(request, 'accept'));
    const reply = new Reply(response, { clock: this.#options.clock, streams, statusOf, headers });
    try {
      const hello = await surface.hello({ signal });
      signal.throwIfAborted(); // Nobody knows its id, or would find it.
      if (!this.#sessions.add(session, place, surface)) throw new RpcFailure(-32000, 'Every session is in use.');
      reply.end(message.id, { kind: 'value', result: session.initialized(hello) });
    } catch (error) {
      session.dispose();
      reply.end(message.id, unlessWindowClosed('initialize', failed(error), signal));
    }
  }

  /** The connection under this exchange is its client's: where it breaks, the client may have died. */
  #watch(session: LegacySession, response: ServerResponse): void {
    response.once('close', () => {
      if (!response.writableFinished) this.#sessions.suspect(session);
    });
  }

  /** The session that a request names; answers where there is none. */
  #find({ request, response, place }: Exchange): LegacySession | undefined {
    const id = header(request, 'mcp-session-id');
    const known = id === undefined ? undefined : this.#sessions.use(id, place);
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

const closes: Admission = { kind: 'refused', status: 503, message: 'This gateway is closing.' };

function statusOf(error: RpcError): number {
  return statusOfClosed(error) ?? 200;
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
