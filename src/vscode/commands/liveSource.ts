import type { ServerKey } from '../../core/config/model.ts';
import type { OfferSource } from '../../core/discovery/offerSource.ts';
import type { LiveServer } from '../../core/manager/view.ts';
import { withProgress } from '../adapters/withProgress.ts';
import type { App } from '../app.ts';
import { t } from '../strings.ts';

/** The live server, started where it is not running; shown and cancellable like all long work (UI-5). */
export function liveServer(app: App, key: ServerKey): Promise<LiveServer> {
  const server = app.model.server(key)?.server.id ?? '';
  return withProgress(t('Starting “{server}”', { server }), ({ signal }) => app.manager.use(key, { signal }));
}

export function sourceOf(live: LiveServer): OfferSource {
  return { id: live.view.server.id, client: live.client, snapshot: live.snapshot };
}
