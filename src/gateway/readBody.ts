// Reads the body of a request within the limit (GATE-2). Of what is larger nothing is kept: memory stays flat.
import type { IncomingMessage } from 'node:http';
import { limits } from '../core/limits.ts';

export type Body =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'tooLarge' }
  /** The client went away, or broke the transfer off. */
  | { readonly kind: 'broken' };

/** Never fails; the time that a body may take is the server's own bound. */
export function readBody(request: IncomingMessage, most: number = limits.gateway.body): Promise<Body> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    let isOver = false;
    // Node looks into each promise that is settled twice, and that costs more than to look here.
    const end = (body: Body): void => {
      if (!isOver) resolve(body);
      isOver = true;
    };
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= most) {
        parts.push(part);
        return;
      }
      // Read on and dropped, within the time of a request: a client that is cut off would not see the answer.
      parts.length = 0;
      end({ kind: 'tooLarge' });
    });
    request.once('end', () => end({ kind: 'read', bytes: only(parts) ?? Buffer.concat(parts, size) }));
    request.once('error', () => end({ kind: 'broken' }));
    request.once('close', () => end({ kind: 'broken' }));
  });
}

/** The usual body comes in one piece. */
function only(parts: readonly Buffer[]): Buffer | undefined {
  return parts.length === 1 ? parts[0] : undefined;
}
