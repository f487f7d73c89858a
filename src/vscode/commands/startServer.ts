import { withProgress } from '../adapters/withProgress.ts';
import { t } from '../strings.ts';
import type { Command } from './command.ts';
import { serverTarget } from './serverTarget.ts';

export const startServer: Command = {
  name: 'server.start',
  async run(app, target) {
    const server = await serverTarget(app, target, ({ state }) => state.kind !== 'ready' && state.kind !== 'disabled');
    if (server === undefined) return;
    await withProgress(t('Starting “{server}”', { server: server.server.id }), ({ signal }) =>
      app.manager.start(server.key, { signal }),
    );
  },
};
