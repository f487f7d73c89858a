import * as vscode from 'vscode';
import { shownLine } from '../shownText.ts';
import type { StoredValue } from '../adapters/storedValue.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import type { Command } from './command.ts';

/** Lists what the person was asked for and kept, to replace or forget it. Values themselves are never shown. */
export const manageValues: Command = {
  name: 'values.manage',
  async run(app) {
    const values = app.values.list();
    if (values.length === 0) {
      void tell.info(t('No values are stored.'));
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

function placeOf({ kind, scope, target }: StoredValue): string {
  const folder = scope.kind === 'user' ? [] : [scope.name];
  const bound = target === undefined ? [] : [target.server, target.place];
  return [wordOf(kind), ...[...folder, ...bound].map((part) => shownLine(part, 100))].join(' · ');
}

function wordOf(kind: StoredValue['kind']): string {
  switch (kind) {
    case 'input':
      return t('input');
    case 'secret':
      return t('secret');
    case 'header':
      return t('header');
    case 'clientSecret':
      return t('client secret');
  }
}
