// Shows what changed in the tools of a server, and asks whether that is accepted (product POL-2). Closing the question
// changes nothing: the tools go on being asked about.
import type { ServerKey } from '../../core/config/model.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import { t } from '../strings.ts';
import { askInList } from './askPerson.ts';
import { besideQuestion, pagePrompt } from './besideQuestion.ts';
import { changeText } from './changeText.ts';

export interface ReviewDeps {
  readonly manager: Pick<ServerManager, 'tools' | 'view'>;
}

/** Whether everything that changed is accepted now; undefined where nothing had changed. */
export async function reviewTools(
  { manager }: ReviewDeps,
  key: ServerKey,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const changes = await manager.tools.changes(key);
  if (changes.length === 0) return undefined;
  const server = manager.view().servers.find((view) => view.key === key)?.server.id ?? '';
  const { sections, shown } = changeText(changes, t);
  const title = t('Tools of “{server}”: before and now', { server });
  const keep = { label: t('Keep Asking'), detail: t('Asked before each call') };
  const accept = { label: t('Accept'), detail: acceptLine(shown.length, changes.length) };
  const choices = [keep, accept];
  const beside = { name: title, page: { title, sections }, choices };
  const question = (): Promise<typeof keep | undefined> => askInList(choices, { title, prompt: pagePrompt() }, signal);
  if ((await besideQuestion(beside, question)) !== accept) return false;
  manager.tools.accept(
    key,
    shown.map(({ tool }) => tool),
  );
  return shown.length === changes.length;
}

function acceptLine(shown: number, all: number): string {
  if (shown < all) return t('The {shown} tools shown of {count} that changed.', { shown, count: all });
  return all === 1
    ? t('This tool runs as your rules say from now on.')
    : t('These tools run as your rules say from now on.');
}
