// The interface for other extensions over real parts, without the editor.
import type { AgentMcpConfig, RoundhouseApi } from '../../src/contract/publicApi.ts';
import type { ServerManager } from '../../src/core/manager/serverManager.ts';
import type { ToolCalls } from '../../src/core/tools/createToolCalls.ts';
import { type ApiDeps, createApi } from '../../src/vscode/api.ts';
import { lateApi } from '../../src/vscode/api/lateApi.ts';
import { english } from '../../src/vscode/translate.ts';

export interface ApiOfOptions {
  /** Without it no tool can be called. */
  readonly calls?: Pick<ToolCalls, 'call'>;
  readonly choose?: ApiDeps['choose'];
  readonly agentConfig?: () => Promise<AgentMcpConfig>;
}

/** The one extension that is installed. */
export const callerId = 'fixtures.caller';

export function apiOf(
  manager: Pick<ServerManager, 'view' | 'onDidChange' | 'keyOf'>,
  options: ApiOfOptions = {},
): RoundhouseApi {
  const nothing = (): Promise<never> => Promise.reject(new Error('not in this test'));
  const { calls, choose, agentConfig = nothing } = options;
  const late = lateApi({
    manager,
    callTool: (call, given) => (calls === undefined ? nothing() : calls.call(call, given)),
    agentConfig,
    isInstalled: (id) => id === callerId,
    t: english,
    hide: (text) => text,
  });
  return createApi({ manager, late: () => Promise.resolve(late), ...(choose && { choose }) });
}
