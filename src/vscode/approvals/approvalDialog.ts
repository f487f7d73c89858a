// The one prompt for servers that wait (product TRUST-2 to TRUST-4): the whole command in a dialog, or in a read-only
// document where a dialog could hide a part. "Don't Run" is the default; closing the prompt approves nothing.
import * as vscode from 'vscode';
import { t } from '../strings.ts';
import { shownName } from '../shownText.ts';
import type { ApprovalPrompt, ApprovalRequest } from '../../core/ports.ts';
import type { LaunchFingerprint } from '../../core/transport/launch.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { approvalText, documentText, fitsInDialog } from './approvalText.ts';
import { askInDialog, askInList } from './askPerson.ts';

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
    const approved = others.length === 0 ? await this.#askOne(only, signal) : await this.#askMany(requests, signal);
    return new Set(isAborted(signal) ? [] : approved.map((request) => request.fingerprint));
  }

  async #askOne(request: ApprovalRequest, signal: AbortSignal): Promise<readonly ApprovalRequest[]> {
    const detail = approvalText(request, t);
    if (!fitsInDialog(detail)) return this.#askInDocument([request], signal);
    const question = { message: questionFor(request), detail, allow: { run: t('Run') }, ...refusals() };
    return (await askInDialog(question, signal)) === 'run' ? [request] : [];
  }

  /** Everything that would run stands in the one prompt: what is not shown cannot be approved with the rest. */
  async #askMany(requests: readonly ApprovalRequest[], signal: AbortSignal): Promise<readonly ApprovalRequest[]> {
    const detail = requests.map((request) => `${request.id}\n${approvalText(request, t)}`).join('\n\n');
    if (!fitsInDialog(detail)) return this.#askInDocument(requests, signal);
    const message = t('Run these {count} servers?', { count: requests.length });
    const allow = { all: t('Run All'), each: t('Review Each') };
    const answer = await askInDialog({ message, detail, allow, ...refusals() }, signal);
    if (answer === 'all') return requests;
    const approved: ApprovalRequest[] = [];
    for (const request of answer === 'each' ? requests : []) {
      if (signal.aborted) break;
      approved.push(...(await this.#askOne(request, signal)));
    }
    return approved;
  }

  /** Too long for a dialog: the document shows all of it. */
  async #askInDocument(requests: readonly ApprovalRequest[], signal: AbortSignal): Promise<readonly ApprovalRequest[]> {
    const text = requests.map((request) => `${questionFor(request)}\n\n${approvalText(request, t)}`).join('\n\n');
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
    const shown = documentText(`${text}\n`, choices.length);
    const uri = this.#documents.put(`/approval/${t('Servers to approve')}.txt`, shown);
    await vscode.window.showTextDocument(uri, { preview: true });
    const picked = await askInList(choices, { title: t('Read the document below, then choose') }, signal);
    return picked?.requests ?? [];
  }
}

function refusals(): { readonly refuse: string; readonly close: string } {
  return { refuse: t('Don’t Run'), close: t('Decide Later') };
}

function questionFor({ id, scope }: ApprovalRequest): string {
  return scope.kind === 'user'
    ? t('Run your server “{server}”?', { server: id })
    : t('Run the server “{server}” that the folder “{folder}” defines?', {
        server: id,
        folder: shownName(scope.name),
      });
}

/** Asked again after a wait: the compiler takes a property for unchanged. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
