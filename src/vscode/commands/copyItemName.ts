import { copyText } from '../surfaces/copyText.ts';
import { keyOf } from '../views/treeModel.ts';
import type { Command } from './command.ts';
import { itemTarget } from './itemTarget.ts';

/** Copies a tool's or prompt's name, or a resource's URI, exactly as the server knows it. */
export const copyItemName: Command = {
  name: 'item.copyName',
  async run(app, target) {
    const found = await itemTarget(app, target, ['tools', 'resources', 'resourceTemplates', 'prompts']);
    if (found !== undefined) await copyText(keyOf(found.item));
  },
};
