// Opens a text in a read-only editor. The editor gives documents above a size to no extension and fails on opening
// them, so that is said beforehand.
import * as vscode from 'vscode';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { fitsInEditor } from './editorLimit.ts';

export async function openDocument(
  documents: MemoryFiles,
  path: string,
  text: string,
  options: vscode.TextDocumentShowOptions,
): Promise<void> {
  if (!fitsInEditor(text)) {
    const size = Math.ceil(text.length / (1024 * 1024));
    const message = t('This text is too large for an editor: {size} million characters.', { size });
    void tell.warn(message);
    return;
  }
  await vscode.window.showTextDocument(documents.put(path, text), options);
}
