// The one way to a notification or a dialog. A notification makes links of `[text](command:…)` and may be read by anyone
// who looks at the screen: there, nothing of a server's is live and no secret is shown. A modal dialog shows plain text,
// and what a person decides by has to be exact.
import * as vscode from 'vscode';
import { knownSecrets } from './knownSecrets.ts';

export const tell = {
  /** Answers the button that was pressed, once one is. */
  info: (message: string, ...buttons: readonly string[]): Thenable<string | undefined> =>
    vscode.window.showInformationMessage(inert(message), ...buttons),

  warn: (message: string, ...buttons: readonly string[]): Thenable<string | undefined> =>
    vscode.window.showWarningMessage(inert(message), ...buttons),

  error: (message: string, ...buttons: readonly string[]): Thenable<string | undefined> =>
    vscode.window.showErrorMessage(inert(message), ...buttons),

  /** A question that blocks the window; the first button is what Enter presses. */
  ask: <T extends vscode.MessageItem>(
    message: string,
    detail: string,
    ...buttons: readonly T[]
  ): Thenable<T | undefined> => vscode.window.showWarningMessage(message, { modal: true, detail }, ...buttons),
};

/** For every text that a notification shows. */
export function inert(text: string): string {
  return knownSecrets.text(text).replace(/\]\(/g, '] (');
}
