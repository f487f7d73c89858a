import type { Event } from '../base/event.ts';
import type { ConnectionState } from '../core/connection/state.ts';
import type { ServerManager } from '../core/manager/serverManager.ts';

/** What `activate` answers to other extensions. A change that breaks a user of it raises the major version. */
export interface RoundhouseApi {
  readonly version: string;
  /** The servers of this window, as they are now. */
  servers(): readonly ApiServer[];
  /** Fires after any server or the configuration changed. */
  readonly onDidChange: Event<void>;
}

export interface ApiServer {
  readonly id: string;
  readonly scope: 'user' | 'project';
  readonly state: ConnectionState['kind'];
  readonly tools: readonly string[];
}

export function createApi(manager: ServerManager): RoundhouseApi {
  return {
    version: '0.1.0',
    servers: () =>
      manager.view().servers.map(({ server, state, snapshot }) => ({
        id: server.id,
        scope: server.scope.kind,
        state: state.kind,
        tools: snapshot?.tools.map(({ name }) => name) ?? [],
      })),
    onDidChange: (listener) => manager.onDidChange(() => listener()),
  };
}
