// Asks before a call whose policy says `ask` (product POL-1): server, tool, caller and the full arguments. The default
// is the refusal; an abort or a closed dialog is one too.
import * as vscode from 'vscode';
import { t } from '../strings.ts';
import { shownLine } from '../shownText.ts';
import type { CallConfirmation, CallPrompt } from '../../core/ports.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { documentText, exactJson, fitsInDialog } from './approvalText.ts';

export class CallDialog implements CallPrompt {
  readonly #documents: MemoryFiles;

  constructor(documents: MemoryFiles) {
    this.#documents = documents;
  }

  async confirm(call: CallConfirmation, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const tool = shownLine(call.tool, 256);
    const question = t('Call {tool} on “{server}”?', { tool, server: call.server });
    const detail = [
      t('Asked by: {caller}', { caller: shownLine(call.caller.name, 100) }),
      t('Arguments:'),
      exactJson(call.args),
    ].join('\n');
    const allowed = fitsInDialog(detail) ? await inDialog(question, detail) : await this.#inDocument(question, detail);
    return allowed && !aborted(signal);
  }

  async #inDocument(question: string, detail: string): Promise<boolean> {
    const uri = this.#documents.put(`/call/${t('Call to confirm')}.txt`, documentText(`${question}\n\n${detail}\n`));
    await vscode.window.showTextDocument(uri, { preview: true });
    const allow = t('Allow Once');
    const options = { title: question, placeHolder: t('Read the document below, then choose'), ignoreFocusOut: true };
    return (await vscode.window.showQuickPick([t('Deny'), allow], options)) === allow;
  }
}

async function inDialog(question: string, detail: string): Promise<boolean> {
  const deny: vscode.MessageItem = { title: t('Deny') };
  const allow: vscode.MessageItem = { title: t('Allow Once') };
  const close: vscode.MessageItem = { title: t('Cancel'), isCloseAffordance: true };
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, deny, allow, close)) === allow;
}

function aborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
