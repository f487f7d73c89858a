import type { ServerView } from '../../core/manager/view.ts';
import type { Command } from './command.ts';
import { serverTarget } from './serverTarget.ts';

export const approveServer: Command = {
  name: 'server.approve',
  async run(app, target) {
    const server = await serverTarget(app, target, waits);
    if (server !== undefined) await app.manager.review([server.key]);
  },
};

function waits({ state }: ServerView): boolean {
  return state.kind === 'blocked' && (state.by === 'approval' || state.by === 'refused');
}
