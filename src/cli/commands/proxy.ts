// `proxy`: the stdio server that an agent starts, attached to a window of VS Code or by itself (GATE-5).
import { exitCodes } from '../exitCodes.ts';
import type { Command } from '../host.ts';
import { parseProxyOptions } from '../options.ts';
import { runAttached } from '../proxy/runAttached.ts';

export const proxyCommand: Command = {
  run: async (argv, host) => {
    const options = parseProxyOptions(argv, host);
    if (options === 'help') {
      const { commandHelp } = await import('../help.ts');
      host.out(commandHelp('proxy'));
      return exitCodes.ok;
    }
    if (options.kind === 'attached') return runAttached(options.workspace, host);
    const { runStandAlone } = await import('../proxy/standAlone.ts');
    return runStandAlone(options.options, host);
  },
};
