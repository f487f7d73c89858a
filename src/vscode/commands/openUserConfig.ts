import type { Command } from './command.ts';
import { openConfig } from './openConfig.ts';

export const openUserConfig: Command = {
  name: 'userConfig.open',
  run: (app) => openConfig(app, app.config.userFile),
};
