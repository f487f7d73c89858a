import type { ApprovalPrompt, CallPrompt } from '../../core/ports.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';

/** The dialogs, loaded at the first question. */
export function lazyApprovalPrompt(documents: MemoryFiles): ApprovalPrompt {
  return {
    ask: async (requests, signal) => {
      const { ApprovalDialog } = await import('./approvalDialog.ts');
      return new ApprovalDialog(documents).ask(requests, signal);
    },
  };
}

export function lazyCallPrompt(documents: MemoryFiles): CallPrompt {
  return {
    confirm: async (call, signal) => {
      const { CallDialog } = await import('./callDialog.ts');
      return new CallDialog(documents).confirm(call, signal);
    },
  };
}
