import type { Command } from './command.ts';
import { openAt } from './openAt.ts';
import { serverTarget } from './serverTarget.ts';

export const editServer: Command = {
  name: 'server.edit',
  async run(app, target) {
    const server = await serverTarget(app, target);
    if (server !== undefined) await openAt(server.server.file, server.server.position);
  },
};
