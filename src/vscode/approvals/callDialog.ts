// Asks before a call whose policy says `ask` (product POL-1): server, tool, caller and the full arguments. The default
// is the refusal; an abort or a closed dialog is one too.
import * as vscode from 'vscode';
import { t } from '../strings.ts';
import { shownName } from '../shownText.ts';
import type { CallConfirmation, CallPrompt } from '../../core/ports.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { documentText, exactJson, fitsInDialog } from './approvalText.ts';
import { askInDialog, askInList } from './askPerson.ts';

export class CallDialog implements CallPrompt {
  readonly #documents: MemoryFiles;

  constructor(documents: MemoryFiles) {
    this.#documents = documents;
  }

  async confirm(call: CallConfirmation, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const tool = shownName(call.tool);
    const question = t('Call {tool} on “{server}”?', { tool, server: call.server });
    const detail = [
      t('Asked by: {caller}', { caller: shownName(call.caller.name, 100) }),
      t('Arguments:'),
      exactJson(call.args),
    ].join('\n');
    const allowed = fitsInDialog(detail)
      ? await this.#inDialog(question, detail, signal)
      : await this.#inDocument(question, detail, signal);
    return allowed && !isAborted(signal);
  }

  async #inDialog(message: string, detail: string, signal: AbortSignal): Promise<boolean> {
    const words = { refuse: t('Deny'), allow: { once: t('Allow Once') }, close: t('Cancel') };
    return (await askInDialog({ message, detail, ...words }, signal)) === 'once';
  }

  async #inDocument(question: string, detail: string, signal: AbortSignal): Promise<boolean> {
    const uri = this.#documents.put(`/call/${t('Call to confirm')}.txt`, documentText(`${question}\n\n${detail}\n`, 2));
    await vscode.window.showTextDocument(uri, { preview: true });
    const allow = { label: t('Allow Once') };
    const words = { title: question, placeHolder: t('Read the document below, then choose') };
    return (await askInList([{ label: t('Deny') }, allow], words, signal)) === allow;
  }
}

/** Asked again after a wait: the compiler takes a property for unchanged. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
