// The two forms of a question whose answer lets something run. The refusal comes first, so that Enter presses it, and a
// closed question is no answer. Both end with `signal`: a pick list is closed then; a dialog cannot be, so whoever
// answers it late is told that the question was over.
import * as vscode from 'vscode';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { closedByAbort } from '../input/closedByAbort.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { documentText } from './approvalText.ts';

export interface DialogQuestion<K extends string> {
  readonly message: string;
  readonly detail: string;
  readonly refuse: string;
  /** Buttons that let something run, by what they stand for. */
  readonly allow: Readonly<Record<K, string>>;
  /** The button that closes the dialog. */
  readonly close: string;
}

interface Button<K> extends vscode.MessageItem {
  readonly choice?: K | 'refuse';
}

/** Undefined for a closed dialog, and for an answer that came too late. */
export async function askInDialog<K extends string>(
  question: DialogQuestion<K>,
  signal: AbortSignal,
): Promise<K | 'refuse' | undefined> {
  const { message, detail, refuse, allow, close } = question;
  const allowed = (Object.keys(allow) as K[]).map((choice): Button<K> => ({ title: allow[choice], choice }));
  const closing: Button<K> = { title: close, isCloseAffordance: true };
  const buttons: readonly Button<K>[] = [{ title: refuse, choice: 'refuse' }, ...allowed, closing];
  const choice = (await tell.ask(message, detail, ...buttons))?.choice;
  if (!signal.aborted) return choice;
  if (choice === undefined || choice === 'refuse') return undefined;
  void tell.warn(
    t('Nothing was run: the question “{question}” was over before you answered it.', { question: message }),
  );
  return undefined;
}

/** The choice stays open above what is read meanwhile. Undefined for a closed one. */
export function askInList<T extends vscode.QuickPickItem>(
  choices: readonly T[],
  options: Pick<vscode.QuickPickOptions, 'title' | 'placeHolder'>,
  signal: AbortSignal,
): Promise<T | undefined> {
  return closedByAbort(signal, (token) =>
    vscode.window.showQuickPick(choices, { ...options, ignoreFocusOut: true }, token),
  );
}

/** The same above a document that shows all that the question is about; it goes away with the question. */
export async function askBeside<T extends vscode.QuickPickItem>(
  documents: MemoryFiles,
  { path, text }: { readonly path: string; readonly text: string },
  choices: readonly T[],
  options: Pick<vscode.QuickPickOptions, 'title' | 'placeHolder'>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const uri = documents.putExact(path, documentText(text, choices.length));
  await vscode.window.showTextDocument(uri, { preview: true });
  try {
    return await askInList(choices, options, signal);
  } finally {
    await closeTabsOf(uri);
  }
}

export async function closeTabsOf(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.filter(({ input }) => input instanceof vscode.TabInputText && String(input.uri) === String(uri));
  if (shown.length > 0) await vscode.window.tabGroups.close(shown, true);
}
