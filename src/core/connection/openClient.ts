// Opens a connection to whatever a launch names. This module loads the SDK: import it on use, never at activation.
import type { LiveClient } from './liveClient.ts';
import type { OpenOptions } from './openOptions.ts';
import { openRemote } from './openRemote.ts';
import { openStdio } from './openStdio.ts';
import type { Launch } from '../transport/launch.ts';

/**
 * Resolves when the server has answered the handshake. Fails with a ManagerError; after a failure or an abort nothing
 * of the attempt is left.
 */
export function openClient(launch: Launch, options: OpenOptions): Promise<LiveClient> {
  switch (launch.kind) {
    case 'stdio':
      return openStdio(launch, options);
    case 'remote':
      return openRemote(launch, options);
  }
}

export type { OpenOptions } from './openOptions.ts';
