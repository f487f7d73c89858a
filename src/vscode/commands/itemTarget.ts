// Which tool, resource, template or prompt a command means: the tree's node, or what the person picks.
import * as vscode from 'vscode';
import { shownLine } from '../shownText.ts';
import type { OfferKind } from '../../core/discovery/snapshot.ts';
import { ManagerError } from '../../core/errors.ts';
import type { ServerView } from '../../core/manager/view.ts';
import { withProgress } from '../adapters/withProgress.ts';
import type { App } from '../app.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { listOf } from '../views/treeModel.ts';
import { isItemNode, itemOfNode, type ItemTarget } from './itemOfNode.ts';
import { namedItem } from './namedItem.ts';
import { namedServer, serverTarget } from './serverTarget.ts';

/** Starts the server where it is not running: its offer is only known then. */
export async function itemTarget(
  app: App,
  target: unknown,
  offers: readonly OfferKind[],
): Promise<ItemTarget | undefined> {
  if (isItemNode(target)) {
    const shown = itemOfNode(target);
    if (shown === undefined) {
      void tell.error(t('This command was called for something that is no item of a server.'));
      return undefined;
    }
    if (offers.includes(shown.offer)) return shown;
  }
  const named = parseName(target);
  if (named !== undefined && namedServer(app, named.server) === undefined) {
    throw new ManagerError('unknownServer', { server: named.server });
  }
  const server = await serverTarget(app, named?.server ?? target, isUsable, { takeOnly: true });
  if (server === undefined) return undefined;
  const live = await withProgress(t('Starting “{server}”', { server: server.server.id }), async ({ signal }) => {
    await app.manager.start(server.key, { signal });
    return app.manager.use(server.key, { signal });
  });
  const { key, server: definition } = server;
  const { generation } = live.snapshot;
  const view = { ...live.view, snapshot: live.snapshot };
  const items = offers.flatMap((offer) => listOf(view, offer).map((item) => ({ key, offer, item, generation })));
  if (named !== undefined) return namedItem(items, named.item, { server: definition.id, offers });
  if (items.length === 0) {
    void tell.info(t('“{server}” offers nothing of this kind.', { server: server.server.id }));
    return undefined;
  }
  return pick(items, server.server.id);
}

function isUsable({ server, role }: ServerView): boolean {
  return server.definition.enabled && role !== 'overridden' && role !== 'conflict';
}

async function pick(items: readonly ItemTarget[], server: string): Promise<ItemTarget | undefined> {
  const picks = items.map((target) => {
    const description = target.item.raw['description'];
    return {
      label: shownLine(target.item.name, 200),
      detail: typeof description === 'string' ? shownLine(description, 300) : '',
      target,
    };
  });
  return (await vscode.window.showQuickPick(picks, { title: server, matchOnDetail: true }))?.target;
}

/** `{ server, item }`: how keybindings, links of ours and tests name an item. */
function parseName(target: unknown): { server: string; item: string } | undefined {
  if (typeof target !== 'object' || target === null || !('server' in target) || !('item' in target)) return undefined;
  const { server, item } = target;
  return typeof server === 'string' && typeof item === 'string' ? { server, item } : undefined;
}
