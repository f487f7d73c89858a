// One request of the modern era (2026-07-28): it stands alone, and its client is known for as long as it is open. A
// client that closes the connection cancels it.
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { ownerHeader, ownerText, readOwner } from '../contract/gatewayWire.ts';
import { acceptsStream } from './acceptsStream.ts';
import { callerOf } from './callerOf.ts';
import { EventStream } from './eventStream.ts';
import { type Inbound, modernRevisions } from './inbound.ts';
import { listenTo } from './listenRequest.ts';
import { modernResult } from './modernResult.ts';
import { failed, statusOfClosed, unlessWindowClosed } from './outcomes.ts';
import { type Outcome, Reply, type RpcError } from './reply.ts';
import type { ClientRequest, Surface } from './surface.ts';

type ModernInbound = Extract<Inbound, { kind: 'modern' }>;

export interface ModernParts {
  readonly inbound: ModernInbound;
  readonly surface: Surface;
  readonly clock: Clock;
  /** The gateway ends, and why. */
  readonly closing: AbortSignal;
  /** A header of the request, by its name in small letters. */
  readonly header: (name: string) => string | undefined;
  /** A stream that stays open; how to end it in order. */
  readonly onListen: (end: () => void) => void;
}

export async function serveModern(response: ServerResponse, parts: ModernParts): Promise<void> {
  const { inbound, surface, clock, closing } = parts;
  const { message, envelope } = inbound;
  if (message.kind === 'notification') {
    response.writeHead(202, { 'content-length': 0 }).end();
    return;
  }
  const { id, method, params } = message;
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const signal = AbortSignal.any([gone.signal, closing]);
  const reply = new Reply(response, { clock, streams: acceptsStream(parts.header('accept')), statusOf });
  if (method !== 'subscriptions/listen') {
    const tell: ClientRequest['tell'] = (told, about) =>
      void reply.say({ jsonrpc: '2.0', method: told, params: about });
    reply.end(id, await answerModern({ message, envelope, surface, signal, header: parts.header, tell }));
    return;
  }
  try {
    const hello = await surface.hello({ signal });
    signal.throwIfAborted();
    const open = (): EventStream => {
      reply.release();
      return new EventStream(response, clock);
    };
    parts.onListen(listenTo({ id, params, surface, hello, signal, open }));
  } catch (error) {
    reply.end(id, unlessWindowClosed(method, failed(error), signal));
  }
}

export interface ModernRequest extends Pick<ClientRequest, 'signal' | 'tell' | 'header'> {
  readonly message: Extract<ModernInbound['message'], { kind: 'request' }>;
  readonly envelope: ModernInbound['envelope'];
  readonly surface: Surface;
}

/** The answer to a request that opens no stream of its own, on whatever wire it came. Never fails. */
export async function answerModern({ message, envelope, surface, ...rest }: ModernRequest): Promise<Outcome> {
  const { method, params } = message;
  const owner = readOwner(rest.header?.(ownerHeader));
  const request: ClientRequest = {
    method,
    params,
    client: {
      era: 'modern',
      // It has no session; a proxy of ours says in which process its agent is served.
      caller: callerOf(envelope.clientInfo, owner && ownerText(owner)),
      capabilities: envelope.capabilities,
      logLevel: envelope.logLevel,
      seen: new Map(),
    },
    ...rest,
  };
  try {
    const isDiscover = method === 'server/discover';
    const outcome = isDiscover ? await discover(surface, rest.signal) : await surface.answer(request);
    return unlessWindowClosed(method, modernResult(method, outcome), rest.signal);
  } catch (error) {
    return unlessWindowClosed(method, failed(error), rest.signal);
  }
}

async function discover(surface: Surface, signal: AbortSignal): Promise<Outcome> {
  const { capabilities, serverInfo, instructions } = await surface.hello({ signal });
  return {
    kind: 'value',
    result: {
      supportedVersions: modernRevisions,
      capabilities,
      ...(instructions !== undefined && { instructions }),
      _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
    },
  };
}

/** 2026-07-28, transports: what is refused before it is looked at has a status of its own. */
function statusOf(error: RpcError): number {
  const { code } = error;
  if (code === -32601) return 404;
  return statusOfClosed(error) ?? (code === -32020 || code === -32021 ? 400 : 200);
}
