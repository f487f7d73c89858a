import * as vscode from 'vscode';
import { shownLine } from '../shownText.ts';
import { valueUsers } from '../input/valueUsers.ts';
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
    const servers = app.config.snapshot().files.flatMap((file) => file.servers);
    const picks = values.map((value) => {
      const users = valueUsers(value, servers);
      const detail = users === '' ? t('No server of this window uses it.') : t('Used by {users}', { users });
      return { label: shownLine(value.name, 100), description: placeOf(value), detail, value };
    });
    const look = { title: t('Stored values'), placeHolder: t('Choose a value to replace or forget') };
    const picked = await vscode.window.showQuickPick(picks, look);
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
