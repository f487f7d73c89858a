import type { CallOptions, ToolCall, ToolResult } from '../../core/tools/callTypes.ts';
import type { ToolCalls, ToolCallsOptions } from '../../core/tools/createToolCalls.ts';
import type { RecentCalls } from '../../core/tools/recentCalls.ts';
import { type Lazy, lazy } from '../lazy.ts';

/** The one way to call a tool, and what was called, loaded at the first of either. */
export class LazyToolCalls {
  readonly #calls: Lazy<ToolCalls>;

  constructor(options: ToolCallsOptions) {
    this.#calls = lazy(() => load(options));
  }

  async call(call: ToolCall, options: CallOptions): Promise<ToolResult> {
    return (await this.#calls.get()).call(call, options);
  }

  /** For whoever sends results on as they are. */
  async forward(): Promise<ToolCalls['forward']> {
    return (await this.#calls.get()).forward;
  }

  async recent(): Promise<RecentCalls> {
    return (await this.#calls.get()).recent;
  }

  async settled(): Promise<void> {
    await (await this.#calls.made)?.settled();
  }

  dispose(): void {
    void this.#calls.made?.then((calls) => calls.dispose());
  }
}

async function load(options: ToolCallsOptions): Promise<ToolCalls> {
  const { createToolCalls } = await import('../../core/tools/createToolCalls.ts');
  return createToolCalls(options);
}
