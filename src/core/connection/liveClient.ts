// A connected server, whatever its transport and era: the only way that the rest of the core speaks to one.
// Requests are raw: what the server answers comes back as it was sent, unknown fields included.
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Redactor } from '../../base/redact.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { RawAnswer } from '../transport/rawAnswer.ts';
import type { Negotiated, Problem } from './state.ts';

export interface RequestOptions {
  /** Ends the local wait at once and sends the cancellation best effort (CONN-6). */
  signal?: AbortSignal;
  /** Which deadline of the server applies: `list`, `call` or `request`. */
  kind: 'list' | 'call' | 'request';
  /** Raw params of each `notifications/progress` that belongs to this request; each one renews a call's deadline. */
  onProgress?: (params: JsonObject) => void;
  /** Raw params of each log line that belongs to this request, where that can be told; the others are notifications. */
  onLog?: (params: JsonObject) => void;
  /** Answers what the server asks because of this request. */
  asker?: Asker;
  /** Further HTTP headers of this request (SEP-2243); ignored on stdio. */
  headers?: Readonly<Record<string, string>>;
}

/** Who made a request, and answers what the server asks because of it. An absent method is a no. */
export interface Asker {
  /** Requests of one asker are of one conversation: a session, or one modern request. */
  readonly identity: object;
  elicit?(params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  sample?(params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** It was meant by a question of this method that neither it nor anybody else can answer. */
  unable?(method: string): void;
  /** Ends its request where it waits for somebody who went away a while ago; false where it does not. */
  readonly giveWay?: () => boolean;
}

/** A modern `subscriptions/listen` stream. */
export interface LiveSubscription {
  /** What the server acknowledged; less than was asked for means "not honoured". */
  readonly honoured: JsonObject;
  /** Settles when the stream ends: by us, by the server's orderly end, or by a broken connection. */
  readonly closed: Promise<'local' | 'graceful' | 'remote'>;
  close(): void;
}

/** A result as bytes, or as it was read where its transport gives no bytes. */
export type RawResult =
  { readonly kind: 'raw'; readonly answer: RawAnswer } | { readonly kind: 'value'; readonly result: JsonObject };

export interface LiveClient {
  readonly negotiated: Negotiated;
  /** The server's declared capabilities, raw. */
  readonly capabilities: JsonObject;
  /** What the server says of itself, raw: for clients that are to see it as their own. */
  readonly serverInfo: JsonObject;
  /** Knows what the server was lent: what it says is kept and shown without that. Absent where that is nothing. */
  readonly redactor?: Redactor | undefined;
  /** The raw result. Fails with a ManagerError: requestTimeout, callTimeout, cancelled, protocolError, connectionClosed, sessionLost, … */
  request(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<JsonObject>;
  /** The same, unread where that can be: for whoever only sends it on. A modern result keeps its `resultType`. */
  requestRaw(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<RawResult>;
  /** When a request of this conversation may be sent; dispose the answer when it is over. */
  turn(asker: Asker, signal: AbortSignal): Promise<Disposable>;
  notify(method: string, params?: JsonObject): Promise<void>;
  /** Every notification but progress, raw. */
  readonly onNotification: Event<{ readonly method: string; readonly params: JsonObject }>;
  /** Modern era only: resolves on the server's acknowledgement. */
  listen(filter: JsonObject, options: { signal?: AbortSignal; timeoutMs: number }): Promise<LiveSubscription>;
  /** Fires once, when the connection ended for any reason; with the problem unless we closed it. */
  readonly onClose: Event<Problem | undefined>;
  /** Ends subscription, client and transport concurrently; never waits for a remote answer (CONN-5). */
  close(): Promise<void>;
}

/** What the server may ask of us while connected. An absent handler means that the capability is not declared. */
export interface ServerRequestHandlers {
  /** Clients that are served through a gateway answer for themselves: then both are declared. */
  relayed?: boolean;
  elicit?(params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  sample?(params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** File URIs of the workspace folders; offered to stdio servers only (CONN-14). */
  roots?(): readonly { readonly uri: string; readonly name?: string }[];
}
