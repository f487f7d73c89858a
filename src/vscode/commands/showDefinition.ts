import { fileName } from '../fileName.ts';
import { openDocument } from '../results/openDocument.ts';
import { serverJsonEnding } from '../results/resourceDocument.ts';
import type { Command } from './command.ts';
import { itemTarget } from './itemTarget.ts';

/** A tool's definition as the server sent it. */
export const showDefinition: Command = {
  name: 'tool.showDefinition',
  async run(app, target) {
    const found = await itemTarget(app, target, ['tools']);
    if (found === undefined) return;
    const server = app.model.server(found.key)?.server.id ?? '';
    const text = `${JSON.stringify(found.item.raw, null, 2)}\n`;
    const path = `/definition/${server}/${fileName(found.item.name)}.${serverJsonEnding}`;
    await openDocument(app.documents, path, text, { preview: true });
  },
};
