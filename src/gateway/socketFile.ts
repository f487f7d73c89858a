// The Unix socket of a gateway as a file (GATE-1): where it may lie, and when it may take the place of one that is there.
// Promises: nothing is replaced that anybody listens on, or that is no socket; whoever may use it is decided by the folder
// (the person's alone) before its own mode is set. Windows has no such sockets here: 127.0.0.1 serves alone.
import { chmod, lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { limits } from '../core/limits.ts';

/** Whether a socket can have this path at all: the system cuts longer ones off, or refuses them. */
export function canBeSocket(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform !== 'win32' && Buffer.byteLength(path) <= longest;
}

/** Bytes of `sun_path` on macOS without the final zero, the least of all systems. */
const longest = 103;

/** Whether the path is free now: one that nobody listens on any more is taken away. */
export async function freeSocket(path: string, clock: Clock): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return true;
  if (!found.isSocket() || (await isListenedTo(path, clock))) return false;
  await unlink(path).catch(() => undefined);
  return true;
}

export async function protectSocket(path: string): Promise<void> {
  await chmod(path, 0o600);
}

/** Anything but a plain refusal counts as somebody. */
function isListenedTo(path: string, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(path);
    const timer = clock.after(limits.gateway.socketLook, () => settle(true));
    const settle = (listened: boolean): void => {
      timer.dispose();
      connection.destroy();
      resolve(listened);
    };
    connection.once('connect', () => settle(true));
    connection.once('error', ({ code }: NodeJS.ErrnoException) => settle(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}
