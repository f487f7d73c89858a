import type { ApprovalPrompt, CallPrompt } from '../../core/ports.ts';
import { lazy } from '../lazy.ts';
import type { CallWidgetsDeps } from './callWidgets.ts';

/** The dialogs, loaded at the first question. */
export function lazyApprovalPrompt(): ApprovalPrompt {
  return {
    ask: async (requests, signal) => {
      const { ApprovalDialog } = await import('./approvalDialog.ts');
      return new ApprovalDialog().ask(requests, signal);
    },
  };
}

/** One queue for all questions about calls. */
export function lazyCallPrompt(deps: CallWidgetsDeps): CallPrompt {
  const queue = lazy(async () => {
    const { callPrompt } = await import('./callWidgets.ts');
    return callPrompt(deps);
  });
  return { confirm: async (call, signal) => (await queue.get()).confirm(call, signal) };
}
