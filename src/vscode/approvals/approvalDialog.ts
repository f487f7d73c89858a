// The one prompt for servers that wait (product TRUST-2 to TRUST-4): the whole command in a dialog, or on a page where a
// dialog could hide a part. "Don't Run" is the default; closing the prompt decides nothing.
import type * as vscode from 'vscode';
import { t } from '../strings.ts';
import { shownName } from '../shownText.ts';
import type { ApprovalAnswer, ApprovalPrompt, ApprovalRequest } from '../../core/ports.ts';
import type { LaunchFingerprint } from '../../core/transport/launch.ts';
import { approvalText, type ApprovalSection, fitsInDialog, groupSections, textOf } from './approvalText.ts';
import { askInDialog, askInList } from './askPerson.ts';
import { besideQuestion, pagePrompt } from './besideQuestion.ts';

interface Choice extends vscode.QuickPickItem {
  readonly answer: Answer | undefined;
}

/** `each`: one question after the other. */
type Answer = ApprovalAnswer | 'each';
type Answers = ReadonlyMap<LaunchFingerprint, ApprovalAnswer>;

export class ApprovalDialog implements ApprovalPrompt {
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
    const allow = { once: t('Run Once'), remember: t('Remember') };
    const sections = [{ lines: [...approvalText(request, t).split('\n'), rememberLine([request])] }];
    return this.#put({ message: questionFor(request) + place, sections, allow, isOne: true }, signal);
  }

  async #askMany(requests: readonly ApprovalRequest[], signal: AbortSignal): Promise<Answer | undefined> {
    const message = t('Run these {count} servers?', { count: requests.length });
    const allow = { once: t('Run All Once'), remember: t('Remember All'), each: t('Review Each') };
    const sections = [...groupSections(requests, t), { lines: [rememberLine(requests)] }];
    return this.#put({ message, sections, allow, isOne: false }, signal);
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

  /** Too long for a dialog: a page shows all of it, beside the list of answers. */
  async #put<K extends Answer>(
    { message, sections, allow, isOne }: Put<K>,
    signal: AbortSignal,
  ): Promise<K | 'refuse' | undefined> {
    const words = { refuse: t('Don’t Run'), close: t('Decide Later') };
    const detail = textOf(sections);
    if (fitsInDialog(detail)) return askInDialog({ message, detail, allow, ...words }, signal);
    const allowed = (Object.keys(allow) as K[]).map((answer) => ({
      label: allow[answer],
      description: meaningOf(answer, isOne),
      answer,
    }));
    const choices = [
      { label: words.refuse, description: meaningOf('refuse', isOne), answer: 'refuse' as const },
      ...allowed,
      { label: words.close, description: isOne ? t('it keeps waiting') : t('they keep waiting'), answer: undefined },
    ] satisfies readonly Choice[];
    const beside = { name: t('Servers to approve'), page: { title: message, sections }, choices };
    const list = { title: message, prompt: pagePrompt() };
    return (await besideQuestion(beside, () => askInList(choices, list, signal)))?.answer;
  }
}

interface Put<K extends Answer> {
  readonly message: string;
  readonly sections: readonly ApprovalSection[];
  readonly allow: Readonly<Record<K, string>>;
  /** Server that it is about. */
  readonly isOne: boolean;
}

function meaningOf(answer: Answer, isOne: boolean): string {
  switch (answer) {
    case 'once':
      return t('until this window closes');
    case 'remember':
      return isOne ? t('until it changes') : t('each until it changes');
    case 'each':
      return t('one question each');
    case 'refuse':
      return isOne ? t('not asked again until it changes') : t('none is asked about again until it changes');
  }
}

/** Where it holds: the button has no room to say it. */
function rememberLine(requests: readonly ApprovalRequest[]): string {
  const isEverywhere = requests.every(({ scope }) => scope.kind === 'user');
  if (requests.length === 1)
    return isEverywhere
      ? t('“Remember” holds until it changes.')
      : t('“Remember” holds in this workspace until it changes.');
  return isEverywhere
    ? t('“Remember All”: each until it changes.')
    : t('“Remember All”: each in this workspace until it changes.');
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
