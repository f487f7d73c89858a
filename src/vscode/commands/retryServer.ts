import { withProgress } from '../adapters/withProgress.ts';
import { t } from '../strings.ts';
import { isRetried } from '../views/serverFlags.ts';
import type { Command } from './command.ts';
import { serverTarget } from './serverTarget.ts';

/** Starts at once what waits for its next start, or was given up. */
export const retryServer: Command = {
  name: 'server.retry',
  async run(app, target) {
    const server = await serverTarget(app, target, ({ state }) => isRetried(state));
    if (server === undefined) return;
    await withProgress(t('Starting “{server}”', { server: server.server.id }), ({ signal }) =>
      app.manager.start(server.key, { signal }),
    );
  },
};
