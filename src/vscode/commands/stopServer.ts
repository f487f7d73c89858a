import type { Command } from './command.ts';
import { isRunning } from './isRunning.ts';
import { serverTarget } from './serverTarget.ts';

export const stopServer: Command = {
  name: 'server.stop',
  async run(app, target) {
    const server = await serverTarget(app, target, isRunning);
    if (server !== undefined) await app.manager.stop(server.key);
  },
};
