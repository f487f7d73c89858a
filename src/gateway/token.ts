// The secret that a client of the gateway has to show (GATE-2): 256 random bits, new with each life of a gateway.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a presented text is the token; takes the same time wherever they differ, and however long it is. */
export function tokenCheck(token: string): (presented: string) => boolean {
  const expected = digest(token);
  return (presented) => timingSafeEqual(digest(presented), expected);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
