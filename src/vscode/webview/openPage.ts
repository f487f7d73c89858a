// Opens one of our pages beside the person's editors, with nothing in it: what it shows, it gets as data.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { pageHtml } from './pageHtml.ts';

/** `name` is that of its script and style in dist/webview. */
export function openPage(extensionUri: vscode.Uri, name: 'result' | 'calls', title: string): vscode.WebviewPanel {
  const root = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: false };
  const panel = vscode.window.createWebviewPanel(`roundhouse.${name}`, title, place, {
    enableScripts: true,
    localResourceRoots: [root],
  });
  const media = vscode.Uri.joinPath(extensionUri, 'media');
  panel.iconPath = {
    light: vscode.Uri.joinPath(media, 'roundhouse-light.svg'),
    dark: vscode.Uri.joinPath(media, 'roundhouse-dark.svg'),
  };
  panel.webview.html = pageHtml({
    nonce: randomBytes(24).toString('base64url'),
    cspSource: panel.webview.cspSource,
    script: panel.webview.asWebviewUri(vscode.Uri.joinPath(root, `${name}.js`)).toString(),
    style: panel.webview.asWebviewUri(vscode.Uri.joinPath(root, `${name}.css`)).toString(),
    language: vscode.env.language,
    title,
  });
  return panel;
}
