import { t } from '../strings.ts';
import { copyText } from '../surfaces/copyText.ts';
import { tell } from '../surfaces/tell.ts';
import type { Command } from './command.ts';

export const copyAgentConfig: Command = {
  name: 'agents.copyConfig',
  async run(app) {
    await copyText(JSON.stringify(await app.agentConfig(), undefined, 2));
    void tell.info(
      t(
        'The agent configuration is on the clipboard: add it to the MCP servers of an agent. It holds no secret, and updates leave it as it is.',
      ),
    );
  },
};
