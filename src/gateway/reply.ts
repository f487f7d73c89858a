// The HTTP answer to one POST: plain JSON where nothing has to be said before the result, an event stream from the first
// notification or question on, or when the answer takes so long that a client would give up on a silent connection.
// Promises: one end; a result that came as bytes goes out as bytes; a client that does not read is cut off before it
// fills our memory. Knows nothing of sessions or methods.
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { JsonObject } from '../contract/json.ts';
import type { Era } from '../core/connection/state.ts';
import { limits } from '../core/limits.ts';
import type { RawResult } from '../core/connection/liveClient.ts';
import { endUnread } from './endUnread.ts';
import { EventStream } from './eventStream.ts';
import type { RpcId } from './inbound.ts';

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

/** What a request is answered with. `era`: of the form that the result has; legacy where it is left out. */
export type Outcome = (RawResult & { readonly era?: Era }) | { readonly kind: 'error'; readonly error: RpcError };

export interface ReplyOptions {
  readonly clock: Clock;
  /** The HTTP status of an answer that is an error and no stream; 200 where it is left out. */
  readonly statusOf?: (error: RpcError) => number;
  /** Headers of a stream, and of an answer that is no error. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the client takes an event stream; where not, what would need one is left out. */
  readonly streams: boolean;
}

export class Reply {
  readonly #response: ServerResponse;
  readonly #options: ReplyOptions;
  readonly #patience: Disposable;
  #stream: EventStream | undefined;
  #ended = false;

  constructor(response: ServerResponse, options: ReplyOptions) {
    this.#response = response;
    this.#options = options;
    this.#patience = options.clock.after(limits.gateway.keepAlive, () => {
      if (!this.#ended && options.streams) this.#open().comment();
    });
    response.once('close', () => this.#patience.dispose());
  }

  /** Something of ours that belongs to this request: a notification, or a question. False where it cannot be said. */
  say(message: JsonObject): boolean {
    if (this.#ended || !this.#options.streams || this.#response.destroyed) return false;
    this.#open().send(JSON.stringify(message));
    return true;
  }

  /** The answer to the one request of this POST. */
  end(id: RpcId, outcome: Outcome): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#patience.dispose();
    const parts = answerParts(id, outcome);
    if (this.#stream !== undefined) {
      this.#stream.end(parts);
      return;
    }
    const status = outcome.kind === 'error' ? (this.#options.statusOf?.(outcome.error) ?? 200) : 200;
    let length = 0;
    for (const part of parts) length += part.length;
    this.#response.writeHead(status, {
      ...(outcome.kind !== 'error' && this.#options.headers),
      'content-type': 'application/json',
      'content-length': length,
    });
    if (length < joined) this.#response.end(parts.length === 1 ? parts[0] : Buffer.concat(parts, length));
    else {
      for (const part of parts) this.#response.write(part);
      this.#response.end();
      endUnread(this.#response);
    }
  }

  /** Somebody else answers. */
  release(): void {
    this.#ended = true;
    this.#patience.dispose();
  }

  #open(): EventStream {
    this.#stream ??= new EventStream(this.#response, this.#options.clock, this.#options.headers);
    return this.#stream;
  }
}

/** Below this size one copy is cheaper than three writes, in bytes. */
const joined = 16 * 1024;
const tail = Buffer.from('}');

/** The answer to one request, in pieces of JSON: a result that came as bytes is not copied. */
export function answerParts(id: RpcId | null, outcome: Outcome): readonly Buffer[] {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
  switch (outcome.kind) {
    case 'raw': {
      const { frame, resultFrom, resultTo } = outcome.answer;
      return [Buffer.from(`${head}"result":`), frame.subarray(resultFrom, resultTo), tail];
    }
    case 'value':
      return [Buffer.from(`${head}"result":${JSON.stringify(outcome.result)}}`)];
    case 'error':
      return [Buffer.from(`${head}"error":${JSON.stringify(outcome.error)}}`)];
  }
}
