import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { t } from '../strings.ts';
import { backCommand, type QuestionPage, questionPage } from './questionPage.ts';

/** What the list of answers says of the page. */
export function pagePrompt(): string {
  return t('Read the page below (F6), then choose');
}

export interface Beside {
  /** What its tab says. */
  readonly name: string;
  readonly page: QuestionPage;
  /** They lie over its top. */
  readonly choices: readonly vscode.QuickPickItem[];
}

/**
 * Shows all that a question is about, for as long as the question takes. Where it cannot be shown, nobody is asked; that it
 * cannot be taken away changes no answer. The question keeps the focus.
 */
export async function besideQuestion<T>(beside: Beside, question: () => Promise<T>): Promise<T> {
  const panel = show(beside);
  try {
    return await question();
  } finally {
    takeAway(panel);
  }
}

function show({ name, page, choices }: Beside): vscode.WebviewPanel {
  const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: true };
  const panel = vscode.window.createWebviewPanel('roundhouse.question', name, place, {
    enableScripts: false,
    enableForms: false,
    enableCommandUris: [backCommand],
    enableFindWidget: true,
    localResourceRoots: [],
  });
  const frame = { nonce: randomBytes(24).toString('base64url'), language: vscode.env.language, room: roomFor(choices) };
  try {
    panel.webview.html = questionPage(page, frame, t);
  } catch (error) {
    takeAway(panel);
    throw error;
  }
  return panel;
}

/** The list as the editor draws it, in CSS pixels; it scrolls where that is too much. */
function roomFor(choices: readonly vscode.QuickPickItem[]): number {
  const rows = choices.reduce((sum, { detail }) => sum + (detail === undefined ? 22 : 44), 0);
  return 32 + Math.min(rows, 440);
}

function takeAway(panel: vscode.WebviewPanel): void {
  try {
    panel.dispose();
  } catch {
    // The person closed it, or the window is going: it is away.
  }
}
