// The one question of taking over: which of the found servers, with what that changes in each file shown behind it, always
// as the choice stands. One answer is one decision, about exactly what is shown; closing it does nothing. What is typed only
// hides servers of the list, and the editor keeps hidden ones chosen: nothing is done before all of them were in sight.
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

/** What was shown of the choice, never an empty one; undefined for a closed question. `picked` are chosen at first. Fails where nothing could be shown. */
export async function chooseFound(
  servers: readonly FoundServer[],
  picked: readonly FoundServer[],
  comparison: TakeOverComparison,
): Promise<TakeOverPreview | undefined> {
  await comparison.prepare(servers).catch(() => undefined);
  await comparison.update(picked);
  const pick = vscode.window.createQuickPick<FoundItem>();
  pick.title = titleFor(picked);
  pick.placeholder = t('Choose what moves here, then OK; the changes are below (F6)');
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
        const now = items.map(({ found }) => found);
        pick.title = titleFor(now);
        // Where it cannot be made anew the last one stays on the screen, and accepting says why.
        comparison.update(now).catch(() => undefined);
      });
      pick.onDidAccept(() => {
        if (chosen().length === 0) return;
        if (pick.value !== '') {
          pick.value = '';
          pick.title = t('{choice} – OK again to take over', { choice: titleFor(chosen()) });
          return;
        }
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

/** The button of the list has no words of ours. */
function titleFor(chosen: readonly FoundServer[]): string {
  if (chosen.length === 0) return t('Take Over Servers: none is chosen');
  const names = chosen.map(({ name }) => shownLine(name, 100)).join(', ');
  return t('Take Over Servers ({count}): {names}', { count: chosen.length, names });
}

function detailOf({ places, conversion }: FoundServer): string {
  const notes = conversion.kind === 'entry' ? conversion.notes.map((note) => noteText(note, t)) : [];
  return [...places.map((place) => fateText(place, fateOf(place), t)), ...notes].join(' · ');
}
