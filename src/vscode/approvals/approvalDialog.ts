// The one prompt for servers that wait (product TRUST-2 to TRUST-4): the whole command in a dialog, or in a read-only
// document where a dialog could hide a part. "Don't Run" is the default; closing the prompt decides nothing.
import type * as vscode from 'vscode';
import { t } from '../strings.ts';
import { shownName } from '../shownText.ts';
import type { ApprovalAnswer, ApprovalPrompt, ApprovalRequest } from '../../core/ports.ts';
import type { LaunchFingerprint } from '../../core/transport/launch.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { approvalText, fitsInDialog, groupText } from './approvalText.ts';
import { askInDialog, askInList, withDocument } from './askPerson.ts';

interface Choice extends vscode.QuickPickItem {
  readonly answer: Answer | undefined;
}

/** `each`: one question after the other. */
type Answer = ApprovalAnswer | 'each';
type Answers = ReadonlyMap<LaunchFingerprint, ApprovalAnswer>;

export class ApprovalDialog implements ApprovalPrompt {
  readonly #documents: MemoryFiles;

  constructor(documents: MemoryFiles) {
    this.#documents = documents;
  }

  async ask(requests: readonly ApprovalRequest[], signal: AbortSignal): Promise<Answers> {
    const [only, ...others] = requests;
    if (only === undefined || signal.aborted) return new Map();
    const answer = others.length === 0 ? await this.#askOne(only, signal) : await this.#askMany(requests, signal);
    if (answer === undefined) return new Map();
    const answers =
      answer === 'each'
        ? await this.#askEach(requests, signal)
        : new Map(requests.map(({ fingerprint }) => [fingerprint, answer]));
    return isAborted(signal) ? new Map() : answers;
  }

  async #askOne(request: ApprovalRequest, signal: AbortSignal, place = ''): Promise<ApprovalAnswer | undefined> {
    const remember = request.scope.kind === 'user' ? t('Remember') : t('Remember for This Workspace');
    const allow = { once: t('Run Once'), remember };
    return this.#put({ message: questionFor(request) + place, detail: approvalText(request, t), allow }, signal);
  }

  async #askMany(requests: readonly ApprovalRequest[], signal: AbortSignal): Promise<Answer | undefined> {
    const message = t('Run these {count} servers?', { count: requests.length });
    const allow = { once: t('Run All Once'), remember: t('Remember All'), each: t('Review Each') };
    return this.#put({ message, detail: groupText(requests, t), allow }, signal);
  }

  /** Whoever puts one off puts off those behind it: they go on waiting. */
  async #askEach(requests: readonly ApprovalRequest[], signal: AbortSignal): Promise<Answers> {
    const answers = new Map<LaunchFingerprint, ApprovalAnswer>();
    for (const [index, request] of requests.entries()) {
      const place = ` ${t('({number} of {count})', { number: index + 1, count: requests.length })}`;
      const answer = await this.#askOne(request, signal, place);
      if (answer === undefined) break;
      answers.set(request.fingerprint, answer);
    }
    return answers;
  }

  /** Too long for a dialog: a document shows all of it, beside the list of answers. */
  async #put<K extends Answer>(
    { message, detail, allow }: { message: string; detail: string; allow: Readonly<Record<K, string>> },
    signal: AbortSignal,
  ): Promise<K | 'refuse' | undefined> {
    const words = { refuse: t('Don’t Run'), close: t('Decide Later') };
    if (fitsInDialog(detail)) return askInDialog({ message, detail, allow, ...words }, signal);
    const allowed = (Object.keys(allow) as K[]).map((answer) => ({ label: allow[answer], answer }));
    const choices = [
      { label: words.refuse, answer: 'refuse' as const },
      ...allowed,
      { label: words.close, answer: undefined },
    ] satisfies readonly Choice[];
    const document = { name: t('Servers to approve'), text: `${message}\n\n${detail}`, choices: choices.length };
    const list = { title: message, placeHolder: t('Read the document below, then choose') };
    return (await withDocument(this.#documents, document, () => askInList(choices, list, signal)))?.answer;
  }
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
