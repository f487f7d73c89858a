import * as vscode from 'vscode';
import { viewId } from '../contributions.ts';

/** Closes what was shown beside a question. Where no editor is left to take the keyboard, the tree takes it. */
export async function closeTabs(tabs: readonly vscode.Tab[]): Promise<void> {
  if (tabs.length === 0) return;
  // The person may have closed them, or the window is going.
  await Promise.resolve(vscode.window.tabGroups.close(tabs, true)).catch(() => undefined);
  if (vscode.window.tabGroups.activeTabGroup.activeTab === undefined)
    await vscode.commands.executeCommand(`${viewId}.focus`);
}
