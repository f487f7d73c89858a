// Builds the one way to call the tools of a manager's servers out of the real parts.
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ServerManager } from '../manager/serverManager.ts';
import type { CallPrompt, Log } from '../ports.ts';
import type { CallOptions, ToolCall, ToolResult } from './callTypes.ts';
import { RecentCalls } from './recentCalls.ts';
import { SchemaChecker } from './schemaCheck.ts';
import { ToolRouter } from './toolRouter.ts';

/** Has a thread for schemas once one was checked; disposing ends it. */
export interface ToolCalls extends Disposable {
  call(call: ToolCall, options: CallOptions): Promise<ToolResult>;
}

export interface ToolCallsOptions {
  readonly manager: Pick<ServerManager, 'use' | 'live'>;
  readonly clock: Clock;
  /** Absent where nobody can be asked: then every `ask` is a no. */
  readonly prompt?: CallPrompt;
  readonly log?: Log;
}

export function createToolCalls({ manager, clock, ...others }: ToolCallsOptions): ToolCalls {
  const checker = new SchemaChecker();
  const router = new ToolRouter({
    use: (key, options) => manager.use(key, options),
    live: (key) => manager.live(key),
    checker,
    calls: new RecentCalls(clock),
    clock,
    ...others,
  });
  return { call: (call, options) => router.call(call, options), dispose: () => checker.dispose() };
}
