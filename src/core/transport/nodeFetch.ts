// One HTTP exchange over Node's own http and https, in the shape of fetch. Used instead of the global fetch because
// that one ends a silent stream after five minutes, has no hook on name resolution (CONN-13), and does not tell whether
// a failed request had left. Promises: bounded header and body sizes; redirects are answers, never followed.
import type { LookupFunction } from 'node:net';
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { EventMeter } from './eventMeter.ts';
import { JsonMeter } from './jsonMeter.ts';

export interface NodeRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Resolves host names; the connection goes to what it answers and to nothing else. */
  readonly lookup?: LookupFunction | undefined;
  /** Made for a body, or one event of a stream, above a limit; the stream then fails with it. `fault`: why, unless by its size. */
  readonly onTooLarge: (fault?: string) => Error;
}

/** Keeps connections alive between the requests of one server. */
export class NodeFetch {
  readonly #http = new HttpAgent(keptAlive);
  readonly #https = new HttpsAgent(keptAlive);

  /** Fails with `networkFailed`; its outcome is `notSent` while no connection stood. */
  fetch(url: URL, request: NodeRequest): Promise<Response> {
    return new Promise((resolve, reject) => {
      const { method, headers, body, signal, lookup } = request;
      if (signal?.aborted === true) {
        reject(abortError(signal));
        return;
      }
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const message = send(url, {
        method,
        headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
        agent: url.protocol === 'https:' ? this.#https : this.#http,
        maxHeaderSize: limits.http.headers,
        ...(lookup === undefined ? {} : { lookup }),
      });
      const connected = watchConnection(message);
      const onAbort = (): void => void message.destroy(signal === undefined ? undefined : abortError(signal));
      signal?.addEventListener('abort', onAbort, { once: true });
      message.once('close', () => signal?.removeEventListener('abort', onAbort));
      message.on('error', (error) =>
        reject(signal?.aborted === true ? abortError(signal) : asFailure(error, connected())),
      );
      message.once('response', (answer) => {
        try {
          resolve(responseOf(answer, request));
        } catch (error) {
          answer.destroy();
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      message.end(body);
    });
  }

  /** Ends idle connections, and those in use as soon as they are idle. */
  dispose(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** TCP's own probes find out that a silent stream has no other end any more, after a sleep for instance. */
const keptAlive = { keepAlive: true, keepAliveInitialDelay: limits.http.keepAlive };

export function isEventStream(headers: Headers): boolean {
  return /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

/** Whether the request can have left: true from the moment that its connection stands. */
function watchConnection(message: ClientRequest): () => boolean {
  let connected = false;
  message.once('socket', (socket) => {
    if (message.reusedSocket) connected = true;
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => (connected = true));
  });
  return () => connected;
}

function responseOf(answer: IncomingMessage, request: NodeRequest): Response {
  const status = answer.statusCode ?? 0;
  const headers = new Headers();
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    headers.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '');
  }
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') {
    const detail = `content-encoding ${encoding} was not asked for`;
    throw new ManagerError('httpUnexpectedContent', { detail }, { outcome: 'unknown' });
  }
  const bodiless = status === 204 || status === 205 || status === 304;
  if (bodiless) answer.resume();
  return new Response(bodiless ? null : bodyOf(answer, headers, status, request), { status, headers });
}

function bodyOf(
  answer: IncomingMessage,
  headers: Headers,
  status: number,
  request: NodeRequest,
): ReadableStream<Uint8Array> {
  const meter = isEventStream(headers) ? new EventMeter() : undefined;
  const json = meter === undefined ? new JsonMeter() : undefined;
  const refused = status < 200 || status >= 300;
  let size = 0;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let over = false;
      const finish = (end: () => void): void => {
        if (over) return;
        over = true;
        end();
      };
      answer.on('data', (chunk: Buffer) => {
        if (over) return;
        size += chunk.length;
        const largest = meter?.push(chunk) ?? size;
        const fault = meter === undefined ? json?.push(chunk) : meter.fault;
        if (refused && largest > limits.http.refusalBody) {
          finish(() => controller.close());
          answer.destroy();
        } else if (largest > limits.http.body || fault !== undefined) {
          finish(() => controller.error(request.onTooLarge(fault)));
          answer.destroy();
        } else {
          controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
          if ((controller.desiredSize ?? 1) <= 0) answer.pause();
        }
      });
      answer.once('end', () => finish(() => controller.close()));
      answer.once('error', (error) => {
        const { signal } = request;
        finish(() => controller.error(signal?.aborted === true ? abortError(signal) : asFailure(error, true)));
      });
      answer.once('close', () => finish(() => controller.error(asFailure(new Error('the connection was lost'), true))));
    },
    pull: () => void answer.resume(),
    cancel: () => void answer.destroy(),
  });
}

function asFailure(error: Error, connected: boolean): Error {
  if (error instanceof ManagerError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const detail = code === undefined ? error.message : `${error.message} (${code})`.replace(`${code} (${code})`, code);
  return new ManagerError('networkFailed', { detail }, { cause: error, outcome: connected ? 'unknown' : 'notSent' });
}

/** What fetch rejects with; the SDK knows an intended abort by its name. */
function abortError(signal: AbortSignal): Error {
  return new DOMException('The request was aborted.', { name: 'AbortError', cause: signal.reason });
}
