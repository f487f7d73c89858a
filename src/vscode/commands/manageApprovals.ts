import * as vscode from 'vscode';
import type { ServerKey } from '../../core/config/model.ts';
import { partsOfKey } from '../../core/config/serverKey.ts';
import type { Approval } from '../../core/trust/approvalDesk.ts';
import type { App } from '../app.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { shownLine, shownName } from '../shownText.ts';
import { shownCommand } from '../views/shownTarget.ts';
import type { Command } from './command.ts';

/**
 * Lists what the person approved, servers and the tools that they allowed for the window; what they choose is revoked, and
 * a server ends at once where it runs in this window.
 */
export const manageApprovals: Command = {
  name: 'approvals.manage',
  async run(app) {
    const items = [...app.manager.approvals().map((approval) => serverItem(app, approval)), ...toolItems(app)];
    if (items.length === 0) {
      void tell.info(t('Nothing is approved.'));
      return;
    }
    const picked = await vscode.window.showQuickPick(items, {
      title: t('Manage Approvals'),
      placeHolder: t('Choose what to revoke'),
      canPickMany: true,
      matchOnDescription: true,
    });
    if (picked === undefined || picked.length === 0) return;
    for (const { key, tool } of picked) if (tool !== undefined) app.manager.tools.revoke(key, tool);
    await app.manager.revoke(picked.flatMap(({ key, tool }) => (tool === undefined ? [key] : [])));
    void tell.info(t('Revoked: {names}.', { names: picked.map(({ label }) => label).join(', ') }));
  },
};

interface Item extends vscode.QuickPickItem {
  readonly key: ServerKey;
  /** One that is allowed for the window. */
  readonly tool?: string;
}

function serverItem({ model }: App, { key, remembered }: Approval): Item {
  const { id, folder } = partsOfKey(key);
  const definition = model.server(key)?.server.definition;
  const what = definition?.kind === 'stdio' ? shownLine(shownCommand(definition), 200) : undefined;
  const place = folder === undefined ? t('Your own server') : t('Project: {folder}', { folder: shownLine(folder) });
  const kept = folder === undefined ? t('remembered') : t('remembered for its workspace');
  return {
    label: shownName(id),
    description: remembered ? kept : t('until this window closes'),
    detail: what === undefined ? place : `${what} · ${place}`,
    key,
  };
}

function toolItems({ manager }: App): readonly Item[] {
  return manager.view().servers.flatMap(({ key, server, policies }) =>
    [...(policies.granted ?? [])].map((tool) => ({
      label: shownName(tool),
      description: t('allowed for this window'),
      detail: t('Tool of “{server}”', { server: server.id }),
      key,
      tool,
    })),
  );
}
