// One connection to a gateway, byte by byte: for heads that no HTTP client would send.
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { withDeadline } from './withDeadline.ts';

export interface RawSocket {
  readonly socket: Socket;
  /** What came so far. */
  text(): string;
  /** Resolves when the other side has ended it. */
  ended(ms: number): Promise<void>;
}

export async function openSocket(url: string): Promise<RawSocket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => undefined); // It is told by its end.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return {
    socket,
    text: () => Buffer.concat(parts).toString('latin1'),
    ended: (ms) => withDeadline(closed, ms, 'the end of a connection'),
  };
}

/** The statuses of the answers in what came. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}
