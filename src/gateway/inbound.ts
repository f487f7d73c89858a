// Reads the body of a POST: which JSON-RPC messages it holds, and which era they are of. The era of a message is told by
// the envelope in its `_meta` (2026-07-28, basic, per-request metadata), which its headers must repeat; everything without
// one is of a legacy client. Pure. Refuses with the codes that the revision names: a header that says something else
// than the body is -32020, an unknown revision -32022, a broken envelope -32602.
import { alteredNumber } from '../base/jsonFaults.ts';
import { visibleLine } from '../base/sanitise.ts';
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import { limits } from '../core/limits.ts';
import { JsonMeter } from '../core/transport/jsonMeter.ts';
import { idWithoutParsing } from '../core/transport/oversizedFrame.ts';
import { withoutMark } from './byteOrderMark.ts';
import { plainHeader } from './plainHeader.ts';

export type RpcId = string | number;

export type LegacyMessage =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'answer'; readonly id: RpcId; readonly answer: JsonObject };

/** What a modern request says of whoever sends it. */
export interface Envelope {
  readonly revision: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject | undefined;
  readonly logLevel: string | undefined;
}

export type Inbound =
  /** `batch`: they came as a list. */
  | { readonly kind: 'legacy'; readonly messages: readonly LegacyMessage[]; readonly batch: boolean }
  | {
      readonly kind: 'modern';
      readonly message: Extract<LegacyMessage, { kind: 'request' | 'notification' }>;
      readonly envelope: Envelope;
    }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly id: RpcId | null;
      readonly error: { readonly code: number; readonly message: string; readonly data?: JsonObject };
    };

type Refused = Extract<Inbound, { kind: 'refused' }>;

/** The headers of a POST that repeat what its body says (2026-07-28, transports, SEP-2243). A wire of lines has none. */
export interface MirrorHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

export const modernRevision = '2026-07-28';

/** Revisions that are agreed on by `initialize`, newest first. */
export const legacyRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Revisions that a request may name by itself. Those before it are agreed on by `initialize`. */
export const modernRevisions = [modernRevision];

const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

/** `headers`: undefined on a wire that has none, where nothing has to be repeated. */
export function readInbound(marked: Buffer, headers: MirrorHeaders | undefined): Inbound {
  const bytes = withoutMark(marked);
  // Before it is parsed, which would hold everybody up; and what is nested deeply could not be written down for a server.
  const fault = new JsonMeter(limits.gateway.json).push(bytes);
  if (fault !== undefined) {
    const id = idWithoutParsing(bytes.toString('latin1'));
    return refused(isId(id) ? id : null, -32600, `Invalid request: ${fault}.`);
  }
  const text = bytes.toString('utf8');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    const what = headers === undefined ? 'this line' : 'the body';
    return refused(null, -32700, `Parse error: ${what} is not JSON.`);
  }
  const inbound = Array.isArray(body) ? readBatch(body, headers) : readOne(body, headers);
  const field = inbound.kind === 'refused' ? undefined : alteredNumber(text);
  return field === undefined ? inbound : altered(idIn(body), visibleLine(field, 100));
}

/** Another number than the one that was written would reach the server. Clients take a 400 for a fault of the wire. */
function altered(id: RpcId | null, field: string): Refused {
  const fault = refused(id, -32602, `Invalid params: ${field}: this number cannot be held as it is written.`);
  return id === null ? fault : { ...fault, status: 200 };
}

/** 2025-06-18, transports: a revision that is none is refused. What a client that has not agreed on one yet says is its own. */
function faultOfVersion(headers: MirrorHeaders | undefined): string | undefined {
  const version = headers?.version;
  if (version === undefined || legacyRevisions.some((revision) => revision === version)) return undefined;
  return `Invalid request: MCP-Protocol-Version is none that can be spoken here: ${legacyRevisions.join(', ')}.`;
}

function readBatch(body: readonly unknown[], headers: MirrorHeaders | undefined): Inbound {
  const unknown = faultOfVersion(headers);
  if (unknown !== undefined) return refused(null, -32600, unknown);
  const messages = body.map(messageIn);
  const legacy = messages.filter((message) => message !== undefined);
  if (legacy.length === 0 || legacy.length !== messages.length) {
    return refused(null, -32600, 'Invalid request: the batch is empty or holds what is no message.');
  }
  if (legacy.length > mostInBatch)
    return refused(null, -32600, `Invalid request: a batch of more than ${mostInBatch}.`);
  if (legacy.some((message) => message.kind === 'request' && message.method === 'initialize')) {
    return refused(null, -32600, 'Invalid request: initialize stands alone.');
  }
  if (legacy.some((message) => message.kind !== 'answer' && claim(message.params) !== undefined)) {
    return refused(null, -32600, `Invalid request: ${modernRevision} has no batches.`);
  }
  return { kind: 'legacy', messages: legacy, batch: true };
}

