// A server-sent event stream to one client, kept open by comments while it is silent (GATE-1): clients give up on a
// connection without a byte. Promises: ends a client that does not read before it fills our memory.
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { limits } from '../core/limits.ts';
import { endUnread } from './endUnread.ts';

/** Where messages go that no request of the client's asked for, one by one: on whatever wire. */
export interface MessageStream {
  /** One message, as JSON without line ends. */
  send(json: string): void;
  /** A last message in pieces of JSON, or none. */
  end(pieces?: readonly Buffer[]): void;
}

export class EventStream implements MessageStream {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #timer: Disposable | undefined;
  #ended = false;
  /** Comments in a row that found something unread. */
  #stalled = 0;

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

  send(json: string): void {
    this.#write(`event: message\ndata: ${json}\n\n`);
  }

  comment(): void {
    this.#stalled = this.#response.writableLength > 0 ? this.#stalled + 1 : 0;
    if (this.#stalled > limits.gateway.unreadComments) this.#response.destroy();
    else this.#write(': \n\n');
  }

  /** One message, in pieces of JSON. */
  sendPieces(pieces: readonly Buffer[]): void {
    if (this.#ended || this.#isUnread()) return;
    for (const piece of [head, ...pieces.map(onOneLine), foot]) this.#response.write(piece);
    this.#arm();
  }

  end(pieces: readonly Buffer[] = []): void {
    if (this.#ended) return;
    if (pieces.length > 0) this.sendPieces(pieces);
    this.#over();
    this.#response.end();
    endUnread(this.#response);
  }

  #write(text: string): void {
    if (this.#ended || this.#isUnread()) return;
    this.#response.write(text);
    this.#arm();
  }

  /** Whether too much was unread before this message, which may be large itself: then it is over. */
  #isUnread(): boolean {
    if (this.#response.writableLength <= limits.gateway.unread) return false;
    this.#response.destroy();
    return true;
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

/**
 * A line end between the words of JSON says nothing there, but would end the message here, and begin another one in the
 * server's words. The bytes are a server's, and nobody else's.
 */
function onOneLine(piece: Buffer): Buffer {
  if (!piece.includes(carriageReturn) && !piece.includes(lineFeed)) return piece;
  const line = Buffer.from(piece);
  for (const end of [carriageReturn, lineFeed]) {
    for (let at = line.indexOf(end); at >= 0; at = line.indexOf(end, at + 1)) line[at] = blank;
  }
  return line;
}

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const blank = 0x20;
