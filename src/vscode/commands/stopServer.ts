import { actionOn } from '../views/serverFlags.ts';
import type { Command } from './command.ts';
import { serverTarget } from './serverTarget.ts';

export const stopServer: Command = {
  name: 'server.stop',
  async run(app, target) {
    const server = await serverTarget(app, target, (view) => actionOn(view) === 'running');
    if (server !== undefined) await app.manager.stop(server.key);
  },
};
