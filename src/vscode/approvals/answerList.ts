// A list of answers, one of which may let something run: the refusal is first, and typing chooses nothing. The editor
// filters by what is typed, and Enter takes what is left of the list, before anything that we do about it arrives: so only
// what was chosen from the whole list counts. A closed list is the answer `closed`.
import * as vscode from 'vscode';
import { type Deferred, deferred } from '../../base/deferred.ts';
import { commandId, contextKeys } from '../contributions.ts';
import { t } from '../strings.ts';
import { openQuestions } from './openQuestions.ts';

export interface AnswerItem<Answer> extends vscode.QuickPickItem {
  /** A separator has none. */
  readonly answer?: Answer;
}

export interface AnswerListOptions<Answer> {
  readonly title: string;
  readonly prompt: string;
  /** The first one is the refusal, and what Enter chooses. */
  readonly items: readonly AnswerItem<Answer>[];
  readonly closed: Answer;
  /**
   * What the status bar says while the list waits behind it: then a list that another one of the editor's pushed away was
   * not answered. Without it, it was closed.
   */
  readonly waits?: string;
}

type Pick<Answer> = vscode.QuickPick<AnswerItem<Answer>>;

export class AnswerList<Answer> {
  readonly #options: AnswerListOptions<Answer>;
  #items: readonly AnswerItem<Answer>[];
  #title: string;
  #pick: Pick<Answer> | undefined;
  #answer: Deferred<Answer> | undefined;
  #reminder: vscode.StatusBarItem | undefined;
  #closed = false;

  constructor(options: AnswerListOptions<Answer>) {
    this.#options = options;
    this.#items = options.items;
    this.#title = options.title;
  }

  /** May be asked again once it was answered. */
  async ask(): Promise<Answer> {
    if (this.#closed) return this.#options.closed;
    const answer = (this.#answer = deferred<Answer>());
    this.show();
    try {
      return await answer.promise;
    } finally {
      this.#leave();
    }
  }

  /** Nothing else in it moves to where something else was. */
  remove(answer: Answer): void {
    this.#items = this.#items.filter((item) => item.answer !== answer);
    if (this.#pick === undefined) return;
    this.#pick.keepScrollPosition = true;
    this.#pick.items = this.#items;
  }

  retitle(title: string): void {
    this.#title = title;
    if (this.#pick !== undefined) this.#pick.title = title;
  }

  close(): void {
    this.#closed = true;
    this.#answer?.resolve(this.#options.closed);
  }

  /** Also again, where it was pushed away. */
  show(): void {
    if (this.#pick !== undefined || this.#answer === undefined) return;
    this.#forgetReminder();
    const pick: Pick<Answer> = vscode.window.createQuickPick<AnswerItem<Answer>>();
    this.#pick = pick;
    pick.title = this.#title;
    pick.placeholder = this.#options.prompt;
    pick.ignoreFocusOut = true;
    pick.items = this.#items;
    this.#listen(pick);
    openQuestions.shown = this;
    setDeciding(true);
    pick.show();
  }

  /** What the editor tells comes in the order in which it happened there. */
  #listen(pick: Pick<Answer>): void {
    let typed = false;
    let chosen: AnswerItem<Answer> | undefined;
    pick.onDidChangeValue((value) => {
      typed = value !== '';
      chosen = undefined;
      if (typed) pick.value = '';
    });
    pick.onDidChangeSelection(([item]) => (chosen = typed && item !== this.#items[0] ? undefined : item));
    pick.onDidAccept(() => {
      if (chosen !== undefined && 'answer' in chosen) this.#answer?.resolve(chosen.answer);
      // What stays selected could not be clicked.
      else pick.selectedItems = [];
    });
    pick.onDidHide(() => {
      if (this.#pick === pick) this.#onHidden();
    });
  }

  #onHidden(): void {
    this.#removePick();
    if (this.#options.waits === undefined) this.#answer?.resolve(this.#options.closed);
    else this.#remind(this.#options.waits);
  }

  #remind(text: string): void {
    openQuestions.pushedAway.add(this);
    const item = vscode.window.createStatusBarItem('roundhouse.question', vscode.StatusBarAlignment.Left, 1);
    this.#reminder = item;
    item.name = text;
    item.text = `$(question) ${text}`;
    item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    const whole = t('{waits}: {question} Press this to see the question again and answer it.', {
      waits: text,
      question: this.#title,
    });
    item.tooltip = whole;
    item.accessibilityInformation = { label: whole };
    item.command = commandId('question.show');
    item.show();
  }

  #forgetReminder(): void {
    openQuestions.pushedAway.delete(this);
    this.#reminder?.dispose();
    this.#reminder = undefined;
  }

  #removePick(): void {
    const pick = this.#pick;
    this.#pick = undefined;
    if (openQuestions.shown === this) {
      openQuestions.shown = undefined;
      setDeciding(false);
    }
    pick?.dispose();
  }

  #leave(): void {
    this.#answer = undefined;
    this.#forgetReminder();
    this.#removePick();
  }
}

function setDeciding(deciding: boolean): void {
  void vscode.commands.executeCommand('setContext', contextKeys.deciding, deciding);
}
