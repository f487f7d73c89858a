import type { JsonObject } from '../contract/json.ts';
import type { AgentMcpConfig } from '../contract/publicApi.ts';
import type { Agents } from '../core/agents/agents.ts';
import type { ConfiguredServer, ServerKey } from '../core/config/model.ts';
import type { Diagnosis } from '../core/diagnostics/diagnosis.ts';
import type { ServerManager } from '../core/manager/serverManager.ts';
import type { CallOptions, ToolCall, ToolResult } from '../core/tools/callTypes.ts';
import type { ConfigFiles } from './adapters/configFiles.ts';
import type { MemoryFiles } from './adapters/memoryFiles.ts';
import type { StoredValues } from './adapters/personalValues.ts';
import type { ServerLogs } from './adapters/serverLogs.ts';
import type { FoundWatch } from './found/foundWatch.ts';
import type { ArgumentDrafts } from './input/argumentDrafts.ts';
import type { TreeModel } from './views/treeModel.ts';
import type { ResultPanels } from './webview/resultPanels.ts';

/** What commands work with; built once by container.ts. */
export interface App {
  readonly manager: ServerManager;
  readonly config: ConfigFiles;
  readonly values: StoredValues;
  readonly documents: MemoryFiles;
  readonly drafts: ArgumentDrafts;
  readonly logs: ServerLogs;
  readonly model: TreeModel;
  /** What stands in the files of other clients. */
  readonly found: FoundWatch;
  /** The last arguments of each tool, for as long as the window lives. */
  readonly remembered: Map<string, JsonObject>;
  /** Made when the first result is shown. */
  results(): Promise<ResultPanels>;
  /** Opens the page of recent calls; `server`: where only its ones are wanted. */
  showCalls(server?: ConfiguredServer): Promise<void>;
  /** The agents of this machine; made when they are first asked for. */
  agents(): Promise<Agents>;
  /** What an agent is given to reach all servers, once it works. */
  agentConfig(): Promise<AgentMcpConfig>;
  callTool(call: ToolCall, options: CallOptions): Promise<ToolResult>;
  diagnose(key: ServerKey, options: { signal: AbortSignal; onCheck: (done: number) => void }): Promise<Diagnosis>;
}
