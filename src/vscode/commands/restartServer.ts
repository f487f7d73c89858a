import { withProgress } from '../adapters/withProgress.ts';
import { t } from '../strings.ts';
import type { Command } from './command.ts';
import { serverTarget } from './serverTarget.ts';

export const restartServer: Command = {
  name: 'server.restart',
  async run(app, target) {
    const server = await serverTarget(app, target, ({ state }) => state.kind !== 'disabled');
    if (server === undefined) return;
    await withProgress(t('Restarting “{server}”', { server: server.server.id }), ({ signal }) =>
      app.manager.restart(server.key, { signal }),
    );
  },
};
