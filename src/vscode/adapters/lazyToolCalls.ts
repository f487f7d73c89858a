import type { CallOptions, ToolCall, ToolResult } from '../../core/tools/callTypes.ts';
import type { ToolCalls, ToolCallsOptions } from '../../core/tools/createToolCalls.ts';
import type { RecentCalls } from '../../core/tools/recentCalls.ts';

/** The one way to call a tool, and what was called, loaded at the first of either. */
export class LazyToolCalls {
  readonly #options: ToolCallsOptions;
  #calls: Promise<ToolCalls> | undefined;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  async call(call: ToolCall, options: CallOptions): Promise<ToolResult> {
    return (await this.#get()).call(call, options);
  }

  async recent(): Promise<RecentCalls> {
    return (await this.#get()).recent;
  }

  async settled(): Promise<void> {
    await (await this.#calls)?.settled();
  }

  dispose(): void {
    void this.#calls?.then((calls) => calls.dispose());
  }

  #get(): Promise<ToolCalls> {
    this.#calls ??= load(this.#options);
    return this.#calls;
  }
}

async function load(options: ToolCallsOptions): Promise<ToolCalls> {
  const { createToolCalls } = await import('../../core/tools/createToolCalls.ts');
  return createToolCalls(options);
}
