import type { CallOptions, ToolCall, ToolResult } from '../../core/tools/callTypes.ts';
import type { ToolCalls, ToolCallsOptions } from '../../core/tools/createToolCalls.ts';

/** The one way to call a tool, loaded at the first call. */
export class LazyToolCalls implements ToolCalls {
  readonly #options: ToolCallsOptions;
  #calls: Promise<ToolCalls> | undefined;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  async call(call: ToolCall, options: CallOptions): Promise<ToolResult> {
    this.#calls ??= load(this.#options);
    return (await this.#calls).call(call, options);
  }

  dispose(): void {
    void this.#calls?.then((calls) => calls.dispose());
  }
}

async function load(options: ToolCallsOptions): Promise<ToolCalls> {
  const { createToolCalls } = await import('../../core/tools/createToolCalls.ts');
  return createToolCalls(options);
}
