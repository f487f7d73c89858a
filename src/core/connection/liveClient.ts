// A connected server, whatever its transport and era: the only way that the rest of the core speaks to one.
// Requests are raw: what the server answers comes back as it was sent, unknown fields included.
import type { Event } from '../../base/event.ts';
import type { Redactor } from '../../base/redact.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Negotiated, Problem } from './state.ts';

export interface RequestOptions {
  /** Ends the local wait at once and sends the cancellation best effort (CONN-6). */
  signal?: AbortSignal;
  /** Which deadline of the server applies: `list`, `call` or `request`. */
  kind: 'list' | 'call' | 'request';
  /** Raw params of each `notifications/progress` that belongs to this request; each one renews a call's deadline. */
  onProgress?: (params: JsonObject) => void;
  /** Further HTTP headers of this request (SEP-2243); ignored on stdio. */
  headers?: Readonly<Record<string, string>>;
}

/** A modern `subscriptions/listen` stream. */
export interface LiveSubscription {
  /** What the server acknowledged; less than was asked for means "not honoured". */
  readonly honoured: JsonObject;
  /** Settles when the stream ends: by us, by the server's orderly end, or by a broken connection. */
  readonly closed: Promise<'local' | 'graceful' | 'remote'>;
  close(): void;
}

export interface LiveClient {
  readonly negotiated: Negotiated;
  /** The server's declared capabilities, raw. */
  readonly capabilities: JsonObject;
  /** Knows what the server was lent: what it says is kept and shown without that. Absent where that is nothing. */
  readonly redactor?: Redactor | undefined;
  /** The raw result. Fails with a ManagerError: requestTimeout, callTimeout, cancelled, protocolError, connectionClosed, sessionLost, … */
  request(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<JsonObject>;
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
  elicit?(params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  sample?(params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** File URIs of the workspace folders; offered to stdio servers only (CONN-14). */
  roots?(): readonly { readonly uri: string; readonly name?: string }[];
}
