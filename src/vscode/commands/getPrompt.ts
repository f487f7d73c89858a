import { shownLine } from '../shownText.ts';
import { getPrompt as get, promptArguments } from '../../core/discovery/prompts.ts';
import { withProgress } from '../adapters/withProgress.ts';
import { askText } from '../input/ask.ts';
import { promptView } from '../results/promptView.ts';
import { t } from '../strings.ts';
import type { Command } from './command.ts';
import { completionOf } from './completionOf.ts';
import { itemTarget } from './itemTarget.ts';
import { liveServer, sourceOf } from './liveSource.ts';

/** Asks for a prompt's arguments, gets it and shows its messages. An optional argument left empty is not sent. */
export const getPrompt: Command = {
  name: 'prompt.get',
  async run(app, target) {
    const found = await itemTarget(app, target, ['prompts']);
    if (found === undefined || !('key' in found.item)) return;
    const { name } = found.item;
    const live = await liveServer(app, found.key);
    const values: Record<string, string> = {};
    const wanted = promptArguments(found.item);
    for (const [index, argument] of wanted.entries()) {
      const answer = await askText({
        title: shownLine(name, 100),
        prompt: promptFor(argument),
        step: { number: index + 1, of: wanted.length },
        check: (text) => (argument.required && text === '' ? t('This argument is required.') : undefined),
        ...completionOf(live, { kind: 'prompt', name }, argument.name, values),
      });
      if (answer?.kind !== 'given') return;
      if (argument.required || answer.value !== '') values[argument.name] = answer.value;
    }
    const begun = performance.now();
    const result = await withProgress(t('Getting {prompt}', { prompt: shownLine(name, 100) }), ({ signal }) =>
      get(sourceOf(live), name, values, { signal }),
    );
    const facts = { server: live.view.server.id, tool: shownLine(name), milliseconds: performance.now() - begun };
    (await app.results()).show(found.key, `prompt ${name}`, promptView(result, facts, t), result);
  },
};

function promptFor({ name, description, required }: ReturnType<typeof promptArguments>[number]): string {
  const label = required ? shownLine(name, 100) : t('{name} (optional)', { name: shownLine(name, 100) });
  return description === undefined ? label : `${label}: ${shownLine(description, 300)}`;
}
