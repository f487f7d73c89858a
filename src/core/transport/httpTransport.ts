// Streamable HTTP through the SDK's transport, with what that one leaves open: a request whose answer cannot come any
// more fails at once instead of at its time-out, a lost session (404) is told and ends the transport (CONN-12), and
// closing deletes the session without waiting for the answer (CONN-5, CONN-8).
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type JSONRPCMessage,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { isHandshake } from './handshakeMethods.ts';
import { jsonRpcMessages } from './jsonRpcMessage.ts';
import { type Exchange, exchangeHeader, RemoteFetch } from './remoteFetch.ts';
import { StandaloneStream } from './standaloneStream.ts';

export interface HttpTransportOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** A request that waits for its answer. */
interface Waiting extends Exchange {
  /** Ends the wait: answered, or with the reason why no answer can come. */
  settle(failure?: Error): void;
}

export class HttpTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  readonly hasPerRequestStream = true;
  readonly #url: URL;
  readonly #remote: RemoteFetch;
  readonly #inner: StreamableHTTPClientTransport;
  readonly #standalone: StandaloneStream;
  readonly #waiting = new Map<string, Waiting>();
  readonly #numbers = new Map<string | number, string>();
  /** In whose stream the SDK reads right now. */
  readonly #reading = new AsyncLocalStorage<string | number>();
  /** Requests of the server's that wait for their answers, each with the request of ours in whose stream it came. */
  readonly #asked = new Map<string | number, string | number>();
  #count = 0;
  #protocolVersion: string | undefined;
  #sessionLost = false;
  #closed = false;

  constructor(options: HttpTransportOptions) {
    this.#url = options.url;
    this.#remote = new RemoteFetch({ ...options, exchange: (number) => this.#waiting.get(number) });
    this.#inner = new StreamableHTTPClientTransport(options.url, {
      fetch: (url, init) => this.#fetch(url, init),
      // Redirects are followed, or not, by the fetch above.
      redirectPolicy: 'follow',
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 30_000,
        reconnectionDelayGrowFactor: 1.5,
        maxRetries: limits.http.reconnects,
      },
    });
    // Without an event to go on from, this opens the stream as at the beginning.
    this.#standalone = new StandaloneStream(options.clock, () => this.#inner.resumeStream(''));
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  /** Whether the server said that it does not know the session any more. */
  get sessionLost(): boolean {
    return this.#sessionLost;
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
    this.#inner.setProtocolVersion(version);
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message) => {
      if (!('method' in message) && message.id !== undefined) this.#ofId(message.id)?.settle();
      const stream = this.#reading.getStore();
      if ('method' in message && 'id' in message && stream !== undefined) this.#asked.set(message.id, stream);
      this.onmessage?.(message);
    };
    this.#inner.onerror = (error) => {
      this.#standalone.check();
      this.onerror?.(error);
    };
    await this.#inner.start();
  }

  /** The request of ours that a request of the server's belongs to: it came in its stream. */
  originOf(id: string | number): string | number | undefined {
    return this.#asked.get(id);
  }

  /** While a message is given on: the request of ours in whose stream it came. */
  get reading(): string | number | undefined {
    return this.#reading.getStore();
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (!('method' in message) && message.id !== undefined) this.#asked.delete(message.id);
    if (!('method' in message) || !('id' in message)) {
      await this.#inner.send(message, plain(options));
      return;
    }
    const number = String((this.#count += 1));
    this.#numbers.set(message.id, number);
    try {
      await this.#request(number, message, options);
    } finally {
      this.#waiting.delete(number);
      this.#numbers.delete(message.id);
    }
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.#standalone.dispose();
    const farewell = this.#deleteSession();
    const closed = this.#inner.close();
    void farewell.finally(() => this.#remote.dispose());
    for (const waiting of [...this.#waiting.values()])
      waiting.settle(new SdkError(SdkErrorCode.ConnectionClosed, 'closed'));
    this.onclose?.();
    return closed;
  }

  /** Resolves when the request is answered; rejects as soon as it is certain that it will not be. */
  #request(number: string, message: JSONRPCMessage, options: TransportSendOptions): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        settle: (failure) => (failure === undefined ? resolve() : reject(failure)),
        fail: reject,
      };
      this.#waiting.set(number, waiting);
      // Who closes the stream of a request waits for nothing.
      options.requestSignal?.addEventListener('abort', () => waiting.settle(), { once: true });
      const onRequestStreamEnd = (): void => {
        options.onRequestStreamEnd?.();
        waiting.settle(unanswered('the stream ended without an answer'));
      };
      const headers = { ...options.headers, [exchangeHeader]: number };
      const send = (): Promise<void> => this.#inner.send(message, { ...plain(options), headers, onRequestStreamEnd });
      const { id } = message as { readonly id: string | number };
      this.#reading.run(id, send).then(
        () => {
          // What came as JSON has been delivered by now, and a stream has a callback of its own.
          if (waiting.stream !== true) waiting.settle(unanswered(`status ${waiting.status ?? '?'} without an answer`));
        },
        (error: unknown) => {
          const answer = refusalAnswer(message, error);
          if (answer === undefined) waiting.settle(withRetryAfter(error, waiting.retryAfter));
          else this.#inner.onmessage?.(answer);
        },
      );
    });
  }

  async #fetch(url: string | URL, init?: RequestInit): Promise<Response> {
    const get = (): Promise<Response> => this.#remote.fetch(url, init);
    const answer = await (init?.method === 'GET' ? this.#standalone.follow(get) : get());
    if (answer.status !== 404 || init?.method !== 'POST' || !new Headers(init.headers).has('mcp-session-id'))
      return answer;
    const text = await answer.text();
    if (refusesOnly(text, init.body)) return new Response(text, { status: answer.status, headers: answer.headers });
    // A server answers so before it looks at the request (2025-11-25, transports, session management).
    this.#sessionLost = true;
    // After whoever sent this: what was refused is told apart from what may have run.
    setImmediate(() => void this.close());
    throw new ManagerError('sessionLost', {}, { outcome: 'notSent' });
  }

  #ofId(id: string | number): Waiting | undefined {
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : this.#waiting.get(number);
  }

  async #deleteSession(): Promise<void> {
    const { sessionId } = this.#inner;
    if (sessionId === undefined || this.#sessionLost) return;
    const version = this.#protocolVersion;
    const headers = {
      'mcp-session-id': sessionId,
      ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
    };
    try {
      const signal = AbortSignal.timeout(limits.http.farewell);
      const answer = await this.#remote.fetch(this.#url, { method: 'DELETE', headers, signal });
      await answer.body?.cancel();
    } catch {
      // Best effort: the server forgets the session by itself.
    }
  }
}

