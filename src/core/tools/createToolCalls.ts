// Builds the one way to call the tools of a manager's servers out of the real parts.
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Journal } from '../diagnostics/journal.ts';
import { ManagerError } from '../errors.ts';
import { barError } from '../manager/bars.ts';
import type { ServerManager } from '../manager/serverManager.ts';
import type { CallPrompt, Log } from '../ports.ts';
import type { CallOptions, ToolCall, ToolResult } from './callTypes.ts';
import { JournalledCalls } from './journalledCalls.ts';
import { RecentCalls } from './recentCalls.ts';
import { SchemaChecker } from './schemaCheck.ts';
import { ToolRouter } from './toolRouter.ts';

/** Has a thread for schemas once one was checked; disposing ends it. */
export interface ToolCalls extends Disposable {
  call(call: ToolCall, options: CallOptions): Promise<ToolResult>;
  /** For whoever sends the result on as it is. */
  readonly forward: ToolRouter['forward'];
  /** The last calls of this process. */
  readonly recent: RecentCalls;
  /** Answers when the journal waits for the disk no more. */
  settled(): Promise<void>;
}

export interface ToolCallsOptions {
  readonly manager: Pick<ServerManager, 'use' | 'live' | 'tools' | 'view' | 'onDidChange'>;
  readonly clock: Clock;
  /** Absent where nobody can be asked: then every `ask` is a no. */
  readonly prompt?: CallPrompt;
  readonly log?: Log;
  /** Absent where calls are kept in memory only. `isOn` is asked at each call. */
  readonly journal?: { readonly folder: string; readonly isOn: () => boolean };
}

export function createToolCalls(options: ToolCallsOptions): ToolCalls {
  const { manager, clock, journal: journalled, ...others } = options;
  const checker = new SchemaChecker();
  const recent = new RecentCalls(clock);
  const journal = journalled && new Journal({ folder: journalled.folder, clock, log: others.log });
  const router = new ToolRouter({
    use: (key, options) => manager.use(key, options),
    live: (key) => manager.live(key),
    barred: (key) => {
      const view = manager.view().servers.find((server) => server.key === key);
      if (view === undefined) return new ManagerError('unknownServer', { server: key });
      const { server, state } = view;
      return state.kind === 'disabled' || state.kind === 'blocked' ? barError(server, state) : undefined;
    },
    grant: (key, tool) => manager.tools.grant(key, tool),
    checker,
    calls: new JournalledCalls(recent, () => (journalled?.isOn() === true ? journal : undefined)),
    clock,
    ...others,
  });
  const watch = manager.onDidChange((change) => router.lookAgain(change.kind === 'server' ? change.key : undefined));
  return {
    recent,
    call: (call, options) => router.call(call, options),
    forward: (call, options) => router.forward(call, options),
    settled: async () => journal?.close(),
    dispose: () => {
      watch.dispose();
      checker.dispose();
    },
  };
}
