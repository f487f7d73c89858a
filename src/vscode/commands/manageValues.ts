import * as vscode from 'vscode';
import { shownLine } from '../shownText.ts';
import type { StoredValue } from '../adapters/personalValues.ts';
import { t } from '../strings.ts';
import type { Command } from './command.ts';

/** Lists what the person was asked for and kept, to replace or forget it. Values themselves are never shown. */
export const manageValues: Command = {
  name: 'values.manage',
  async run(app) {
    const values = app.values.list();
    if (values.length === 0) {
      void vscode.window.showInformationMessage(t('No values are stored.'));
      return;
    }
    const picks = values.map((value) => ({ label: shownLine(value.name, 100), description: placeOf(value), value }));
    const picked = await vscode.window.showQuickPick(picks, { title: t('Stored values') });
    if (picked === undefined) return;
    const [replace, forget] = [t('Replace…'), t('Forget')];
    const action = await vscode.window.showQuickPick([replace, forget], { title: picked.label });
    if (action === replace) await app.values.replace(picked.value);
    if (action === forget) await app.values.forget(picked.value);
  },
};

function placeOf({ kind, scope }: StoredValue): string {
  const word = kind === 'secret' ? t('secret') : t('input');
  return scope.kind === 'user' ? word : `${word} · ${shownLine(scope.name, 100)}`;
}
