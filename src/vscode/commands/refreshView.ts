import { withProgress } from '../adapters/withProgress.ts';
import { t } from '../strings.ts';
import type { Command } from './command.ts';

/** Reads the configuration and the files of other clients anew, then the lists of every server that is ready. The first failure is told. */
export const refreshView: Command = {
  name: 'view.refresh',
  async run(app) {
    await withProgress(t('Refreshing all servers'), async ({ signal }) => {
      await Promise.all(app.config.places().map(({ file }) => app.config.reload(file)));
      await app.found.look();
      const ready = app.manager.view().servers.filter(({ state }) => state.kind === 'ready');
      const results = await Promise.allSettled(ready.map(({ key }) => app.manager.refresh(key, { signal })));
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    });
  },
};
