// HTTP+SSE (2024-11-05) through the SDK's transport. Its stream is its session: when it ends, the connection has ended.
// The SDK would open it anew and speak to a server that knows nothing of it; here the transport closes instead.
/* eslint-disable @typescript-eslint/no-deprecated -- as the transport is; servers without another are about (CONN-1) */
import { type JSONRPCMessage, SSEClientTransport, type Transport } from '@modelcontextprotocol/client';
import { ManagerError } from '../errors.ts';
import { refusalData } from './refusal.ts';
import { RemoteFetch } from './remoteFetch.ts';
import { watchedBody } from './watchedBody.ts';

export interface SseTransportOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export class SseTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  readonly #remote: RemoteFetch;
  readonly #inner: SSEClientTransport;
  /** Why the stream could not be opened; the SDK keeps the status alone. */
  #refused: ManagerError | undefined;
  #closed = false;

  constructor(options: SseTransportOptions) {
    this.#remote = new RemoteFetch(options);
    this.#inner = new SSEClientTransport(options.url, {
      fetch: (url, init) => this.#fetch(url, init),
      redirectPolicy: 'follow',
    });
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message) => this.onmessage?.(message);
    this.#inner.onerror = (error) => this.onerror?.(error);
    await this.#inner.start().catch((error: unknown) => {
      throw this.#refused ?? error;
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#inner.close();
    this.#remote.dispose();
    this.onclose?.();
  }

  async #fetch(url: string | URL, init?: RequestInit): Promise<Response> {
    if (init?.method === 'POST') return this.#post(url, init);
    const answer = await this.#remote.fetch(url, init);
    if (!answer.ok) {
      this.#refused = await refusal(answer);
      return new Response(null, { status: answer.status, headers: answer.headers });
    }
    if (answer.body === null) return answer;
    const body = watchedBody(answer.body, () => void this.close());
    return new Response(body, { status: answer.status, headers: answer.headers });
  }

  /** The SDK words a refused POST as a sentence; here its status stays a status. */
  async #post(url: string | URL, init: RequestInit): Promise<Response> {
    const answer = await this.#remote.fetch(url, init);
    if (answer.ok) return answer;
    throw await refusal(answer);
  }
}

async function refusal(answer: Response): Promise<ManagerError> {
  const { status, headers } = answer;
  const text = await answer.text().catch(() => '');
  if (status === 401) return new ManagerError('signInNeeded', {}, { outcome: 'completed' });
  const told = refusalData(text, headers.get('retry-after'));
  if (status === 403) return new ManagerError('forbidden', told, { outcome: 'completed' });
  return new ManagerError('httpStatus', { status, ...told }, { outcome: status < 500 ? 'completed' : 'unknown' });
}
