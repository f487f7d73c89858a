import type { Command } from './command.ts';
import { serverTarget } from './serverTarget.ts';

export const enableServer: Command = {
  name: 'server.enable',
  async run(app, target) {
    const server = await serverTarget(app, target, (view) => !view.server.definition.enabled);
    if (server === undefined) return;
    await app.config.store(server.server.file)?.setEnabled(server.server.id, true);
  },
};
