import type { Event } from '../base/event.ts';
import type { ConnectionState } from '../core/connection/state.ts';
import type { ServerManager } from '../core/manager/serverManager.ts';
import type { ToolCategory, ToolMode } from '../core/tools/category.ts';
import { listTools, type ListToolsOptions } from '../core/tools/listTools.ts';

/**
 * What `activate` answers to other extensions. A change that breaks a user of it raises the major version (while that is
 * 0, the minor one). Since 0.2.0: `listTools`.
 */
export interface RoundhouseApi {
  readonly version: string;
  /** The servers of this window, as they are now. */
  servers(): readonly ApiServer[];
  /**
   * The tools that may be called now, of all servers that are connected. `mode: 'plan'` is for an agent that only looks:
   * it leaves out every tool that may do anything, and so all tools of configured servers, whatever they say of themselves.
   */
  listTools(options?: { readonly mode?: ToolMode }): readonly ApiTool[];
  /** Fires after any server or the configuration changed. */
  readonly onDidChange: Event<void>;
}

export interface ApiServer {
  readonly id: string;
  readonly scope: 'user' | 'project';
  readonly state: ConnectionState['kind'];
  readonly tools: readonly string[];
}

export interface ApiTool {
  /** The id of its server. */
  readonly server: string;
  /** The server's own name of it. */
  readonly name: string;
  /** From the most harmless to the strictest: `read`, `write`, `network_send`, `execute`. */
  readonly category: ToolCategory;
}

export function createApi(
  manager: Pick<ServerManager, 'view' | 'onDidChange'>,
  { choose }: Pick<ListToolsOptions, 'choose'> = {},
): RoundhouseApi {
  return {
    version: '0.2.0',
    servers: () =>
      manager.view().servers.map(({ server, state, snapshot }) => ({
        id: server.id,
        scope: server.scope.kind,
        state: state.kind,
        tools: snapshot?.tools.map(({ name }) => name) ?? [],
      })),
    listTools: ({ mode } = {}) =>
      listTools(manager.view().servers, { mode, choose }).map(({ server, tool, category }) => ({
        server: server.server.id,
        name: tool.name,
        category,
      })),
    onDidChange: (listener) => manager.onDidChange(() => listener()),
  };
}
