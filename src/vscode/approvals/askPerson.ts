// The two forms of a question whose answer lets something run. The refusal comes first, so that Enter presses it, and a
// closed question is no answer. Both end with `signal`: a pick list is closed then; a dialog cannot be, so whoever
// answers it late is told that the question was over.
import * as vscode from 'vscode';
import { closedByAbort } from '../input/closedByAbort.ts';
import { t } from '../strings.ts';

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
  readonly choice?: K;
}

/** Undefined for the refusal, a closed dialog, and an answer that came too late. */
export async function askInDialog<K extends string>(
  question: DialogQuestion<K>,
  signal: AbortSignal,
): Promise<K | undefined> {
  const { message, detail, refuse, allow, close } = question;
  const allowed = (Object.keys(allow) as K[]).map((choice): Button<K> => ({ title: allow[choice], choice }));
  const closing: Button<K> = { title: close, isCloseAffordance: true };
  const buttons: readonly Button<K>[] = [{ title: refuse }, ...allowed, closing];
  const choice = (await vscode.window.showWarningMessage(message, { modal: true, detail }, ...buttons))?.choice;
  if (choice === undefined || !signal.aborted) return choice;
  void vscode.window.showWarningMessage(
    t('Nothing was run: the question “{question}” was over before you answered it.', { question: message }),
  );
  return undefined;
}

/** The choice stays open above the document that shows what it is about, while that is read. */
export function askInList<T extends vscode.QuickPickItem>(
  choices: readonly T[],
  options: Pick<vscode.QuickPickOptions, 'title' | 'placeHolder'>,
  signal: AbortSignal,
): Promise<T | undefined> {
  return closedByAbort(signal, (token) =>
    vscode.window.showQuickPick(choices, { ...options, ignoreFocusOut: true }, token),
  );
}
