// The one prompt for servers that wait (product TRUST-2 to TRUST-4): the whole command in a dialog, or in a read-only
// document where a dialog could hide a part. "Don't Run" is the default; closing the prompt approves nothing.
import * as vscode from 'vscode';
import { t } from '../strings.ts';
import { shownLine } from '../shownText.ts';
import type { ApprovalPrompt, ApprovalRequest } from '../../core/ports.ts';
import type { LaunchFingerprint } from '../../core/transport/launch.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { approvalText, documentText, fitsInDialog } from './approvalText.ts';

interface Choice extends vscode.QuickPickItem {
  readonly requests: readonly ApprovalRequest[];
}

export class ApprovalDialog implements ApprovalPrompt {
  readonly #documents: MemoryFiles;

  constructor(documents: MemoryFiles) {
    this.#documents = documents;
  }

  async ask(requests: readonly ApprovalRequest[], signal: AbortSignal): Promise<ReadonlySet<LaunchFingerprint>> {
    const [only, ...others] = requests;
    if (only === undefined || signal.aborted) return new Set();
    const approved = others.length === 0 ? await this.#askOne(only) : await this.#askMany(requests, signal);
    return new Set(isAborted(signal) ? [] : approved.map((request) => request.fingerprint));
  }

  async #askOne(request: ApprovalRequest): Promise<readonly ApprovalRequest[]> {
    const text = approvalText(request, t);
    if (!fitsInDialog(text)) return this.#askInDocument([request]);
    const run = t('Run');
    const answer = await modal(questionFor(request), text, [t('Don’t Run'), run]);
    return answer === run ? [request] : [];
  }

  /** Everything that would run stands in the one prompt: what is not shown cannot be approved with the rest. */
  async #askMany(requests: readonly ApprovalRequest[], signal: AbortSignal): Promise<readonly ApprovalRequest[]> {
    const text = requests.map((request) => `${request.id}\n${approvalText(request, t)}`).join('\n\n');
    if (!fitsInDialog(text)) return this.#askInDocument(requests);
    const [runAll, each] = [t('Run All'), t('Review Each')];
    const question = t('Run these {count} servers?', { count: requests.length });
    const answer = await modal(question, text, [t('Don’t Run'), runAll, each]);
    if (answer === runAll) return requests;
    if (answer !== each) return [];
    const approved: ApprovalRequest[] = [];
    for (const request of requests) {
      if (signal.aborted) break;
      approved.push(...(await this.#askOne(request)));
    }
    return approved;
  }

  /** Too long for a dialog: the document shows all of it, and the choice stays open above it while it is read. */
  async #askInDocument(requests: readonly ApprovalRequest[]): Promise<readonly ApprovalRequest[]> {
    const text = requests.map((request) => `${questionFor(request)}\n\n${approvalText(request, t)}`).join('\n\n');
    const uri = this.#documents.put(`/approval/${t('Servers to approve')}.txt`, documentText(`${text}\n`));
    await vscode.window.showTextDocument(uri, { preview: true });
    const all: Choice = { label: t('Run All'), requests };
    const each = requests.map((request): Choice => ({
      label: t('Run {server}', { server: request.id }),
      requests: [request],
    }));
    const choices: readonly Choice[] = [
      { label: t('Don’t Run'), requests: [] },
      ...(requests.length > 1 ? [all] : []),
      ...each,
    ];
    const picked = await vscode.window.showQuickPick(choices, {
      title: t('Read the document below, then choose'),
      ignoreFocusOut: true,
    });
    return picked?.requests ?? [];
  }
}

function questionFor({ id, scope }: ApprovalRequest): string {
  return scope.kind === 'user'
    ? t('Run your server “{server}”?', { server: id })
    : t('Run the server “{server}” that the folder “{folder}” defines?', {
        server: id,
        folder: shownLine(scope.name, 100),
      });
}

/** The first button is the one that Enter presses: it is always the refusal. */
async function modal(message: string, detail: string, buttons: readonly string[]): Promise<string | undefined> {
  const items = buttons.map((title) => ({ title }));
  const later: vscode.MessageItem = { title: t('Decide Later'), isCloseAffordance: true };
  const answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, ...items, later);
  return answer?.title;
}

/** Asked again after a wait: the compiler takes a property for unchanged. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
