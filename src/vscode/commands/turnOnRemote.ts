import { allowRemote } from '../approvals/allowRemote.ts';
import type { Command } from './command.ts';

/** Asks as adding a remote server does, with every host that is configured (TRUST-7). */
export const turnOnRemote: Command = {
  name: 'remote.turnOn',
  async run(app) {
    await allowRemote(app);
  },
};
