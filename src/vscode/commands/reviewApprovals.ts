import type { Command } from './command.ts';

/** One prompt for every server that waits. */
export const reviewApprovals: Command = {
  name: 'approvals.review',
  run: (app) => app.manager.review(),
};
