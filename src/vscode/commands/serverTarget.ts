// Which server a command means: the tree's node, a key or an id that a caller passed, or what the person picks.
import * as vscode from 'vscode';
import type { ServerKey } from '../../core/config/model.ts';
import type { ServerView } from '../../core/manager/view.ts';
import type { App } from '../app.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { serverRow, stateWords } from '../views/serverRow.ts';

export type ServerFilter = (server: ServerView) => boolean;

/**
 * Undefined when the person picked none, or when there is none to pick, which is said. The only one is taken unasked
 * where `takeOnly` says so: what changes a server should name it first.
 */
export async function serverTarget(
  app: App,
  target: unknown,
  filter: ServerFilter = () => true,
  { takeOnly = false }: { readonly takeOnly?: boolean } = {},
): Promise<ServerView | undefined> {
  const named = namedServer(app, target);
  if (named !== undefined) return named;
  const servers = app.manager.view().servers.filter(filter);
  if (servers.length === 0) {
    void tell.info(t('There is no server for which this makes sense now.'));
    return undefined;
  }
  if (takeOnly && servers.length === 1) return servers[0];
  const picks = servers.map((server) => ({
    label: server.server.id,
    description: stateWords(server, t),
    iconPath: new vscode.ThemeIcon(serverRow(server, t).icon?.id ?? 'server'),
    server,
  }));
  return (await vscode.window.showQuickPick(picks, { title: t('Choose a server'), matchOnDescription: true }))?.server;
}

export function namedServer(app: App, target: unknown): ServerView | undefined {
  const name = typeof target === 'string' ? target : keyOfNode(target);
  if (name === undefined) return undefined;
  const key = app.model.server(name as ServerKey) === undefined ? app.manager.keyOf(name) : (name as ServerKey);
  return key === undefined ? undefined : app.model.server(key);
}

function keyOfNode(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null || !('key' in target)) return undefined;
  return typeof target.key === 'string' ? target.key : undefined;
}
