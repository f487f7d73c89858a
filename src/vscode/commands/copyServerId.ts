import { copyText } from '../surfaces/copyText.ts';
import type { Command } from './command.ts';
import { serverTarget } from './serverTarget.ts';

export const copyServerId: Command = {
  name: 'server.copyId',
  async run(app, target) {
    const server = await serverTarget(app, target);
    if (server !== undefined) await copyText(server.server.id);
  },
};
