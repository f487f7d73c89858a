import type { ServerView } from '../../core/manager/view.ts';

/** Whether there is something to stop. */
export function isRunning({ state }: ServerView): boolean {
  return ['ready', 'connecting', 'installing', 'backingOff'].includes(state.kind);
}
