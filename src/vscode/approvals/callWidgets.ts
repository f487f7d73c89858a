// The questions about calls on the screen (product POL-1): a list of answers with the refusal first. Arguments that do not
// fit into its lines are on a page below, closed with the question. A closed list is a no; one that another list of the
// editor's pushed away goes on waiting.
import * as vscode from 'vscode';
import type { ServerKey } from '../../core/config/model.ts';
import type { CallAnswer, CallConfirmation, CallPrompt } from '../../core/ports.ts';
import { shownName } from '../shownText.ts';
import { t } from '../strings.ts';
import { type AnswerItem, AnswerList } from './answerList.ts';
import { besideQuestion } from './besideQuestion.ts';
import { CallQueue, type CallWidgets, type GroupAnswer, type OpenQuestion } from './callQueue.ts';
import {
  argumentsLine,
  callerLine,
  callLines,
  callQuestion,
  changeLine,
  fitsInTitle,
  withoutChange,
} from './callText.ts';
import type { QuestionPage } from './questionPage.ts';

export interface CallWidgetsDeps {
  /** Shows what changed in the tools of a server; whether the person accepted it. */
  readonly review: (key: ServerKey, signal: AbortSignal) => Promise<boolean>;
}

/** Asks by these widgets, in one queue. */
export function callPrompt(deps: CallWidgetsDeps): CallPrompt {
  return new CallQueue(callWidgets(deps));
}

export function callWidgets({ review }: CallWidgetsDeps): CallWidgets {
  return {
    one: (call, onAccepted) => {
      let question = oneQuestion(call);
      let waiting = 0;
      const reviewing = new AbortController();
      const answer = async (): Promise<CallAnswer> => {
        for (;;) {
          const said = await question.ask();
          if (said !== 'review') return said;
          const accepted = await review(call.key, reviewing.signal);
          if (reviewing.signal.aborted) return 'deny';
          if (!accepted) continue;
          // What was accepted is how the tool is, and says nothing of this call.
          onAccepted();
          question = oneQuestion(withoutChange(call));
          question.tellWaiting(waiting);
        }
      };
      const close = (): void => {
        reviewing.abort();
        question.close();
      };
      const tellWaiting = (count: number): void => question.tellWaiting((waiting = count));
      return { answer: answer(), withdraw: close, tellWaiting, close };
    },
    several: (calls) => {
      const fits = calls.every((call) => argumentsLine(call, t) !== undefined && fitsInTitle(call, t));
      const title = t('{count} tool calls wait for you', { count: calls.length });
      const sections = calls.map((call) => ({ heading: callQuestion(call, t), lines: callLines(call, t) }));
      const question = new CallQuestion<GroupAnswer>({
        title,
        prompt: t('Choose a call to decide about it alone'),
        page: fits ? undefined : { title, sections },
        items: groupAnswers(calls),
      });
      return {
        answer: question.ask(),
        withdraw: (call) => question.remove(call),
        tellWaiting: (count) => question.tellWaiting(count),
        close: () => question.close(),
      } satisfies OpenQuestion<GroupAnswer>;
    },
  };
}

function oneQuestion(call: CallConfirmation): CallQuestion<CallAnswer | 'review'> {
  const title = callQuestion(call, t);
  const fits = argumentsLine(call, t) !== undefined && fitsInTitle(call, t);
  return new CallQuestion<CallAnswer | 'review'>({
    title,
    prompt: callerLine(call, t),
    page: fits ? undefined : { title, sections: [{ lines: callLines(call, t) }] },
    items: answersFor(call),
  });
}

interface CallQuestionOptions<Answer> {
  readonly title: string;
  readonly prompt: string;
  readonly page: QuestionPage | undefined;
  readonly items: readonly AnswerItem<Answer | 'deny'>[];
}

class CallQuestion<Answer> {
  readonly #options: CallQuestionOptions<Answer>;
  readonly #list: AnswerList<Answer | 'deny'>;

  constructor(options: CallQuestionOptions<Answer>) {
    this.#options = options;
    this.#list = new AnswerList<Answer | 'deny'>({
      ...options,
      closed: 'deny',
      waits: t('A tool call waits for your answer'),
    });
  }

  /** May be asked again once it was answered. */
  async ask(): Promise<Answer | 'deny'> {
    const { page, items } = this.#options;
    const ask = (): Promise<Answer | 'deny'> => this.#list.ask();
    if (page === undefined) return ask();
    return besideQuestion({ name: t('Call to confirm'), page, choices: items }, ask);
  }

  remove(answer: Answer): void {
    this.#list.remove(answer);
  }

  tellWaiting(count: number): void {
    const { title } = this.#options;
    const more =
      count === 1
        ? t('{question} (1 more waiting)', { question: title })
        : t('{question} ({count} more waiting)', { question: title, count });
    this.#list.retitle(count === 0 ? title : more);
  }

  close(): void {
    this.#list.close();
  }
}

function answersFor(call: CallConfirmation): readonly AnswerItem<CallAnswer | 'review'>[] {
  const { change, eachTime = false } = call;
  return [
    { label: t('Deny'), answer: 'deny' },
    ...(change === undefined
      ? []
      : [{ label: t('Review Changes'), detail: changeLine(change, t), answer: 'review' } as const]),
    { label: t('Allow Once'), detail: lineOf(call), answer: 'once' },
    // It is for as long as the window lives: what changed is looked at first, and some calls are asked about each time.
    ...(change === undefined && !eachTime
      ? [
          {
            label: t('Allow This Tool for This Window'),
            detail: t('Any arguments, until the tool changes'),
            answer: 'window',
          } as const,
        ]
      : []),
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
    { label: t('Review Each'), answer: 'each' },
    ...(calls.some(({ change }) => change !== undefined)
      ? []
      : [{ label: t('Allow All Once'), answer: 'once' } as const]),
    { label: t('The calls'), kind: vscode.QuickPickItemKind.Separator },
    ...lines,
  ];
}

function lineOf(call: CallConfirmation): string {
  return argumentsLine(call, t) ?? t('Arguments: on the page below (F6)');
}
