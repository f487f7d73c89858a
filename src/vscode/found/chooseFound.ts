// The one question of taking over: which of the found servers, with what that changes in each file shown behind it, always
// as the choice stands. One answer is one decision; closing it does nothing.
import * as vscode from 'vscode';
import type { FoundServer } from '../../core/found/foundView.ts';
import { fateOf } from '../../core/found/fateOf.ts';
import { shownLine } from '../shownText.ts';
import { t } from '../strings.ts';
import { clientNames, fateText, noteText, targetText } from './foundText.ts';
import type { TakeOverComparison } from './takeOverComparison.ts';

interface FoundItem extends vscode.QuickPickItem {
  readonly found: FoundServer;
}

/** Undefined for a closed question; `picked` are chosen at first. */
export async function chooseFound(
  servers: readonly FoundServer[],
  picked: readonly FoundServer[],
  comparison: TakeOverComparison,
): Promise<readonly FoundServer[] | undefined> {
  await comparison.show(picked);
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
    return await new Promise((resolve) => {
      pick.onDidChangeSelection((items) => {
        // Where it cannot be made anew the last one stays: what is done is checked against the files in any case.
        comparison.update(items.map(({ found }) => found)).catch(() => undefined);
      });
      pick.onDidAccept(() => resolve(pick.selectedItems.map(({ found }) => found)));
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
