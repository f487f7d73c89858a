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

/** A document beside a question: all that it is about. */
export interface Beside {
  /** What its tab says. */
  readonly name: string;
  readonly text: string;
  /** How many choices lie over its first lines. */
  readonly choices: number;
}

/**
 * Shows the document for as long as `question` takes. Its address is its own: an editor that is still closing would show
 * another question's text under an old one.
 */
export async function withDocument<T>(
  documents: MemoryFiles,
  { name, text, choices }: Beside,
  question: () => Promise<T>,
): Promise<T> {
  const uri = documents.putExact(`/question/${(shownDocuments += 1)}/${name}.txt`, documentText(`${text}\n`, choices));
  await vscode.window.showTextDocument(uri, { preview: true });
  try {
    return await question();
  } finally {
    await closeTabsOf(uri);
    documents.delete(uri);
  }
}

let shownDocuments = 0;

async function closeTabsOf(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.filter(({ input }) => input instanceof vscode.TabInputText && String(input.uri) === String(uri));
  if (shown.length > 0) await vscode.window.tabGroups.close(shown, true);
}
