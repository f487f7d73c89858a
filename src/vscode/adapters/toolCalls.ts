import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import type { CallPrompt, Log } from '../../core/ports.ts';
import type { CallOptions, ToolCall, ToolResult } from '../../core/tools/callTypes.ts';
import type { SchemaChecker } from '../../core/tools/schemaCheck.ts';
import type { ToolRouter } from '../../core/tools/toolRouter.ts';

export interface ToolCallsOptions {
  readonly manager: ServerManager;
  readonly clock: Clock;
  readonly log: Log;
  readonly prompt: CallPrompt;
}

/** The one way to call a tool, loaded at the first call. */
export class ToolCalls implements Disposable {
  readonly #options: ToolCallsOptions;
  #parts: Promise<{ readonly router: ToolRouter; readonly checker: SchemaChecker }> | undefined;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  async call(call: ToolCall, options: CallOptions): Promise<ToolResult> {
    this.#parts ??= load(this.#options);
    const { router } = await this.#parts;
    return router.call(call, options);
  }

  dispose(): void {
    void this.#parts?.then(({ checker }) => checker.dispose());
  }
}

async function load({ manager, clock, log, prompt }: ToolCallsOptions) {
  const [{ ToolRouter }, { SchemaChecker }, { RecentCalls }] = await Promise.all([
    import('../../core/tools/toolRouter.ts'),
    import('../../core/tools/schemaCheck.ts'),
    import('../../core/tools/recentCalls.ts'),
  ]);
  const checker = new SchemaChecker();
  const router = new ToolRouter({
    use: (key, options) => manager.use(key, options),
    live: (key) => manager.live(key),
    prompt,
    checker,
    calls: new RecentCalls(clock),
    clock,
    log,
  });
  return { router, checker };
}
