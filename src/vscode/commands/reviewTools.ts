import type { ServerView } from '../../core/manager/view.ts';
import { reviewTools as review } from '../approvals/reviewTools.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import type { Command } from './command.ts';
import { serverTarget } from './serverTarget.ts';

/** Shows what changed in the tools of a server, and asks whether that is accepted. */
export const reviewTools: Command = {
  name: 'tools.review',
  async run(app, target) {
    const server = await serverTarget(app, target, hasChanges, { takeOnly: true });
    if (server === undefined) return;
    const accepted = await review(app, server.key, new AbortController().signal);
    if (accepted !== undefined) return;
    const { id } = server.server;
    void tell.info(t('No tool of “{server}” differs from what you know.', { server: id }));
  },
};

function hasChanges({ policies }: ServerView): boolean {
  return (policies.changed?.size ?? 0) > 0;
}
