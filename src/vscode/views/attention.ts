// What only a person can move on: approvals, missing values, sign-ins, broken files. Drives badge and status bar.
// Definitions that share one server (CFG-9) need the person once.
import type { ManagerView, ServerView } from '../../core/manager/view.ts';

export interface Attention {
  readonly approvals: number;
  readonly values: number;
  readonly signIns: number;
  readonly brokenFiles: number;
  readonly total: number;
}

/** `manager`: what is needed of the manager; it knows which of the waiting servers a review would ask about. */
export function needsPerson(manager: { view(): ManagerView; waiting(): readonly unknown[] }): Attention {
  const { servers, problems } = manager.view();
  const own = servers.filter(({ role }) => role !== 'shared');
  const count = (test: (server: ServerView) => boolean): number => own.filter(test).length;
  const approvals = manager.waiting().length;
  const values = count(({ state }) => state.kind === 'blocked' && state.by === 'input');
  const signIns = count(({ state }) => state.kind === 'signInNeeded');
  const brokenFiles = problems.length;
  return { approvals, values, signIns, brokenFiles, total: approvals + values + signIns + brokenFiles };
}
