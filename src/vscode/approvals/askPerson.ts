// The two forms of a question whose answer lets something run. The refusal comes first, so that Enter presses it, and a
// closed question is no answer. Both end with `signal`: a pick list is closed then; a dialog cannot be, so whoever
// answers it late is told that the question was over.
import type * as vscode from 'vscode';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { AnswerList } from './answerList.ts';

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

/** The first choice is the refusal. Undefined for a closed list. */
export async function askInList<T extends vscode.QuickPickItem>(
  choices: readonly T[],
  { title, prompt }: { readonly title: string; readonly prompt: string },
  signal: AbortSignal,
): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  const items = choices.map((answer) => ({ ...answer, answer }));
  const list = new AnswerList<T | undefined>({ title, prompt, items, closed: undefined });
  const close = (): void => list.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    return await list.ask();
  } finally {
    signal.removeEventListener('abort', close);
  }
}
