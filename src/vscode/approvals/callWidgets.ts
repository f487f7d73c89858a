// The questions about calls on the screen (product POL-1): a list of answers with the refusal first, which typing does not
// filter: what somebody types as it pops up is no answer. Arguments that do not fit into its lines are in a read-only
// document below, closed with the question. A closed list is a no.
import * as vscode from 'vscode';
import { deferred } from '../../base/deferred.ts';
import type { ServerKey } from '../../core/config/model.ts';
import type { CallAnswer, CallConfirmation, CallPrompt } from '../../core/ports.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { shownName } from '../shownText.ts';
import { t } from '../strings.ts';
import { withDocument } from './askPerson.ts';
import { CallQueue, type CallWidgets, type GroupAnswer, type OpenQuestion } from './callQueue.ts';
import { argumentsLine, callerLine, callQuestion, callText, changeLine, fitsInTitle } from './callText.ts';

export interface CallWidgetsDeps {
  readonly documents: MemoryFiles;
  /** Shows what changed in the tools of a server; whether the person accepted it. */
  readonly review: (key: ServerKey, signal: AbortSignal) => Promise<boolean>;
}

/** Asks by these widgets, in one queue. */
export function callPrompt(deps: CallWidgetsDeps): CallPrompt {
  return new CallQueue(callWidgets(deps));
}

export function callWidgets({ documents, review }: CallWidgetsDeps): CallWidgets {
  return {
    one: (call) => {
      const list = new AnswerList<CallAnswer | 'review'>(documents, {
        title: callQuestion(call, t),
        prompt: callerLine(call, t),
        document: argumentsLine(call, t) === undefined || !fitsInTitle(call, t) ? callText(call, t) : undefined,
        items: answersFor(call),
        closed: 'deny',
      });
      const reviewing = new AbortController();
      const answer = async (): Promise<CallAnswer> => {
        for (;;) {
          const said = await list.ask();
          if (said !== 'review') return said;
          if (await review(call.key, reviewing.signal)) return 'accept';
          if (reviewing.signal.aborted) return 'deny';
        }
      };
      const close = (): void => {
        reviewing.abort();
        list.close();
      };
      return { answer: answer(), withdraw: close, tellWaiting: (count) => list.tellWaiting(count), close };
    },
    several: (calls) => {
      const fits = calls.every((call) => argumentsLine(call, t) !== undefined && fitsInTitle(call, t));
      const list = new AnswerList<GroupAnswer>(documents, {
        title: t('{count} tool calls wait for you', { count: calls.length }),
        prompt: t('Choose a call to decide about it alone'),
        document: fits ? undefined : calls.map((call) => callText(call, t)).join('\n\n'),
        items: groupAnswers(calls),
        closed: 'deny',
      });
      return {
        answer: list.ask(),
        withdraw: (call) => list.remove(call),
        tellWaiting: (count) => list.tellWaiting(count),
        close: () => list.close(),
      } satisfies OpenQuestion<GroupAnswer>;
    },
  };
}

interface AnswerItem<Answer> extends vscode.QuickPickItem {
  readonly answer?: Answer;
}

interface AnswerListOptions<Answer> {
  readonly title: string;
  readonly prompt: string;
  /** Shown below; its first lines leave room for the list. */
  readonly document: string | undefined;
  /** The first one is what Enter chooses. */
  readonly items: readonly AnswerItem<Answer>[];
  /** What a closed list means. */
  readonly closed: Answer;
}

class AnswerList<Answer> {
  readonly #documents: MemoryFiles;
  readonly #options: AnswerListOptions<Answer>;
  #items: readonly AnswerItem<Answer>[];
  #waiting = 0;
  #pick: vscode.QuickPick<AnswerItem<Answer>> | undefined;
  #closed = false;

  constructor(documents: MemoryFiles, options: AnswerListOptions<Answer>) {
    this.#documents = documents;
    this.#options = options;
    this.#items = options.items;
  }

  /** May be asked again once it was answered. */
  async ask(): Promise<Answer> {
    const { document: text, closed } = this.#options;
    const choose = async (): Promise<Answer> => (this.#closed ? closed : await this.#choose());
    if (text === undefined) return choose();
    return withDocument(this.#documents, { name: t('Call to confirm'), text, choices: this.#items.length }, choose);
  }

  remove(answer: Answer): void {
    this.#items = this.#items.filter((item) => item.answer !== answer);
    if (this.#pick === undefined) return;
    this.#pick.keepScrollPosition = true;
    this.#pick.items = this.#items;
  }

  tellWaiting(count: number): void {
    this.#waiting = count;
    if (this.#pick !== undefined) this.#pick.title = this.#title();
  }

  close(): void {
    this.#closed = true;
    this.#pick?.hide();
  }

  #title(): string {
    const { title } = this.#options;
    if (this.#waiting === 0) return title;
    return this.#waiting === 1
      ? t('{question} (1 more waits)', { question: title })
      : t('{question} ({count} more wait)', { question: title, count: this.#waiting });
  }

  #choose(): Promise<Answer> {
    const pick = vscode.window.createQuickPick<AnswerItem<Answer>>();
    const chosen = deferred<Answer>();
    this.#pick = pick;
    pick.title = this.#title();
    pick.placeholder = this.#options.prompt;
    pick.ignoreFocusOut = true;
    pick.items = this.#items;
    pick.onDidChangeValue((value) => {
      if (value !== '') pick.value = '';
    });
    pick.onDidAccept(() => {
      const answer = pick.selectedItems[0]?.answer;
      if (answer === undefined) return;
      chosen.resolve(answer);
      pick.hide();
    });
    pick.onDidHide(() => {
      this.#pick = undefined;
      chosen.resolve(this.#options.closed);
      pick.dispose();
    });
    pick.show();
    return chosen.promise;
  }
}

function answersFor(call: CallConfirmation): readonly AnswerItem<CallAnswer | 'review'>[] {
  const { change } = call;
  return [
    { label: t('Deny'), answer: 'deny' },
    {
      label: t('Allow Once'),
      detail: argumentsLine(call, t) ?? t('The arguments are in the document below.'),
      answer: 'once',
    },
    {
      label: t('Allow This Tool for This Window'),
      detail: t('Whatever the arguments, until the tool changes.'),
      answer: 'window',
    },
    ...(change === undefined
      ? []
      : [{ label: t('Review Changes'), detail: changeLine(change, t), answer: 'review' } as const]),
  ];
}

function groupAnswers(calls: readonly CallConfirmation[]): readonly AnswerItem<GroupAnswer>[] {
  const lines = calls.map((call) => ({
    label: shownName(call.tool, 60),
    description: t('on “{server}” · {caller}', { server: call.server, caller: shownName(call.caller.name, 100) }),
    detail: [call.change === undefined ? undefined : changeLine(call.change, t), lineOf(call)]
      .filter((part) => part !== undefined)
      .join(' '),
    answer: call,
  }));
  return [
    { label: t('Deny All'), answer: 'deny' },
    { label: t('Allow All Once'), answer: 'once' },
    { label: t('Review Each'), answer: 'each' },
    { label: t('The calls'), kind: vscode.QuickPickItemKind.Separator },
    ...lines,
  ];
}

function lineOf(call: CallConfirmation): string {
  return argumentsLine(call, t) ?? t('The arguments are in the document below.');
}
