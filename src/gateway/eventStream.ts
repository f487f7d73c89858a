// A server-sent event stream to one client, kept open by comments while it is silent (GATE-1): clients give up on a
// connection without a byte. Promises: ends a client that does not read before it fills our memory.
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { limits } from '../core/limits.ts';

export class EventStream {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #timer: Disposable | undefined;
  #ended = false;

  constructor(response: ServerResponse, clock: Clock, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    this.#clock = clock;
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
    });
    response.flushHeaders();
    response.once('close', () => this.#over());
    this.#arm();
  }

  /** One message, as JSON without line ends. */
  send(json: string): void {
    this.#write(`event: message\ndata: ${json}\n\n`);
  }

  comment(): void {
    this.#write(': \n\n');
  }

  /** A last message in pieces of JSON without line ends, or none. */
  end(pieces: readonly Buffer[] = []): void {
    if (this.#ended) return;
    if (pieces.length > 0) for (const piece of [head, ...pieces, foot]) this.#response.write(piece);
    this.#over();
    this.#response.end();
  }

  #write(text: string): void {
    if (this.#ended) return;
    this.#response.write(text);
    if (this.#response.writableLength > limits.gateway.unread) this.#response.destroy();
    else this.#arm();
  }

  #arm(): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(limits.gateway.keepAlive, () => this.comment());
  }

  #over(): void {
    this.#ended = true;
    this.#timer?.dispose();
  }
}

const head = Buffer.from('event: message\ndata: ');
const foot = Buffer.from('\n\n');
