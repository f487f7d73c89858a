import * as vscode from 'vscode';
import { t } from '../strings.ts';
import type { Command } from './command.ts';
import { serverTarget } from './serverTarget.ts';

export const removeServer: Command = {
  name: 'server.remove',
  async run(app, target) {
    const server = await serverTarget(app, target);
    if (server === undefined) return;
    const { id, file } = server.server;
    const remove = t('Remove');
    const question = t('Remove the server “{server}”?', { server: id });
    const detail = t('Its entry is taken out of {file}. A running instance is stopped.', { file });
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) return;
    await app.config.store(file)?.remove(id);
  },
};
