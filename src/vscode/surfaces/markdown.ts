import * as vscode from 'vscode';
import { knownSecrets } from './knownSecrets.ts';

/** The one way to rendered Markdown: no command link works in it, no HTML, and no secret that a server was lent is in it. */
export function markdown(text: string): vscode.MarkdownString {
  const result = new vscode.MarkdownString(knownSecrets.content(text));
  result.isTrusted = false;
  result.supportHtml = false;
  return result;
}
