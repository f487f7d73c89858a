// A client of the gateway that speaks plain HTTP: over its port or its socket, with exactly the headers that it is given.
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { patience } from './patience.ts';
import { withDeadline } from './withDeadline.ts';

export interface PeerTarget {
  readonly url: string;
  /** Where it is given, requests go over it. */
  readonly socket?: string | undefined;
  readonly token?: string | undefined;
}

export interface PeerAnswer {
  readonly status: number;
  readonly session: string | undefined;
  readonly text: string;
}

export interface PeerRequest {
  readonly path?: string;
  readonly method?: 'POST' | 'GET' | 'DELETE';
  readonly message?: object;
  readonly session?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The head of the answer is here. */
  readonly onHead?: () => void;
}

export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

/** Rejects where the connection breaks before the answer is whole. */
export function ask(target: PeerTarget, asked: PeerRequest = {}): Promise<PeerAnswer> {
  const { path = '/mcp', method = 'POST', message = initialize, session, headers, onHead } = asked;
  const { hostname, port, host } = new URL(target.url);
  const answered = new Promise<PeerAnswer>((resolve, reject) => {
    const sent = httpRequest(
      {
        agent: false,
        method,
        path,
        ...(target.socket === undefined ? { hostname, port } : { socketPath: target.socket }),
        headers: {
          host,
          ...(target.token !== undefined && { authorization: `Bearer ${target.token}` }),
          ...(method === 'POST' && { 'content-type': 'application/json' }),
          ...(session !== undefined && { 'mcp-session-id': session }),
          ...headers,
        },
      },
      (answer) => {
        onHead?.();
        void read(answer).then(resolve, reject);
      },
    );
    sent.on('error', reject);
    sent.end(method === 'POST' ? JSON.stringify(message) : undefined);
  });
  return withDeadline(answered, patience, 'an answer of the gateway');
}

async function read(answer: IncomingMessage): Promise<PeerAnswer> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  const session = answer.headers['mcp-session-id'];
  return {
    status: answer.statusCode ?? 0,
    session: typeof session === 'string' ? session : undefined,
    text: Buffer.concat(parts).toString(),
  };
}
