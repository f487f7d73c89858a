import * as vscode from 'vscode';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import type { Command } from './command.ts';
import { openConfig } from './openConfig.ts';

export const openProjectConfig: Command = {
  name: 'projectConfig.open',
  async run(app) {
    const places = app.config
      .places()
      .flatMap(({ file, scope }) =>
        scope.kind === 'project' ? [{ label: scope.name, description: scope.folder, file }] : [],
      );
    const [first, ...others] = places;
    if (first === undefined) {
      void tell.info(t('Open a folder first: a project’s servers are defined in it.'));
      return;
    }
    const place =
      others.length === 0 ? first : await vscode.window.showQuickPick(places, { title: t('Choose a folder') });
    if (place !== undefined) await openConfig(app, place.file);
  },
};
