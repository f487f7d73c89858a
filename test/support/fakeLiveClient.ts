// A connected server without a process: tests say what it answers and see what it was asked.
import { Emitter } from '../../src/base/event.ts';
import type { Redactor } from '../../src/base/redact.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { Disposable } from '../../src/base/disposable.ts';
import type { LiveClient, LiveSubscription, RawResult, RequestOptions } from '../../src/core/connection/liveClient.ts';
import type { Era, Negotiated, Problem } from '../../src/core/connection/state.ts';
import { ManagerError } from '../../src/core/errors.ts';

export interface SentRequest {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly options: RequestOptions;
}

export type Answer = (params: JsonObject, options: RequestOptions) => JsonObject | Promise<JsonObject>;
export type Listen = (
  filter: JsonObject,
  options: { signal?: AbortSignal; timeoutMs: number },
) => Promise<LiveSubscription>;

export class FakeLiveClient implements LiveClient {
  readonly sent: SentRequest[] = [];
  readonly answers: Record<string, Answer>;
  readonly negotiated: Negotiated;
  capabilities: JsonObject;
  readonly serverInfo = {};
  redactor: Redactor | undefined;
  listen: Listen = () => Promise.reject(new Error('no listen expected'));
  readonly #notified = new Emitter<{ readonly method: string; readonly params: JsonObject }>();
  readonly #closed = new Emitter<Problem | undefined>();

  constructor(
    answers: Record<string, Answer> = {},
    options: { era?: Era; transport?: Negotiated['transport']; capabilities?: JsonObject } = {},
  ) {
    const { era = 'legacy', transport = 'stdio' } = options;
    this.answers = answers;
    this.negotiated = { era, transport, revision: era === 'legacy' ? '2025-11-25' : '2026-07-28' };
    this.capabilities = options.capabilities ?? { tools: {}, resources: {}, prompts: {} };
  }

  readonly onNotification = this.#notified.event;
  readonly onClose = this.#closed.event;

  turn(): Promise<Disposable> {
    return Promise.resolve({ dispose: () => undefined });
  }

  async requestRaw(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<RawResult> {
    return { kind: 'value', result: await this.request(method, params, options) };
  }

  async request(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<JsonObject> {
    this.sent.push({ method, params, options });
    const answer = this.answers[method];
    if (answer === undefined) throw rpcFailure(method, -32601, 'Method not found');
    return answer(params ?? {}, options);
  }

  notify(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** A notification from the server. */
  tell(method: string, params: JsonObject = {}): void {
    this.#notified.fire({ method, params });
  }

  /** How often a method was asked. */
  asked(method: string): number {
    return this.sent.filter((request) => request.method === method).length;
  }
}

export function rpcFailure(method: string, number: number, detail: string): ManagerError {
  return new ManagerError('protocolError', { method, number, detail }, { outcome: 'completed' });
}

/** A server that answers one list from pages keyed by cursor; the first one has the key `first`. */
export function pages(field: string, all: Readonly<Record<string, JsonObject>>): Answer {
  return ({ cursor }) => {
    const page = all[typeof cursor === 'string' ? `=${cursor}` : 'first'];
    if (page === undefined) throw rpcFailure(field, -32602, 'unknown cursor');
    return page;
  };
}

export function rawTool(name: string, more: JsonObject = {}): JsonObject {
  return { name, inputSchema: { type: 'object' }, ...more };
}
