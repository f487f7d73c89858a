// Requests to a gateway as bytes on the wire: what an SDK would refuse to send, and what it would not show.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { JsonObject } from '../../src/contract/json.ts';
import type { GatewayWorld } from './gatewayWorld.ts';
import { modernEnvelope } from './rawPeer.ts';
import { patience } from './patience.ts';
import { withDeadline } from './withDeadline.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  /** Beside the token and the content type, which one of these may replace; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string | Buffer;
}

type Place = Pick<GatewayWorld, 'url' | 'token'>;

/** Resolves with the response when its head is there. */
export function openRaw(
  { url, token }: Place,
  { method = 'POST', path = '/mcp/one', headers = {}, body }: RawRequest,
): Promise<IncomingMessage> {
  const usual = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const all: NonNullable<RawRequest['headers']> = { ...usual, ...headers };
  const sent = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return withDeadline(
    new Promise<IncomingMessage>((resolve, reject) => {
      const asked = httpRequest(`${url}${path}`, { method, headers: sent, agent: false });
      asked.on('response', resolve);
      asked.on('error', reject);
      asked.end(body);
    }),
    patience,
    'an answer',
  );
}

export async function raw(place: Place, request: RawRequest): Promise<RawAnswer> {
  const response = await openRaw(place, request);
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  await withDeadline(
    new Promise<void>((resolve, reject) => {
      response.once('end', resolve);
      response.once('error', reject);
    }),
    patience,
    'the end of an answer',
  );
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(parts).toString() };
}

/** The messages of an answer, whether it is JSON or an event stream. */
export function messagesIn({ headers, text }: RawAnswer): JsonObject[] {
  if (!String(headers['content-type']).startsWith('text/event-stream')) return [JSON.parse(text) as JsonObject];
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice(6)) as JsonObject);
}

export interface RawSession {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  request(id: string | number, method: string, params?: JsonObject): Promise<RawAnswer>;
  notify(method: string, params?: JsonObject): Promise<RawAnswer>;
}

/** A session of the older era. */
export async function rawSession(place: Place, path = '/mcp/one', capabilities: JsonObject = {}): Promise<RawSession> {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } };
  const { headers } = await raw(place, { path, body: rpc(0, 'initialize', params) });
  const id = String(headers['mcp-session-id']);
  const own = { 'mcp-session-id': id };
  return {
    id,
    headers: own,
    request: (id, method, params) => raw(place, { path, headers: own, body: rpc(id, method, params) }),
    notify: (method, params) => raw(place, { path, headers: own, body: rpc(undefined, method, params) }),
  };
}

export function rpc(id: string | number | undefined, method: string, params: JsonObject = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** A request of the newer era, with the headers that repeat what it says. */
export function modernRequest(
  method: string,
  params: JsonObject = {},
  { path = '/mcp/one', capabilities = {} }: { readonly path?: string; readonly capabilities?: JsonObject } = {},
): RawRequest {
  const name = params['name'] ?? params['uri'];
  const _meta = { ...modernEnvelope, 'io.modelcontextprotocol/clientCapabilities': capabilities };
  return {
    path,
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    body: rpc(1, method, { ...params, _meta }),
  };
}
