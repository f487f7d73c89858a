// The way of a proxy's frames to the gateway of one window: HTTP over its socket, or its port where there is none, with
// connections that are kept. Frames go as they came and answers come back as they are; an event stream is taken apart.
// Knows nothing of sessions and eras. Never fails: what became of a request is what it answers. Promises: reads no faster
// than the agent does; a connection that says nothing for long is given up.
import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../core/limits.ts';
import { usualAccept } from '../../gateway/acceptsStream.ts';
import { EventLines } from './eventLines.ts';

export interface LinkTarget {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Absolute path of its socket. */
  readonly socket?: string | undefined;
  readonly token: string;
}

export type Sent =
  /** `body`: undefined where it was an event stream, whose messages were handed on one by one. */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly session: string | undefined;
      readonly body: Buffer | undefined;
    }
  /** The connection broke; what was sent may have arrived unless there never was one. */
  | { readonly kind: 'broken'; readonly arrived: 'no' | 'maybe' }
  /** Given up by whoever sent it. */
  | { readonly kind: 'aborted' };

export interface LinkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** One message of an event stream. */
  readonly onMessage: (message: Buffer) => void;
  /** How long the answer may take as a whole, in milliseconds. */
  readonly within?: number;
}

export interface LinkParts {
  readonly clock: Clock;
  /** Whoever the answers are for: `ready` while they cannot take more. */
  readonly flow: { readonly ready: Promise<void> | undefined };
}

export class GatewayLink {
  /** What every request has. */
  readonly #common: RequestOptions;
  readonly #heads: OutgoingHttpHeaders;
  readonly #parts: LinkParts;
  readonly #agent = new Agent({ keepAlive: true, noDelay: true });

  constructor(target: LinkTarget, parts: LinkParts) {
    const { url, socket, token } = target;
    const { hostname, port, host } = new URL(url);
    this.#common = {
      agent: this.#agent,
      path: '/mcp',
      ...(socket === undefined ? { hostname, port } : { socketPath: socket }),
    };
    this.#heads = { host, authorization: `Bearer ${token}`, accept: usualAccept };
    this.#parts = parts;
  }

  post(frame: Buffer, options: LinkRequest): Promise<Sent> {
    return this.#send('POST', frame, options);
  }

  /** The client's own stream; resolves when it has ended. */
  listen(options: LinkRequest): Promise<Sent> {
    return this.#send('GET', undefined, options);
  }

  end(session: string): Promise<Sent> {
    return this.#send('DELETE', undefined, {
      headers: { 'mcp-session-id': session },
      signal: new AbortController().signal,
      onMessage: () => undefined,
      within: limits.proxy.farewell,
    });
  }

  /** Keeps no connection any more; what is under way ends by itself. */
  retire(): void {
    this.#agent.maxFreeSockets = 0;
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  #send(method: string, frame: Buffer | undefined, options: LinkRequest): Promise<Sent> {
    const { signal, within } = options;
    const { clock } = this.#parts;
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve({ kind: 'aborted' });
        return;
      }
      let arrived: 'no' | 'maybe' = 'no';
      const abort = (): void => void asked.destroy();
      const late = within === undefined ? undefined : clock.after(within, abort);
      const end = (sent: Sent): void => {
        late?.dispose();
        quiet.dispose();
        signal.removeEventListener('abort', abort);
        resolve(signal.aborted ? { kind: 'aborted' } : sent);
      };
      const asked = this.#request(method, frame, options.headers);
      const quiet = new Quiet(clock, abort);
      signal.addEventListener('abort', abort, { once: true });
      asked.once('socket', (connection) => {
        // One that was kept may have been closed by the other side in this very moment.
        if (!connection.connecting) arrived = 'maybe';
        else connection.once('connect', () => (arrived = 'maybe'));
      });
      asked.once('error', () => end({ kind: 'broken', arrived }));
      asked.once('response', (answer) => {
        this.#read(answer, quiet, options.onMessage, (body) => {
          if (body === undefined) end({ kind: 'broken', arrived: 'maybe' });
          else end({ kind: 'answered', status: answer.statusCode ?? 0, session: sessionOf(answer), ...body });
        });
      });
      asked.end(frame);
    });
  }

  #request(method: string, frame: Buffer | undefined, headers: LinkRequest['headers']): ClientRequest {
    return httpRequest({
      ...this.#common,
      method,
      headers: {
        ...headers,
        ...this.#heads,
        ...(frame !== undefined && { 'content-type': 'application/json', 'content-length': frame.length }),
      },
    });
  }

  /** `onEnd` gets undefined where the answer broke off. */
  #read(
    answer: IncomingMessage,
    quiet: Quiet,
    onMessage: (message: Buffer) => void,
    onEnd: (body: { readonly body: Buffer | undefined } | undefined) => void,
  ): void {
    const { flow } = this.#parts;
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
    const events = isStream ? new EventLines(onMessage) : undefined;
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => {
      quiet.broken();
      if (events === undefined) parts.push(part);
      else events.push(part);
      const { ready } = flow;
      if (ready === undefined) return;
      answer.pause();
      quiet.wanted(true);
      void ready.then(() => {
        quiet.wanted(false);
        answer.resume();
      });
    });
    answer.once('end', () => onEnd(answer.complete ? { body: isStream ? undefined : joined(parts) } : undefined));
    answer.once('error', () => onEnd(undefined));
    answer.once('close', () => onEnd(undefined));
  }
}

/** Watches that a connection says something once in a while, unless it is held up by us. */
class Quiet {
  readonly #clock: Clock;
  readonly #onSilent: () => void;
  #heard: number;
  #isWanted = false;
  #timer: { dispose(): void };

  constructor(clock: Clock, onSilent: () => void) {
    this.#clock = clock;
    this.#onSilent = onSilent;
    this.#heard = clock.now();
    this.#timer = clock.after(limits.proxy.silence, () => this.#look());
  }

  broken(): void {
    this.#heard = this.#clock.now();
  }

  wanted(isWanted: boolean): void {
    this.#isWanted = isWanted;
    this.broken();
  }

  dispose(): void {
    this.#timer.dispose();
  }

  #look(): void {
    const left = this.#isWanted ? limits.proxy.silence : this.#heard + limits.proxy.silence - this.#clock.now();
    if (left <= 0) this.#onSilent();
    else this.#timer = this.#clock.after(left, () => this.#look());
  }
}

function sessionOf({ headers }: IncomingMessage): string | undefined {
  const session = headers['mcp-session-id'];
  return typeof session === 'string' ? session : undefined;
}

function joined(parts: readonly Buffer[]): Buffer {
  const [only, ...more] = parts;
  return only !== undefined && more.length === 0 ? only : Buffer.concat(parts);
}
