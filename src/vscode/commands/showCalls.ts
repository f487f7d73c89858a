import type { Command } from './command.ts';
import { namedServer } from './serverTarget.ts';

/** All recent calls, or, on a server, its own. */
export const showCalls: Command = {
  name: 'calls.show',
  async run(app, target) {
    await app.showCalls(namedServer(app, target)?.server);
  },
};
