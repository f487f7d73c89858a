// Shows what changed in the tools of a server, in the editor's own comparison, and asks whether that is accepted (product
// POL-2). Closing the question changes nothing: the tools go on being asked about.
import * as vscode from 'vscode';
import type { ServerKey } from '../../core/config/model.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { t } from '../strings.ts';
import { askInList } from './askPerson.ts';
import { changeTexts } from './changeText.ts';

export interface ReviewDeps {
  readonly manager: Pick<ServerManager, 'tools' | 'view'>;
  readonly documents: MemoryFiles;
}

/** Whether everything that changed is accepted now; undefined where nothing had changed. */
export async function reviewTools(
  { manager, documents }: ReviewDeps,
  key: ServerKey,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const changes = await manager.tools.changes(key);
  if (changes.length === 0) return undefined;
  const server = manager.view().servers.find((view) => view.key === key)?.server.id ?? '';
  const { before, after, shown } = changeTexts(changes, t, { choices: 2 });
  const folder = `/changes/${server}/${(reviews += 1)}`;
  const old = documents.put(`${folder}/${t('before')}.txt`, before);
  const now = documents.put(`${folder}/${t('now')}.txt`, after);
  const title = t('Tools of “{server}”: before and now', { server });
  await vscode.commands.executeCommand('vscode.diff', old, now, title, { preview: true });
  try {
    const accept = { label: t('Accept'), detail: countLine(shown.length, changes.length) };
    const keep = { label: t('Keep Asking'), detail: t('You are asked before each call of these tools.') };
    const words = { title, placeHolder: t('Read the difference below, then choose') };
    if ((await askInList([keep, accept], words, signal)) !== accept) return false;
    manager.tools.accept(
      key,
      shown.map(({ tool }) => tool),
    );
    return shown.length === changes.length;
  } finally {
    await closeComparison(now);
    documents.delete(old);
    documents.delete(now);
  }
}

let reviews = 0;

async function closeComparison(now: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && String(input.modified) === String(now),
  );
  if (shown.length > 0) await vscode.window.tabGroups.close(shown, true);
}

function countLine(shown: number, all: number): string {
  if (shown < all) return t('The {shown} tools shown of {count} that changed.', { shown, count: all });
  return all === 1 ? t('1 tool changed.') : t('{count} tools changed.', { count: all });
}