function plain(options: TransportSendOptions): Parameters<StreamableHTTPClientTransport['send']>[1] {
  const { headers, requestSignal, onRequestStreamEnd } = options;
  return {
    ...(headers === undefined ? {} : { headers }),
    ...(requestSignal === undefined ? {} : { requestSignal }),
    ...(onRequestStreamEnd === undefined ? {} : { onRequestStreamEnd }),
  };
}

/**
 * The JSON-RPC error in the body of a refusal: many servers answer an unknown method with 404 or a bad argument with
 * 400. The handshake is left to the SDK, which reads such a body as evidence of an era.
 */
function refusalAnswer(request: JSONRPCMessage, error: unknown): JSONRPCMessage | undefined {
  if (!(error instanceof SdkHttpError) || error.status === 401 || error.status === 403) return undefined;
  if (!('method' in request) || !('id' in request) || isHandshake(request.method)) return undefined;
  const { text } = error.data;
  const answer = messageIn(text);
  return answer !== undefined && 'error' in answer && answer.id === request.id ? answer : undefined;
}

/** The SDK keeps the status and the text of a refusal, though not its headers. */
function withRetryAfter(error: unknown, retryAfter: string | undefined): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!(error instanceof SdkHttpError) || retryAfter === undefined) return error;
  return new SdkHttpError(error.code, error.message, { ...error.data, retryAfter }, { cause: error.cause });
}

/** Whether a 404 is the error of this very request, for an unknown method say, and not one about the session. */
function refusesOnly(text: string, body: unknown): boolean {
  const request = messageIn(body);
  const answer = messageIn(text);
  if (request === undefined || !('id' in request) || answer === undefined || !('error' in answer)) return false;
  return answer.id === request.id && answer.error.code !== sessionNotFound;
}

function messageIn(text: unknown): JSONRPCMessage | undefined {
  try {
    return jsonRpcMessages(JSON.parse(typeof text === 'string' ? text : ''))?.[0];
  } catch {
    return undefined;
  }
}

/** What the SDK's servers answer for a session that they do not know. */
const sessionNotFound = -32001;

/** A 2xx that holds no answer; the SDK knows this error as no evidence of an era. */
function unanswered(detail: string): SdkError {
  return new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, detail);
}
