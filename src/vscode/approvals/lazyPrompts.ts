import type { ApprovalPrompt, CallPrompt } from '../../core/ports.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import type { CallWidgetsDeps } from './callWidgets.ts';

/** The dialogs, loaded at the first question. */
export function lazyApprovalPrompt(documents: MemoryFiles): ApprovalPrompt {
  return {
    ask: async (requests, signal) => {
      const { ApprovalDialog } = await import('./approvalDialog.ts');
      return new ApprovalDialog(documents).ask(requests, signal);
    },
  };
}

/** One queue for all questions about calls. */
export function lazyCallPrompt(deps: CallWidgetsDeps): CallPrompt {
  let queue: Promise<CallPrompt> | undefined;
  const load = async (): Promise<CallPrompt> => {
    const { callPrompt } = await import('./callWidgets.ts');
    return callPrompt(deps);
  };
  return { confirm: async (call, signal) => (await (queue ??= load())).confirm(call, signal) };
}
