// What the commands need of the core; tests bring their own.
import type { Redactor } from '../base/redact.ts';
import type { ConfigProblem, ConfiguredServer, ServerKey } from '../core/config/model.ts';
import type { DiagnosisSteps } from '../core/diagnostics/diagnose.ts';
import type { Ended } from '../core/guard/endLeftovers.ts';
import type { OwnedProcess } from '../core/guard/ownProcesses.ts';
import type { LiveServer, ServerView } from '../core/manager/view.ts';
import type { CallOptions, ToolCall, ToolResult } from '../core/tools/callTypes.ts';
import type { AggregateDeps } from '../gateway/aggregate.ts';
import type { Host } from './host.ts';
import type { CommandOptions } from './options.ts';

export interface Servers {
  /** In the order of the file, disabled ones too. */
  readonly configured: readonly ConfiguredServer[];
  view(key: ServerKey): ServerView;
  /** Starts a server and waits for its first lists. */
  use(key: ServerKey, options: { signal: AbortSignal }): Promise<LiveServer>;
  call(call: ToolCall, options: CallOptions): Promise<ToolResult>;
  /** What a gateway is built on. */
  readonly gateway: AggregateDeps;
  /** The steps of a diagnosis of its own, apart from what `use` started. */
  stepsFor(server: ConfiguredServer): DiagnosisSteps;
  /** Knows what servers were lent so far: no output shows it, but a result as JSON, which is the caller's own. */
  readonly secrets: Redactor;
  /** What runs of ours on this machine, what killed owners had left, and why ours has no guard, if so (KEEP-5). */
  processes(): Promise<ProcessReport>;
  /** Names of the environment that a server does not get. */
  droppedVariables(): readonly string[];
  /** Folders of PATH that a server does not get. */
  droppedFolders(): readonly string[];
  /** Ends all servers and waits until nothing of them is left. */
  dispose(): Promise<void>;
}

export interface ProcessReport {
  readonly running: readonly OwnedProcess[];
  /** Undefined where the system shows no processes. */
  readonly ended: Ended | undefined;
  readonly unguarded: string | undefined;
}

export type Opened =
  | { readonly kind: 'opened'; readonly servers: Servers }
  | { readonly kind: 'refused'; readonly problems: readonly ConfigProblem[] };

/** Reads the configuration; starts nothing. */
export type OpenServers = (options: CommandOptions, host: Host) => Promise<Opened>;
