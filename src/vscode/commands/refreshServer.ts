import { withProgress } from '../adapters/withProgress.ts';
import { t } from '../strings.ts';
import type { Command } from './command.ts';
import { serverTarget } from './serverTarget.ts';

export const refreshServer: Command = {
  name: 'server.refresh',
  async run(app, target) {
    const server = await serverTarget(app, target, ({ state }) => state.kind === 'ready');
    if (server === undefined) return;
    await withProgress(t('Listing what “{server}” offers', { server: server.server.id }), ({ signal }) =>
      app.manager.refresh(server.key, { signal }),
    );
  },
};
