// What the gateway offers under one path, whatever its clients speak: one server, or all of them. The seam between the
// wire (sessions, eras, streams) and the manager: nothing here knows HTTP, nothing behind it knows sessions.
import type { Event } from '../base/event.ts';
import type { JsonObject } from '../contract/json.ts';
import type { Era } from '../core/connection/state.ts';
import type { Caller } from '../core/ports.ts';
import type { Outcome } from './reply.ts';
import type { UnclaimedLog } from './unclaimedLog.ts';

/** Who asks, for as long as it can be told apart: a legacy session, or one modern request. */
export interface GatewayClient {
  readonly era: Era;
  readonly caller: Caller;
  /** What it declared: at its handshake, or with this very request. */
  readonly capabilities: JsonObject;
  /** The least level of the log lines that it wants: its session's, or this very request's. */
  readonly logLevel: string | undefined;
  /** The hash of each tool's definition as this client listed it last, by its outward name (TOOL-2). */
  readonly seen: Map<string, string>;
}

/** One request of a client. */
export interface ClientRequest {
  readonly method: string;
  /** Raw, `_meta` included. */
  readonly params: JsonObject;
  readonly client: GatewayClient;
  /** What a server is told of the client's capabilities, where that is not all of them. */
  readonly declared?: JsonObject;
  /** Nobody waits for the answer any more: cancelled, or its session ended. */
  readonly signal: AbortSignal;
  /** Its HTTP headers, by name in small letters (modern only: others repeat nothing there). */
  readonly header?: (name: string) => string | undefined;
  /** Something that belongs to this request: progress, a log line. Dropped where the client takes no stream. */
  tell(method: string, params: JsonObject): void;
  /** Asks the client while its request is open (legacy only). Fails with a ManagerError or an RpcFailure. */
  readonly ask?: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
}

/** What a handshake tells of the surface. */
export interface Hello {
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject;
  readonly instructions: string | undefined;
}

/** Something that no request asked for: goes to whoever wants to hear of it. */
export type SurfaceEvent =
  | { readonly kind: 'listChanged'; readonly of: 'tools' | 'resources' | 'prompts' }
  | { readonly kind: 'resourceUpdated'; readonly uri: string }
  /** A server was started again: what it held for anybody is lost. */
  | { readonly kind: 'restarted'; readonly server: string }
  /** Of no request: for the one session that follows the server, where there is only one. */
  | { readonly kind: 'log'; readonly params: JsonObject; readonly of: UnclaimedLog };

export interface Surface {
  readonly onEvent: Event<SurfaceEvent>;
  /** Waits for what it needs to be true: a single server is started, the aggregate answers at once. */
  hello(options: { readonly signal: AbortSignal }): Promise<Hello>;
  /** Never rejects: a failure is an outcome. */
  answer(request: ClientRequest): Promise<Outcome>;
  /** This client wants to hear of a resource, or does not any more. Counted: several clients may. */
  subscribe(uri: string, options: { readonly signal: AbortSignal }): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  /** The most talkative level that any client wants; undefined where none does. */
  setLogLevel(level: string | undefined): Promise<void>;
}
