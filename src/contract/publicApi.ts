// The interface for other extensions, which `activate` answers (docs/api.md). It imports nothing, so that an extension may
// copy this file as it is. It has a version of its own: what breaks a user of it raises the major one.

/** Frozen, and so is everything that it answers but results of tools, which are the caller's own. */
export interface RoundhouseApi {
  /** Semantic. 1.0.0: calls, status with its words, definitions, the agent entry. 0.2.0: `listTools`. */
  readonly version: string;
  /** The servers of this window, as they are now; without commands, URLs, variables and secrets. */
  servers(): Promise<readonly ApiServer[]>;
  /**
   * The tools that may be called now, of all servers that are connected. `mode: 'plan'` is for an agent that only looks:
   * it leaves out every tool that may do anything, and so all tools of configured servers, whatever they say of themselves.
   */
  listTools(options?: { readonly mode?: 'act' | 'plan' }): readonly ApiTool[];
  /** A tool as its server defines it: name, description, schemas, annotations; undefined where it is not listed now. */
  toolDefinition(server: string, tool: string): Readonly<Record<string, unknown>> | undefined;
  /**
   * Calls a tool as every caller does: it starts the server where that is stopped and may run, checks the arguments,
   * obeys the policy (`deny` never runs; `ask` asks the person, who sees all of the arguments) and sends once. Fails with
   * an ApiError, also where the tool itself says that it failed.
   */
  callTool(call: ApiCall, options?: ApiCallOptions): Promise<ApiToolResult>;
  /** What an agent is given to reach all servers, once that is in place. Fails with an ApiError where it cannot be made. */
  getAgentMcpConfig(): Promise<AgentMcpConfig>;
  /** Anything about the servers or the configuration changed. */
  readonly onDidChange: ApiEvent<void>;
  /** One server came, went, or is in another state; changes of its tools alone are not told here. */
  readonly onDidChangeStatus: ApiEvent<ApiStatusChange>;
}

export interface ApiServer {
  readonly id: string;
  readonly scope: 'user' | 'project';
  /** Of several definitions of one id, the one that calls go to. */
  readonly serving: boolean;
  readonly state: ApiState;
  /** Where it is blocked: by what. */
  readonly blockedBy?: 'trust' | 'approval' | 'refused' | 'policy' | 'conflict' | 'remoteOff' | 'input';
  /**
   * Why it does not run and what to do about it; absent where nothing is wrong. The person reads more: no command, path,
   * URL, variable or output is told here.
   */
  readonly problem?: { readonly code: string; readonly message: string; readonly remedy: string };
  /** Of the live connection: the generation of the protocol, and its revision, such as `2025-11-25`. */
  readonly era?: 'legacy' | 'modern';
  readonly revision?: string;
  /** Names; empty while it is not connected. */
  readonly tools: readonly string[];
}

export type ApiState =
  'disabled' | 'blocked' | 'stopped' | 'connecting' | 'installing' | 'ready' | 'backingOff' | 'signInNeeded' | 'failed';

export type ApiStatusChange =
  | { readonly kind: 'changed'; readonly server: ApiServer }
  /** As it was last. */
  | { readonly kind: 'removed'; readonly server: ApiServer };

export interface ApiTool {
  /** The id of its server. */
  readonly server: string;
  /** The server's own name of it. */
  readonly name: string;
  /** From the most harmless to the strictest. */
  readonly category: 'read' | 'write' | 'network_send' | 'execute';
  /** What would happen to a call now. */
  readonly policy: 'allow' | 'ask' | 'deny';
  /** Stands for this definition, as long as it stays as it is: a call that is given it fails where the tool is another one by then. */
  readonly seen: string;
}

export interface ApiCall {
  /** Your own extension's id, `publisher.name`: it is shown to the person and noted with the call. */
  readonly caller: string;
  readonly server: string;
  readonly tool: string;
  /** JSON; taken as it is at the moment of the call. None: `{}`. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** `seen` of the tool that you looked at. */
  readonly seen?: string;
}

export interface ApiCallOptions {
  /** An AbortSignal, or the editor's CancellationToken. The call then fails at once, with the code `cancelled`. */
  readonly signal?: ApiSignal | ApiToken | undefined;
  readonly onProgress?: ((progress: ApiProgress) => void) | undefined;
  /** `model`: cut to what a language model may be shown; `whole` (the default): as the server sent it. */
  readonly view?: 'whole' | 'model' | undefined;
}

export interface ApiProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The result of `tools/call`, as the protocol has it. */
export interface ApiToolResult {
  readonly content?: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: unknown;
  readonly [field: string]: unknown;
}

/** What calls fail with. */
export interface ApiError extends Error {
  readonly name: 'RoundhouseError';
  /** Such as `toolDenied`, `toolNotConfirmed`, `toolFailed`, `unknownTool`, `staleTool`, `argumentsInvalid`, `cancelled`. */
  readonly code: string;
  /** How far it got. Only a call that was not sent may be tried again without harm. */
  readonly outcome: 'notSent' | 'unknown' | 'completed';
  readonly remedy: string;
  readonly server?: string;
  readonly tool?: string;
}

/** The entry that an agent's configuration takes. */
export interface AgentMcpConfig {
  readonly mcpServers: {
    readonly roundhouse: {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
    };
  };
}

/** Subscribes; disposing the answer unsubscribes. */
export type ApiEvent<T> = (listener: (value: T) => void) => { dispose(): void };

/** What is used of an AbortSignal. */
export interface ApiSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** What is used of a CancellationToken. */
export interface ApiToken {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): { dispose(): void };
}
