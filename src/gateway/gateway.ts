// The HTTP server that agents talk to (GATE-1): lets requests in, finds their session and answers. One surface a path,
// shared by all of its clients. Promises: listens on 127.0.0.1 and on a socket of the person's alone; a session ends with
// the gateway, with what is behind its path, and with the process that owns it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ownerHeader, readOwner } from '../contract/gatewayWire.ts';
import type { JsonObject } from '../contract/json.ts';
import { acceptsStream } from './acceptsStream.ts';
import { type Admission, admit, type Endpoint, type HttpMethod, type ServicePath, tooLarge } from './admission.ts';
import { EventStream } from './eventStream.ts';
import { type Inbound, type LegacyMessage, readInbound, type RpcId } from './inbound.ts';
import { answerBatch } from './legacyBatch.ts';
import { LegacySession } from './legacySession.ts';
import { Listeners, type ListenersOptions } from './listeners.ts';
import { failed, RpcFailure, statusOfClosed, unlessWindowClosed, windowClosed } from './outcomes.ts';
import { readBody } from './readBody.ts';
import { serveModern } from './modernRequest.ts';
import { Reply, type RpcError } from './reply.ts';
import { SessionTable, type SessionTableDeps } from './sessionTable.ts';
import type { Surface } from './surface.ts';
import { tokenCheck } from './token.ts';

export interface GatewayOptions extends ListenersOptions {
  /** Undefined only where a person gave it up. */
  readonly token: string | undefined;
  /** What a path shows; undefined where there is no such server. The same surface each time. */
  readonly surface: (endpoint: Endpoint) => Surface | undefined;
  /** Whether the process that owns a session still runs. */
  readonly judge?: SessionTableDeps['judge'];
  readonly most?: SessionTableDeps['most'];
  /** What is asked besides MCP; absent where nothing is. */
  readonly service?: Service;
}

/** Answers a request that was let in. */
export type Service = (asked: ServiceRequest, response: ServerResponse) => Promise<void>;

export interface ServiceRequest {
  readonly name: string;
  readonly method: HttpMethod;
  /** Undefined unless it is a POST. */
  readonly body: Buffer | undefined;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly surface: Surface;
  readonly endpoint: Endpoint;
  /** The path, as sessions are bound to it: what is behind it may be another surface later. */
  readonly place: string;
}

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #isToken: ((presented: string) => boolean) | undefined;
  readonly #sessions: SessionTable;
  /** Streams of modern clients that stay open, by how they end in order. */
  readonly #listening = new Map<() => void, Surface>();
  readonly #listeners: Listeners;
  readonly #closing = new AbortController();
  #open = 0;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#sessions = new SessionTable(options);
    this.#isToken = options.token === undefined ? undefined : tokenCheck(options.token);
    this.#listeners = new Listeners(options, (request, response, port) => this.#serve(request, response, port));
  }

  /** Sessions of legacy clients. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Whether any client has a session, a stream or a request here. */
  get isUsed(): boolean {
    return this.#sessions.size > 0 || this.#open > 0;
  }

  /** Answers the address, `http://127.0.0.1:PORT`. */
  listen(port = 0): Promise<string> {
    return this.#listeners.onPort(port);
  }

  /**
   * Listens on a Unix socket as well, which only the person may use. Its folder has to be theirs alone. False where there
   * can be none at this path: it is too long, taken, or this is Windows.
   */
  listenOnSocket(path: string): Promise<boolean> {
    return this.#listeners.onSocket(path);
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
    await this.#listeners.close();
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
    if (endpoint.kind === 'service') {
      await this.#ask(endpoint, method, request, response);
      return;
    }
    this.#open += 1;
    response.once('close', () => (this.#open -= 1));
    const surface = this.#options.surface(endpoint);
    if (surface === undefined) {
      refuse(response, { kind: 'refused', status: 404, message: nothingAt(endpoint) });
      return;
    }
    const exchange: Exchange = { request, response, surface, endpoint, place: JSON.stringify(endpoint) };
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

  async #ask(path: ServicePath, method: HttpMethod, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { service } = this.#options;
    if (service === undefined) {
      refuse(response, { kind: 'refused', status: 404, message: 'There is nothing at this path.' });
      return;
    }
    const body = method === 'POST' ? await this.#body(request, response) : undefined;
    if (method !== 'POST' || body !== undefined) await service({ name: path.name, method, body }, response);
  }

  /** Undefined where there is nothing to answer to any more. */
  async #body(request: IncomingMessage, response: ServerResponse): Promise<Buffer | undefined> {
    // Who waits for a word before the body gets it only here, where the request is let in.
    if (request.headers.expect !== undefined) response.writeContinue();
    const body = await readBody(request);
    if (body.kind === 'read' && !this.#closing.signal.aborted) return body.bytes;
    if (body.kind !== 'broken') refuse(response, body.kind === 'tooLarge' ? tooLarge : closes);
    return undefined;
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
    const body = await this.#body(request, response);
    if (body === undefined) return;
    const inbound = readInbound(body, {
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
    if (!batch && message.kind !== 'request') {
      session.take(message);
      response.writeHead(202, { 'content-length': 0 }).end();
      return;
    }
    const under = new AbortController();
    this.#watch(session, response, () => under.abort());
    if (batch || message.kind !== 'request') {
      await answerBatch(response, { messages, session, clock: this.#options.clock, gone: under.signal });
      return;
    }
    const streams = acceptsStream(header(request, 'accept'));
    const reply = new Reply(response, { clock: this.#options.clock, streams, statusOf });
    reply.end(message.id, await session.answer(message, reply, under));
  }

  async #initialize(message: Extract<LegacyMessage, { kind: 'request' }>, exchange: Exchange): Promise<void> {
    const { request, response, surface, endpoint, place } = exchange;
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
      if (this.#options.surface(endpoint) !== surface) throw new RpcFailure(-32000, nothingAt(endpoint));
      if (!this.#sessions.add(session, place, surface)) throw new RpcFailure(-32000, 'Every session is in use.');
      reply.end(message.id, { kind: 'value', result: session.initialized(hello) });
    } catch (error) {
      session.dispose();
      reply.end(message.id, unlessWindowClosed('initialize', failed(error), signal));
    }
  }

  /** The connection under this exchange is its client's: where it breaks, the client may have died. */
  #watch(session: LegacySession, response: ServerResponse, onBreak?: () => void): void {
    response.once('close', () => {
      if (response.writableFinished) return;
      onBreak?.();
      this.#sessions.suspect(session);
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

function nothingAt(endpoint: Endpoint): string {
  return endpoint.kind === 'all' ? 'There is nothing at this path.' : `There is no server “${endpoint.id}”.`;
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
