// Stands between the SDK's client and a transport. The SDK keeps what is its own (negotiation, subscriptions, requests
// that the server makes); requests of ours go past it, because its result decoding drops a whole list for one bad
// item and blocks the loop on large ones. Promises: results, errors, progress and notifications exactly as they were
// sent; an answer that nobody waits for any more is dropped without a word. Decides nothing about time.
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { Emitter } from '../../base/event.ts';
import { isDeeperThan } from '../../base/jsonDepth.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { limits } from '../limits.ts';
import { isHandshake } from '../transport/handshakeMethods.ts';
import type { FoundAnswer, RawAnswer } from '../transport/rawAnswer.ts';
import { transportError } from '../transport/transportError.ts';
import { modernRevision } from './classifyFailure.ts';
import { OnceEvent } from './onceEvent.ts';
import { errorOf, numericId, withProgressToken } from './wireMessages.ts';

/** Ids of ours start here; the SDK counts its few own requests from 0. */
const firstId = 1_000;

/** Notifications that the SDK has to see itself: the end of a request the server made, and of a subscription. */
const sdkNotifications = new Set(['notifications/cancelled', 'notifications/subscriptions/acknowledged']);

/** `closed`: by us or by the SDK; `lost`: the transport ended by itself. */
export type WireEnd = 'closed' | 'lost';

export interface RawNotification {
  readonly method: string;
  readonly params: JsonObject;
}

export interface ExchangeOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Where each request has an HTTP stream of its own: closes that stream. */
  readonly streamSignal?: AbortSignal | undefined;
  /** Asks for progress and receives its raw params. */
  readonly onProgress?: ((params: JsonObject) => void) | undefined;
  /** Takes the log lines that belong to this request, raw. */
  readonly onLog?: ((params: JsonObject) => void) | undefined;
  /** Answered with the bytes of the answer where the transport has them; the result as it came otherwise. */
  readonly raw?: boolean | undefined;
}

/** What our own transports can do besides: give an answer as bytes, and tell whom a question belongs to. */
interface FullTransport extends Transport {
  takeRaw?: (answer: FoundAnswer) => boolean;
  /** The request of ours in whose stream a request of the server's came, where the wire tells. */
  originOf?(id: string | number): string | number | undefined;
  /** The same for the message that it gives on right now. */
  readonly reading?: string | number | undefined;
}

/** What an exchange was answered with: read, or as bytes. */
export type Answer =
  { readonly kind: 'value'; readonly result: unknown } | { readonly kind: 'raw'; readonly answer: RawAnswer };

/** One request under way. */
export interface Exchange {
  readonly id: number;
  /** Fails with an RpcError of the server's, with WireClosed, or with what the transport failed with. */
  readonly answer: Promise<Answer>;
  /** Nobody waits any more. */
  abandon(): void;
}

export class WireClosed extends Error {
  override readonly name = 'WireClosed';
}

interface Pending {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
  readonly raw: boolean;
  readonly onProgress: ((params: JsonObject) => void) | undefined;
  readonly onLog: ((params: JsonObject) => void) | undefined;
}

