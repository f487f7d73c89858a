import type { OfferSource } from '../../core/discovery/offerSource.ts';
import type { LiveServer } from '../../core/manager/view.ts';

export function sourceOf(live: LiveServer): OfferSource {
  return { id: live.view.server.id, client: live.client, snapshot: live.snapshot };
}

/** Whether the server declares completion. */
export function canComplete(live: LiveServer): boolean {
  return live.client.capabilities['completions'] !== undefined;
}
