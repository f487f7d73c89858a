import * as vscode from 'vscode';
import { partsOfKey } from '../../core/config/serverKey.ts';
import type { Approval } from '../../core/trust/approvalDesk.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { shownLine, shownName } from '../shownText.ts';
import type { Command } from './command.ts';

/** Lists what the person approved; what they choose is revoked, and ends at once where it runs in this window. */
export const manageApprovals: Command = {
  name: 'approvals.manage',
  async run({ manager }) {
    const approvals = manager.approvals();
    if (approvals.length === 0) {
      void tell.info(t('Nothing is approved.'));
      return;
    }
    const picked = await vscode.window.showQuickPick(approvals.map(itemOf), {
      title: t('Manage Approvals'),
      placeHolder: t('Choose what to revoke'),
      canPickMany: true,
      matchOnDescription: true,
    });
    if (picked !== undefined && picked.length > 0) await manager.revoke(picked.map(({ key }) => key));
  },
};

function itemOf({ key, remembered }: Approval): vscode.QuickPickItem & Pick<Approval, 'key'> {
  const { id, folder } = partsOfKey(key);
  const kept = folder === undefined ? t('remembered') : t('remembered for this workspace');
  return {
    label: shownName(id),
    description: remembered ? kept : t('until this window closes'),
    detail: folder === undefined ? t('Your own server') : t('Project: {folder}', { folder: shownLine(folder) }),
    key,
  };
}