export class Wire implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  /** Requests of the server's that may be open at the same time; one more ends the connection. */
  protected readonly mostAsked: number | undefined = limits.serverRequests.open;
  readonly #inner: FullTransport;
  readonly #pending = new Map<number, Pending>();
  readonly #handshakeIds = new Set<string | number>();
  readonly #notified = new Emitter<RawNotification>();
  readonly #ended = new OnceEvent<WireEnd>();
  #nextId = firstId;
  /** Requests of the server's that wait for an answer of ours, and how many answers are not taken yet. */
  readonly #asked = new Set<unknown>();
  #answering = 0;
  #mayAsk = true;
  #closing = false;
  #closed = false;
  #heard = false;
  #handshake: JsonObject | undefined;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  readonly onNotification = this.#notified.event;

  /** Fires once, before the requests under way fail; who subscribes later hears of it all the same. */
  readonly onEnded = this.#ended.event;

  /** The raw result of the last answered handshake (`initialize` or `server/discover`). */
  get handshake(): JsonObject | undefined {
    return this.#handshake;
  }

  /** Whether any protocol message arrived at all. */
  get heard(): boolean {
    return this.#heard;
  }

  /** Whether a handshake was asked and nothing answered it yet, neither with a result nor with an error. */
  get awaitsHandshake(): boolean {
    return this.#handshakeIds.size > 0;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    // A modern server asks in its results; the SDK drops what it asks otherwise, and did so with all during a probe.
    this.#mayAsk = version < modernRevision;
    this.#asked.clear();
    this.#inner.setProtocolVersion?.(version);
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message, extra) => {
      if (!this.#receive(message)) this.onmessage?.(message, extra);
    };
    this.#inner.takeRaw = (answer) => this.#takeRaw(answer);
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onclose = () => this.#end(this.#closing ? 'closed' : 'lost');
    await this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.#answer(message, options);
    if ('id' in message && isHandshake(message.method)) this.#handshakeIds.add(message.id);
    return this.#inner.send(message, options);
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#inner.close();
    this.#end('closed');
  }

  /** The exchange that a request of the server's belongs to, where the wire tells. */
  originOf(id: string | number): number | undefined {
    const origin = this.#inner.originOf?.(id);
    return typeof origin === 'number' ? origin : undefined;
  }

  /** Sends a request of ours. */
  exchange(method: string, params: JsonObject | undefined, options: ExchangeOptions = {}): Exchange {
    const id = this.#nextId++;
    const body = options.onProgress === undefined ? params : withProgressToken(params, id);
    const answer = new Promise<Answer>((resolve, reject) => {
      if (this.#closed) {
        reject(new WireClosed());
        return;
      }
      const { onProgress, onLog, raw = false } = options;
      this.#pending.set(id, { resolve, reject, onProgress, onLog, raw });
      const message = { jsonrpc: '2.0', id, method, ...(body === undefined ? {} : { params: body }) };
      this.#inner
        .send(message as JSONRPCMessage, { headers: options.headers, requestSignal: options.streamSignal })
        .catch((error: unknown) => {
          if (this.#pending.delete(id)) reject(asError(error));
        });
    });
    return { id, answer, abandon: () => this.#pending.delete(id) };
  }

  /** Sends a notification of ours. */
  async notify(method: string, params: JsonObject | undefined): Promise<void> {
    if (this.#closed) throw new WireClosed();
    const message = { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
    await this.#inner.send(message as JSONRPCMessage);
  }

  /** True when the message was ours to take. */
  #receive(message: unknown): boolean {
    if (!isJsonObject(message)) return false;
    this.#heard = true;
    const result = message['result'];
    // Lists alone may be deeper: their items are judged one by one. Everything else is walked through by what recurses.
    if (isDeeperThan(result === undefined ? message : { ...message, result: null }, limits.answer.depth)) {
      return this.#takeDeep(message);
    }
    if (typeof message['method'] === 'string') {
      return message['id'] === undefined
        ? this.#takeNotification(message['method'], message['params'])
        : this.#refuseQuestion(message['id']);
    }
    const id = numericId(message['id']);
    if (this.#takeHandshake(id, message['result'])) return false;
    return typeof id === 'number' && id >= firstId && this.#takeAnswer(id, message);
  }

  /** Nobody reads it; the request that it answers fails for it. */
  #takeDeep({ id, method }: JsonObject): boolean {
    const answered = method === undefined ? numericId(id) : undefined;
    const detail = `its error is nested deeper than ${limits.answer.depth} levels`;
    if (typeof answered === 'number')
      this.#takeAnswer(answered, { error: { ...transportError('invalidResponse', detail) } });
    return true;
  }

  /** A server that asks and does not take our answers would fill our memory. */
  #refuseQuestion(id: unknown): boolean {
    if (this.mostAsked === undefined || !this.#mayAsk) return false;
    // An id that is open already would be answered without being counted.
    if (this.#asked.has(id)) return true;
    if (this.#asked.size + this.#answering >= this.mostAsked) {
      void this.close();
      return true;
    }
    this.#asked.add(id);
    return false;
  }

  async #answer(message: JSONRPCMessage, options: TransportSendOptions | undefined): Promise<void> {
    if ('id' in message) this.#asked.delete(message.id);
    this.#answering += 1;
    try {
      await this.#inner.send(message, options);
    } finally {
      this.#answering -= 1;
    }
  }

  #takeNotification(method: string, rawParams: unknown): boolean {
    const params = isJsonObject(rawParams) ? rawParams : {};
    // What the server does not wait for any more is never answered.
    if (method === 'notifications/cancelled') this.#asked.delete(params['requestId']);
    if (sdkNotifications.has(method)) return false;
    if (method === 'notifications/progress') {
      const token = numericId(params['progressToken']);
      if (typeof token === 'number') this.#pending.get(token)?.onProgress?.(params);
    } else {
      const takes = method === 'notifications/message' ? this.#logOwner() : undefined;
      if (takes === undefined) this.#notified.fire({ method, params });
      else takes(params);
    }
    return true;
  }

  /** Whose log line it is: of the request in whose stream it came; else of the only one that is open. */
  #logOwner(): ((params: JsonObject) => void) | undefined {
    const origin = this.#inner.reading;
    if (typeof origin === 'number') return this.#pending.get(origin)?.onLog;
    const [only, ...others] = this.#pending.values();
    return others.length === 0 ? only?.onLog : undefined;
  }

  #takeHandshake(id: unknown, result: unknown): boolean {
    if ((typeof id !== 'string' && typeof id !== 'number') || !this.#handshakeIds.delete(id)) return false;
    if (isJsonObject(result)) this.#handshake = result;
    return true;
  }

  #takeRaw({ id, ...answer }: FoundAnswer): boolean {
    const pending = this.#pending.get(id);
    if (pending?.raw !== true) return false;
    this.#heard = true;
    this.#pending.delete(id);
    pending.resolve({ kind: 'raw', answer });
    return true;
  }

  #takeAnswer(id: number, message: JsonObject): boolean {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if ('result' in message) pending?.resolve({ kind: 'value', result: message['result'] });
    else pending?.reject(errorOf(message['error']));
    return true;
  }

  #end(end: WireEnd): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#ended.fire(end);
    for (const pending of this.#pending.values()) pending.reject(new WireClosed());
    this.#pending.clear();
    this.onclose?.();
  }
}

/** A wire to a process: the SDK tells one by these two properties and then reads silence as `legacy`, not as an outage. */
export class ProcessWire extends Wire {
  /** The transport stops reading while a process does not read. */
  protected override readonly mostAsked = undefined;
  readonly stderr = null;
  readonly pid: number | null = null;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
