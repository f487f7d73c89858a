// The way of a proxy's frames to the gateway of one window: HTTP over its socket or its port, one keep-alive connection
// for each request under way, no more. Frames go as they came and answers come back as they are; an event stream is taken
// apart. Knows nothing of sessions but their id. Never fails: what cannot be sent is told as such.
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { EventLines } from './eventLines.ts';

export interface LinkTarget {
  readonly url: string;
  readonly socket?: string | undefined;
  readonly token: string;
  /** Path and query of the endpoint. */
  readonly path: string;
}

export type Sent =
  /** Each message of the answer was handed on; `session` is the one that the gateway named. */
  | { readonly kind: 'answered'; readonly status: number; readonly session: string | undefined }
  /** The connection broke; what was sent may have arrived unless it was never made. */
  | { readonly kind: 'broken'; readonly arrived: 'no' | 'maybe' };

export interface LinkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** One message of the answer, without a line end. */
  readonly onMessage: (message: Buffer) => void;
}

export class GatewayLink {
  readonly #target: LinkTarget;
  readonly #agent = new Agent({ keepAlive: true, noDelay: true, maxSockets: Number.POSITIVE_INFINITY });

  constructor(target: LinkTarget) {
    this.#target = target;
  }

  post(frame: Buffer, options: LinkRequest): Promise<Sent> {
    return this.#send('POST', frame, options);
  }

  /** The client's own stream; resolves when it has ended. */
  listen(options: LinkRequest): Promise<Sent> {
    return this.#send('GET', undefined, options);
  }

  end(session: string): Promise<Sent> {
    const headers = { 'mcp-session-id': session };
    return this.#send('DELETE', undefined, { headers, signal: AbortSignal.timeout(1_000), onMessage: () => undefined });
  }

  dispose(): void {
    this.#agent.destroy();
  }

  #send(method: string, frame: Buffer | undefined, { headers, signal, onMessage }: LinkRequest): Promise<Sent> {
    const { url, socket, token, path } = this.#target;
    const { hostname, port, host } = new URL(url);
    return new Promise((resolve) => {
      let arrived: 'no' | 'maybe' = 'no';
      const asked = httpRequest(
        {
          agent: this.#agent,
          method,
          path,
          signal,
          ...(socket === undefined ? { hostname, port } : { socketPath: socket }),
          headers: {
            ...headers,
            host,
            authorization: `Bearer ${token}`,
            accept: 'application/json, text/event-stream',
            ...(frame !== undefined && { 'content-type': 'application/json', 'content-length': frame.length }),
          },
        },
        (answer) => {
          arrived = 'maybe';
          read(answer, onMessage, (whole) => {
            const session = answer.headers['mcp-session-id'];
            const known = typeof session === 'string' ? session : undefined;
            resolve(
              whole
                ? { kind: 'answered', status: answer.statusCode ?? 0, session: known }
                : { kind: 'broken', arrived },
            );
          });
        },
      );
      asked.once('socket', (connection) => {
        // A connection that is kept may have been closed by the other side in the same moment.
        if (!connection.connecting) arrived = 'maybe';
        else connection.once('connect', () => (arrived = 'maybe'));
      });
      asked.once('error', () => resolve({ kind: 'broken', arrived }));
      asked.end(frame);
    });
  }
}

/** `onEnd` tells whether the answer came whole. */
function read(answer: IncomingMessage, onMessage: (message: Buffer) => void, onEnd: (whole: boolean) => void): void {
  const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
  const events = isStream ? new EventLines(onMessage) : undefined;
  const parts: Buffer[] = [];
  answer.on('data', (part: Buffer) => {
    if (events === undefined) parts.push(part);
    else events.push(part);
  });
  answer.once('end', () => {
    if (parts.length > 0) onMessage(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts));
    onEnd(true);
  });
  answer.once('error', () => onEnd(false));
  answer.once('aborted', () => onEnd(false));
}
