// What only a person can move on: approvals, missing values, sign-ins, broken files. Drives badge and status bar.
import type { ManagerView, ServerView } from '../../core/manager/view.ts';

export interface Attention {
  readonly approvals: number;
  readonly values: number;
  readonly signIns: number;
  readonly brokenFiles: number;
  readonly total: number;
}

export function needsPerson(view: ManagerView): Attention {
  const count = (test: (server: ServerView) => boolean): number => view.servers.filter(test).length;
  const approvals = count(({ state }) => state.kind === 'blocked' && state.by === 'approval');
  const values = count(({ state }) => state.kind === 'blocked' && state.by === 'input');
  const signIns = count(({ state }) => state.kind === 'signInNeeded');
  const brokenFiles = view.problems.length;
  return { approvals, values, signIns, brokenFiles, total: approvals + values + signIns + brokenFiles };
}
