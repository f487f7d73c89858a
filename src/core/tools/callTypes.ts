// One call of a tool, from whoever asks for it to what came back.
import type { JsonObject } from '../../contract/json.ts';
import type { Asker } from '../connection/liveClient.ts';
import type { Generation } from '../connection/state.ts';
import type { Caller } from '../ports.ts';
import type { ServerKey } from '../config/model.ts';

/** Binds a call to what its caller saw: a tool of another life or another definition fails before the wire (TOOL-2). */
export interface ToolBinding {
  /** Absent: a life of the server that came since then serves too, where the definition is the same. */
  readonly generation?: Generation;
  readonly hash: string;
}

export interface ToolCall {
  readonly server: ServerKey;
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly caller: Caller;
  readonly binding?: ToolBinding;
  /** Further params, sent as they are: `_meta`, `inputResponses`, `requestState`. Never a name or arguments. */
  readonly extra?: JsonObject;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (params: JsonObject) => void;
  /** Log lines of the server's that belong to this call. */
  readonly onLog?: (params: JsonObject) => void;
  /** Answers what the server asks during the call. */
  readonly asker?: Asker;
  /** Check arguments and structured content against the tool's schemas (TOOL-3): tree, API and command line do. */
  readonly validate: boolean;
  /** Told when a schema of the server could not be used for its check, which stops no call. */
  readonly onUnchecked?: (of: 'arguments' | 'result', detail: string) => void;
}

/** The raw result of `tools/call`; `isError` results pass through here, the callers for people turn them into toolFailed. */
export type ToolResult = JsonObject;
