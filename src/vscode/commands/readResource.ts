import { shownLine } from '../shownText.ts';
import { readResource as read } from '../../core/discovery/resources.ts';
import { expandTemplate, templateVariables } from '../../core/discovery/uriTemplate.ts';
import { withProgress } from '../adapters/withProgress.ts';
import type { App } from '../app.ts';
import { askText } from '../input/ask.ts';
import { openContents } from '../results/openContents.ts';
import { t } from '../strings.ts';
import { keyOf } from '../views/treeModel.ts';
import type { Command } from './command.ts';
import { completionOf } from './completionOf.ts';
import type { ItemTarget } from './itemOfNode.ts';
import { itemTarget } from './itemTarget.ts';
import { liveServer, sourceOf } from './liveSource.ts';

/** Reads a resource, or one made from a template, and opens it in a read-only editor. */
export const readResource: Command = {
  name: 'resource.read',
  async run(app, target) {
    const found = await itemTarget(app, target, ['resources', 'resourceTemplates']);
    if (found === undefined) return;
    const uri = found.offer === 'resources' ? keyOf(found.item) : await askForUri(app, found);
    if (uri !== undefined) await readAndOpen(app, found.key, uri);
  },
};

export async function readAndOpen(app: App, key: ItemTarget['key'], uri: string): Promise<void> {
  const title = t('Reading {uri}', { uri: shownLine(uri, 100) });
  const { result, server } = await withProgress(title, async ({ signal }) => {
    const live = await app.manager.use(key, { signal });
    return { result: await read(sourceOf(live), uri, { signal }), server: live.view.server.id };
  });
  await openContents(app.documents, server, uri, result);
}

async function askForUri(app: App, { key, item }: ItemTarget): Promise<string | undefined> {
  const template = keyOf(item);
  const live = await liveServer(app, key);
  const names = templateVariables(template);
  const values: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const answer = await askText({
      title: shownLine(item.name, 100),
      prompt: t('{name} of {template}', { name: shownLine(name, 100), template: shownLine(template, 200) }),
      step: { number: index + 1, of: names.length },
      ...completionOf(live, { kind: 'resource', uriTemplate: template }, name, values),
    });
    if (answer?.kind !== 'given') return undefined;
    values[name] = answer.value;
  }
  return expandTemplate(template, values);
}
