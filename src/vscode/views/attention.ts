// What only a person can move on: approvals, missing values, sign-ins, broken files. Drives badge and status bar.
// Definitions that share one server (CFG-9) need the person once.
import type { ManagerView, ServerView } from '../../core/manager/view.ts';
import type { Translate } from '../translate.ts';

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

/** One for each kind, the most serious first: what the number on the badge is made of. */
export function attentionWords(
  { brokenFiles, approvals, values, signIns }: Attention,
  t: Translate,
): readonly string[] {
  const kinds: readonly [number, string, string][] = [
    [brokenFiles, t('1 broken MCP configuration'), t('{count} broken MCP configurations', { count: brokenFiles })],
    [approvals, t('1 MCP server to approve'), t('{count} MCP servers to approve', { count: approvals })],
    [values, t('1 MCP server needs a value'), t('{count} MCP servers need a value', { count: values })],
    [signIns, t('1 MCP server needs a sign-in'), t('{count} MCP servers need a sign-in', { count: signIns })],
  ];
  return kinds.flatMap(([count, one, many]) => (count === 0 ? [] : [count === 1 ? one : many]));
}
