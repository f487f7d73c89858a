// The live server behind a request. Where it cannot be had, that is told of the request: nothing of it was sent, whatever
// the handshake or the lists of the server came to, and an error that the server gave to those is not an answer to this.
import type { ServerKey } from '../core/config/model.ts';
import { ManagerError } from '../core/errors.ts';
import type { ServerManager } from '../core/manager/serverManager.ts';
import type { LiveServer } from '../core/manager/view.ts';

export function liveServer(
  manager: Pick<ServerManager, 'use'>,
  key: ServerKey,
  signal: AbortSignal,
): Promise<LiveServer> {
  return manager.use(key, { signal }).catch((error: unknown) => {
    if (!(error instanceof ManagerError)) throw error;
    throw new ManagerError(error.code, error.data, { outcome: 'notSent' });
  });
}
