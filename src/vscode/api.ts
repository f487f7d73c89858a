// What `activate` answers to other extensions. Any of them may call it, and none is trusted more than another caller:
// what it gets is a frozen copy without secrets, and what it calls goes the one way of all calls. What needs words, or
// calls, is loaded with its first use.
import type { Disposable } from '../base/disposable.ts';
import type {
  AgentMcpConfig,
  ApiServer,
  ApiStatusChange,
  ApiToolResult,
  RoundhouseApi,
} from '../contract/publicApi.ts';
import type { ServerManager } from '../core/manager/serverManager.ts';
import type { ServerView } from '../core/manager/view.ts';
import { decide } from '../core/policy/decide.ts';
import { listTools, type ListToolsOptions } from '../core/tools/listTools.ts';
import { deepFrozen } from './api/deepFrozen.ts';
import { seenOf } from './api/seen.ts';
import { type TakenCall, takenCall } from './api/takenCall.ts';

export interface ApiDeps {
  readonly manager: Pick<ServerManager, 'view' | 'onDidChange' | 'keyOf'>;
  readonly late: () => Promise<LateApi>;
  /** A composition's own, stricter word on a tool. */
  readonly choose?: ListToolsOptions['choose'];
}

/** The part that is loaded late. */
export interface LateApi {
  servers(): readonly ApiServer[];
  /** Tells each change of a state since `before`. */
  follow(before: readonly ServerView[], listener: (change: ApiStatusChange) => void): Disposable;
  /** Fails with RoundhouseError. */
  call(call: TakenCall, options: unknown): Promise<ApiToolResult>;
  /** Fails with RoundhouseError. */
  agentConfig(): Promise<AgentMcpConfig>;
}

export function createApi({ manager, late, choose }: ApiDeps): RoundhouseApi {
  return Object.freeze<RoundhouseApi>({
    version: '1.0.0',
    servers: async () => (await late()).servers(),
    listTools: (options) => {
      const tools = listTools(manager.view().servers, { mode: options?.mode, choose });
      return deepFrozen(
        tools.map(({ server, tool, category }) => ({
          server: server.server.id,
          name: tool.name,
          category,
          policy: decide(tool.name, server.policies),
          seen: seenOf(tool),
        })),
      );
    },
    toolDefinition: (server, tool) => {
      const key = manager.keyOf(server);
      const view = manager.view().servers.find((each) => each.key === key);
      const offered = view?.snapshot?.tools.find(({ name }) => name === tool);
      return offered && deepFrozen(structuredClone(offered.raw));
    },
    callTool: async (call, options) => {
      const taken = takenCall(call);
      return (await late()).call(taken, options);
    },
    getAgentMcpConfig: async () => (await late()).agentConfig(),
    onDidChange: (listener) => manager.onDidChange(() => listener()),
    onDidChangeStatus: (listener) => {
      const before = manager.view().servers;
      let following: Disposable | 'ended' | undefined;
      late().then(
        (api) => {
          following ??= api.follow(before, listener);
        },
        // Nothing is told then; whoever asks for something hears why.
        () => undefined,
      );
      return Object.freeze({
        dispose: () => {
          if (typeof following === 'object') following.dispose();
          following = 'ended';
        },
      });
    },
  });
}
