// Ends the connection of a client that has been answered and does not read: what it leaves unread is memory of ours.
import type { ServerResponse } from 'node:http';
import { limits } from '../core/limits.ts';

/** For a response that has been ended. A client that reads, however slowly, is waited for. `ms`: without a byte read. */
export function endUnread(response: ServerResponse, ms: number = limits.gateway.unreadFor): void {
  // Where all is with the system already, nothing of ours is left; the next request of the connection has times of its own.
  if (response.writableLength > 0) response.setTimeout(ms, () => response.destroy());
}
