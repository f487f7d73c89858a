// Builds the one way to call the tools of a manager's servers out of the real parts.
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Journal } from '../diagnostics/journal.ts';
import type { ServerManager } from '../manager/serverManager.ts';
import type { CallPrompt, Log } from '../ports.ts';
import type { CallOptions, ToolCall, ToolResult } from './callTypes.ts';
import { JournalledCalls } from './journalledCalls.ts';
import { type ListedTool, listTools, type ListToolsOptions } from './listTools.ts';
import { RecentCalls } from './recentCalls.ts';
import { SchemaChecker } from './schemaCheck.ts';
import { ToolRouter } from './toolRouter.ts';

/** Has a thread for schemas once one was checked; disposing ends it. */
export interface ToolCalls extends Disposable {
  /** What may be called now; `mode: 'plan'` leaves out whatever may do anything (TOOL-6). */
  listTools(options?: Pick<ListToolsOptions, 'mode'>): readonly ListedTool[];
  call(call: ToolCall, options: CallOptions): Promise<ToolResult>;
  /** The last calls of this process. */
  readonly recent: RecentCalls;
  /** Answers when the journal waits for the disk no more. */
  settled(): Promise<void>;
}

export interface ToolCallsOptions {
  readonly manager: Pick<ServerManager, 'use' | 'live' | 'tools' | 'view'>;
  readonly clock: Clock;
  /** Absent where nobody can be asked: then every `ask` is a no. */
  readonly prompt?: CallPrompt;
  readonly log?: Log;
  /** A stricter category for some tools; anything else that it says changes nothing. */
  readonly choose?: ListToolsOptions['choose'];
  /** Absent where calls are kept in memory only. `isOn` is asked at each call. */
  readonly journal?: { readonly folder: string; readonly isOn: () => boolean };
}

export function createToolCalls(options: ToolCallsOptions): ToolCalls {
  const { manager, clock, journal: journalled, choose, ...others } = options;
  const checker = new SchemaChecker();
  const recent = new RecentCalls(clock);
  const journal = journalled && new Journal({ folder: journalled.folder, clock, log: others.log });
  const router = new ToolRouter({
    use: (key, options) => manager.use(key, options),
    live: (key) => manager.live(key),
    grant: (key, tool) => manager.tools.grant(key, tool),
    checker,
    calls: new JournalledCalls(recent, () => (journalled?.isOn() === true ? journal : undefined)),
    clock,
    ...others,
  });
  return {
    recent,
    listTools: ({ mode } = {}) => listTools(manager.view().servers, { mode, choose }),
    call: (call, options) => router.call(call, options),
    settled: async () => journal?.close(),
    dispose: () => checker.dispose(),
  };
}
