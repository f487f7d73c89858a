// The one question of taking over: which of the found servers, with what that changes in each file shown behind it, always
// as the choice stands. One answer is one decision, about exactly what is shown; closing it does nothing.
import * as vscode from 'vscode';
import type { FoundServer } from '../../core/found/foundView.ts';
import type { TakeOverPreview } from '../../core/found/previewTakeOver.ts';
import { fateOf } from '../../core/found/fateOf.ts';
import { shownLine } from '../shownText.ts';
import { t } from '../strings.ts';
import { clientNames, fateText, noteText, targetText } from './foundText.ts';
import type { TakeOverComparison } from './takeOverComparison.ts';

interface FoundItem extends vscode.QuickPickItem {
  readonly found: FoundServer;
}

/** What was shown of the choice; undefined for a closed question. `picked` are chosen at first. Fails where nothing could be shown. */
export async function chooseFound(
  servers: readonly FoundServer[],
  picked: readonly FoundServer[],
  comparison: TakeOverComparison,
): Promise<TakeOverPreview | undefined> {
  await comparison.update(picked);
  const pick = vscode.window.createQuickPick<FoundItem>();
  pick.title = t('Take Over Servers');
  pick.placeholder = t('Choose what moves here; the changes are below');
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.items = servers.map((found) => ({
    label: shownLine(found.name, 100),
    description: `${clientNames(found)} · ${targetText(found)}`,
    detail: detailOf(found),
    found,
  }));
  pick.selectedItems = pick.items.filter(({ found }) => picked.includes(found));
  try {
    return await new Promise((resolve, reject) => {
      const chosen = (): readonly FoundServer[] => pick.selectedItems.map(({ found }) => found);
      pick.onDidChangeSelection((items) => {
        // Where it cannot be made anew the last one stays on the screen, and accepting says why.
        comparison.update(items.map(({ found }) => found)).catch(() => undefined);
      });
      pick.onDidAccept(() => {
        pick.busy = true;
        pick.enabled = false;
        comparison.accepted(chosen()).then(resolve, reject);
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
    await comparison.close();
  }
}

function detailOf({ places, conversion }: FoundServer): string {
  const notes = conversion.kind === 'entry' ? conversion.notes.map((note) => noteText(note, t)) : [];
  return [...places.map((place) => fateText(place, fateOf(place), t)), ...notes].join(' · ');
}
