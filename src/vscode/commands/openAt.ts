import * as vscode from 'vscode';
import type { FilePosition } from '../../core/config/model.ts';

/** Opens a file in an editor, with the cursor at a place. */
export async function openAt(file: string, position: FilePosition | undefined): Promise<void> {
  const cursor = new vscode.Position((position?.line ?? 1) - 1, (position?.column ?? 1) - 1);
  const selection = new vscode.Range(cursor, cursor);
  await vscode.window.showTextDocument(vscode.Uri.file(file), position === undefined ? {} : { selection });
}
