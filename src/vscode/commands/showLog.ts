import type { Command } from './command.ts';
import { serverTarget } from './serverTarget.ts';

export const showLog: Command = {
  name: 'server.showLog',
  async run(app, target) {
    const server = await serverTarget(app, target);
    if (server !== undefined) app.logs.show(server.key, server.server.id);
  },
};
