// Small questions in the editor's own quick input. Each answers undefined when the person leaves it, and carries one
// button that leads to the JSON editor where the caller offers it.
import * as vscode from 'vscode';
import { shownLine } from '../shownText.ts';
import { t } from '../strings.ts';

export interface Question {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  /** Position in a row of questions, counted from 1. */
  readonly step?: { readonly number: number; readonly of: number };
  /** Undefined when the answer is fine, else why it is not. */
  readonly check?: (answer: string) => string | undefined;
  /** Values that the server suggests for what was typed so far. */
  readonly suggest?: (typed: string, signal: AbortSignal) => Promise<readonly string[]>;
  readonly offerJson?: boolean;
}

export type Answer<T> = { readonly kind: 'given'; readonly value: T } | { readonly kind: 'json' } | undefined;

/** A line of text; an empty one is an answer. */
export function askText(question: Question): Promise<Answer<string>> {
  if (question.suggest !== undefined) return askWithSuggestions(question, question.suggest);
  const box = vscode.window.createInputBox();
  prepare(box, question);
  box.prompt = question.prompt;
  box.value = question.value ?? '';
  box.validationMessage = undefined;
  return new Promise((resolve) => {
    const wrong = (): string | undefined => question.check?.(box.value);
    box.onDidChangeValue(() => (box.validationMessage = wrong()));
    box.onDidAccept(() => {
      box.validationMessage = wrong();
      if (box.validationMessage === undefined) finish(box, resolve, { kind: 'given', value: box.value });
    });
    box.onDidTriggerButton(() => finish(box, resolve, { kind: 'json' }));
    box.onDidHide(() => finish(box, resolve, undefined));
    box.show();
  });
}

export interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** One of several values. */
export function askChoice<T>(question: Question, choices: readonly Choice<T>[]): Promise<Answer<T>> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  prepare(pick, question);
  pick.placeholder = question.prompt;
  pick.items = choices;
  const before = choices.filter(({ picked }) => picked === true);
  if (before.length > 0) pick.activeItems = before.slice(0, 1);
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen !== undefined) finish(pick, resolve, { kind: 'given', value: chosen.value });
    });
    pick.onDidTriggerButton(() => finish(pick, resolve, { kind: 'json' }));
    pick.onDidHide(() => finish(pick, resolve, undefined));
    pick.show();
  });
}

/** Any number of values; none is an answer too. */
export function askChoices<T>(question: Question, choices: readonly Choice<T>[]): Promise<Answer<readonly T[]>> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  prepare(pick, question);
  pick.canSelectMany = true;
  pick.placeholder = question.prompt;
  pick.items = choices;
  pick.selectedItems = choices.filter(({ picked }) => picked === true);
  return new Promise((resolve) => {
    pick.onDidAccept(() =>
      finish(pick, resolve, { kind: 'given', value: pick.selectedItems.map(({ value }) => value) }),
    );
    pick.onDidTriggerButton(() => finish(pick, resolve, { kind: 'json' }));
    pick.onDidHide(() => finish(pick, resolve, undefined));
    pick.show();
  });
}

/** What was typed is always the first choice, so a suggestion is never forced on anyone; nothing is one where it may be. */
function askWithSuggestions(question: Question, suggest: NonNullable<Question['suggest']>): Promise<Answer<string>> {
  const pick = vscode.window.createQuickPick<Choice<string>>();
  prepare(pick, question);
  pick.placeholder = question.prompt;
  pick.value = question.value ?? '';
  let asked = new AbortController();
  const update = (): void => {
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    const typed = pick.value;
    // An empty answer that the check refuses is no choice: the suggestions alone are.
    const own = typed === '' && question.check?.(typed) !== undefined ? [] : [asTyped(typed)];
    pick.items = own;
    pick.busy = true;
    suggest(typed, signal)
      .then((values) => {
        if (signal.aborted) return;
        const others = values
          .filter((value) => value !== typed)
          .map((value) => ({ label: shownLine(value, 200), alwaysShow: true, value }));
        pick.items = [...own, ...others];
      })
      .catch(() => undefined) // Suggestions are a help; without them the text is typed.
      .finally(() => {
        if (!signal.aborted) pick.busy = false;
      });
  };
  return new Promise((resolve) => {
    const end = (answer: Answer<string>): void => {
      asked.abort();
      finish(pick, resolve, answer);
    };
    pick.onDidChangeValue(update);
    pick.onDidAccept(() => {
      const value = pick.selectedItems[0]?.value ?? pick.value;
      const wrong = question.check?.(value);
      if (wrong === undefined) end({ kind: 'given', value });
      else pick.placeholder = `${question.prompt} ${wrong}`;
    });
    pick.onDidTriggerButton(() => end({ kind: 'json' }));
    pick.onDidHide(() => end(undefined));
    update();
    pick.show();
  });
}

function asTyped(value: string): Choice<string> {
  return { label: value, description: t('as typed'), alwaysShow: true, value };
}

function prepare(input: vscode.QuickInput & { buttons: readonly vscode.QuickInputButton[] }, question: Question): void {
  input.title = question.title;
  input.step = question.step?.number;
  input.totalSteps = question.step?.of;
  input.ignoreFocusOut = true;
  if (question.offerJson === true) {
    input.buttons = [{ iconPath: new vscode.ThemeIcon('json'), tooltip: t('Edit as JSON') }];
  }
}

/** Resolves before it hides, so that the hiding is not taken for a cancellation. */
function finish<T>(input: vscode.QuickInput, resolve: (value: T) => void, answer: T): void {
  resolve(answer);
  input.dispose();
}