function readOne(body: unknown, headers: MirrorHeaders | undefined): Inbound {
  const message = messageIn(body);
  if (message === undefined) return refused(idIn(body), -32600, 'Invalid request: this is no JSON-RPC message.');
  const headerIsModern = headers?.version !== undefined && isModern(headers.version);
  if (message.kind === 'answer') {
    return headerIsModern
      ? refused(null, -32600, `Invalid request: ${modernRevision} has no answers of clients.`)
      : { kind: 'legacy', messages: [message], batch: false };
  }
  const id = message.kind === 'request' ? message.id : null;
  const claimed = claim(message.params);
  if (claimed === undefined) {
    if (!headerIsModern) {
      const fault = message.method === 'initialize' ? undefined : faultOfVersion(headers);
      if (fault !== undefined) return refused(id, -32600, fault);
      return { kind: 'legacy', messages: [message], batch: false };
    }
    if (message.method === 'initialize') return mismatch(id, 'initialize belongs to revisions before this one');
    if (message.kind === 'notification') return modern(message, envelopeOf(message.params, modernRevision), headers);
    return refused(id, -32602, 'Invalid params: _meta lacks the envelope of the request.', {
      missing: [metaKeys.version],
    });
  }
  // A revision that is none of the modern ones belongs to the old handshake, whatever else is said.
  if (typeof claimed === 'string' && !isModern(claimed) && message.method === 'initialize') {
    return { kind: 'legacy', messages: [message], batch: false };
  }
  if (typeof claimed !== 'string') return refused(id, -32602, `Invalid params: _meta: ${metaKeys.version} is no text.`);
  const fault = faultOfEnvelope(message);
  if (fault !== undefined) return refused(id, -32602, `Invalid params: _meta: ${fault}.`);
  if (headers?.version !== undefined && headers.version !== claimed) {
    return mismatch(id, `MCP-Protocol-Version is not the ${claimed} of the body`);
  }
  if (claimed !== modernRevision) {
    const data = { supported: modernRevisions, requested: claimed };
    return refused(id, -32022, `Unsupported protocol version: ${claimed.slice(0, 40)}`, data);
  }
  return modern(message, envelopeOf(message.params, claimed), headers);
}

type ModernMessage = Extract<Inbound, { kind: 'modern' }>['message'];

function modern(message: ModernMessage, envelope: Envelope, headers: MirrorHeaders | undefined): Inbound {
  if (headers === undefined) return { kind: 'modern', message, envelope };
  const id = message.kind === 'request' ? message.id : null;
  if (headers.method !== undefined && headers.method !== message.method) {
    return mismatch(id, 'Mcp-Method is not the method of the body');
  }
  if (message.kind === 'notification') return { kind: 'modern', message, envelope };
  if (headers.version === undefined) return mismatch(id, 'MCP-Protocol-Version is missing');
  if (headers.method === undefined) return mismatch(id, 'Mcp-Method is missing');
  const named = mirroredName(message);
  if (named !== undefined) {
    if (headers.name === undefined) return mismatch(id, 'Mcp-Name is missing');
    const name = plainHeader(headers.name);
    if (name === undefined) return mismatch(id, 'Mcp-Name is not encoded as it has to be');
    if (name !== named) return mismatch(id, 'Mcp-Name is not what the body names');
  }
  return { kind: 'modern', message, envelope };
}

const mostInBatch = 100;

/** Revisions are dates, so they compare as text. */
export function isModern(revision: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(revision) && revision >= modernRevision;
}

/** The revision that a message says it is of; undefined where it says none. */
export function claim(params: JsonObject): unknown {
  const meta = params['_meta'];
  return isJsonObject(meta) && Object.hasOwn(meta, metaKeys.version) ? meta[metaKeys.version] : undefined;
}

function faultOfEnvelope({ kind, params }: ModernMessage): string | undefined {
  const meta = params['_meta'];
  if (!isJsonObject(meta) || kind === 'notification') return undefined;
  if (!isJsonObject(meta[metaKeys.capabilities])) return `${metaKeys.capabilities} is missing or no object`;
  const info = meta[metaKeys.clientInfo];
  if (info !== undefined && !(isJsonObject(info) && typeof info['name'] === 'string')) {
    return `${metaKeys.clientInfo} is no object with a name`;
  }
  const level = meta[metaKeys.logLevel];
  return level === undefined || typeof level === 'string' ? undefined : `${metaKeys.logLevel} is no text`;
}

function envelopeOf(params: JsonObject, revision: string): Envelope {
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {};
  const { [metaKeys.capabilities]: capabilities, [metaKeys.clientInfo]: info, [metaKeys.logLevel]: level } = meta;
  return {
    revision,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    clientInfo: isJsonObject(info) ? info : undefined,
    logLevel: typeof level === 'string' ? level : undefined,
  };
}

const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** What `Mcp-Name` has to repeat of a request; undefined where that is nothing. */
export function mirroredName({ method, params }: Pick<ModernMessage, 'method' | 'params'>): string | undefined {
  const field = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined;
  const value = field === undefined ? undefined : params[field];
  return typeof value === 'string' ? value : undefined;
}

/** Undefined for what is no message of JSON-RPC. */
export function messageIn(value: unknown): LegacyMessage | undefined {
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params = {} } = value;
  if (typeof method === 'string') {
    if (!isJsonObject(params)) return undefined;
    if (id === undefined) return { kind: 'notification', method, params };
    return isId(id) ? { kind: 'request', id, method, params } : undefined;
  }
  return isId(id) && ('result' in value || 'error' in value) ? { kind: 'answer', id, answer: value } : undefined;
}

/** Null where there is none that an answer could name. */
export function idIn(value: unknown): RpcId | null {
  const id = isJsonObject(value) ? value['id'] : null;
  return isId(id) ? id : null;
}

/** A number that was rounded when it was read would be answered as another one. */
function isId(id: unknown): id is RpcId {
  return typeof id === 'string' || (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER);
}

function mismatch(id: RpcId | null, detail: string): Refused {
  return refused(id, -32020, `Header mismatch: ${detail}.`);
}

function refused(id: RpcId | null, code: number, message: string, data?: JsonObject): Refused {
  return { kind: 'refused', status: 400, id, error: { code, message, ...(data && { data }) } };
}
