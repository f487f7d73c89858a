import * as vscode from 'vscode';
import { schemes } from '../contributions.ts';

/** Closes what the editor brought back of our read-only documents, which lived in the memory of the window before. */
export async function closeLostDocuments(): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const lost = tabs.filter(({ input }) => uriOf(input)?.scheme === schemes.readOnly);
  if (lost.length > 0) await vscode.window.tabGroups.close(lost, true);
}

/** Of a text, of a comparison, or of an image, which the editor shows in an editor of its own kind. */
function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
}
