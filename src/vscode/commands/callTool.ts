import { askArguments } from '../input/askArguments.ts';
import { draftArguments } from '../input/argumentFields.ts';
import type { Command } from './command.ts';
import { itemTarget } from './itemTarget.ts';
import { rememberedKey, runTool } from './runTool.ts';

export const callTool: Command = {
  name: 'tool.call',
  async run(app, target) {
    const found = await itemTarget(app, target, ['tools']);
    if (found === undefined || !('hash' in found.item)) return;
    const { name, hash, raw } = found.item;
    const remembered = app.remembered.get(rememberedKey(found.key, name));
    const answer = await askArguments(name, raw['inputSchema'], remembered);
    if (answer === undefined) return;
    const tool = { key: found.key, tool: name, hash };
    if (answer.kind === 'given') {
      await runTool(app, { ...tool, generation: found.generation }, answer.value);
    } else {
      const server = app.model.server(found.key)?.server.id ?? '';
      await app.drafts.open(tool, server, draftArguments(raw['inputSchema'], remembered));
    }
  },
};
