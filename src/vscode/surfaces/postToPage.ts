import type * as vscode from 'vscode';
import { knownSecrets } from './knownSecrets.ts';

/** The one way to a page: it gets data, and no secret that a server was lent. */
export function postToPage(webview: vscode.Webview, message: object): void {
  void webview.postMessage(knownSecrets.content(message));
}
