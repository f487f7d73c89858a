// Which question about calls is put to the person, and when (product POL-1): one at a time, several that wait in one.
// Promises: an answer covers the calls that its question showed, and no other; a call that nobody waits for any more is
// taken out of its question, and its question goes with the last one; whatever fails is a no. Pure but for its callers.
import type { CallAnswer, CallConfirmation, CallPrompt } from '../../core/ports.ts';
import { withoutChange } from './callText.ts';

/** A question that is on the screen. */
export interface OpenQuestion<Answer> {
  readonly answer: Promise<Answer>;
  /** Takes these out of it, where it shows several; nothing else in it moves to where something else was. */
  withdraw(call: CallConfirmation): void;
  /** How many calls wait behind it. */
  tellWaiting(count: number): void;
  /** Takes the whole question away. */
  close(): void;
}

/** `each`: one question after the other; a call: this one first. */
export type GroupAnswer = 'deny' | 'once' | 'each' | CallConfirmation;

export interface CallWidgets {
  /** `onAccepted`: the person accepted what changed in the tools of this server, and is asked about the call itself. */
  one(call: CallConfirmation, onAccepted: () => void): OpenQuestion<CallAnswer>;
  several(calls: readonly CallConfirmation[]): OpenQuestion<GroupAnswer>;
}

interface Waiting {
  call: CallConfirmation;
  readonly answer: (answer: CallAnswer) => void;
}

export class CallQueue implements CallPrompt {
  readonly #widgets: CallWidgets;
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  /** Those that the person wants to see one by one. */
  #single: readonly Waiting[] = [];
  /** From the choice of a question until its answer was taken. */
  #asking = false;
  #open: { readonly shown: readonly Waiting[]; readonly question: OpenQuestion<unknown> } | undefined;

  constructor(widgets: CallWidgets) {
    this.#widgets = widgets;
  }

  confirm(call: CallConfirmation, signal: AbortSignal): Promise<CallAnswer> {
    if (signal.aborted) return Promise.resolve('deny');
    return new Promise((resolve) => {
      const waiting: Waiting = {
        call,
        answer: (answer) => {
          signal.removeEventListener('abort', withdraw);
          this.#waiting.delete(waiting);
          resolve(answer);
        },
      };
      const withdraw = (): void => {
        waiting.answer('deny');
        this.#withdraw(waiting);
      };
      signal.addEventListener('abort', withdraw, { once: true });
      this.#waiting.add(waiting);
      this.#next();
      this.#tell();
    });
  }

  #withdraw(waiting: Waiting): void {
    if (this.#open?.shown.includes(waiting) === true) {
      const { shown, question } = this.#open;
      if (shown.some((other) => this.#waiting.has(other))) question.withdraw(waiting.call);
      else question.close();
    }
    this.#tell();
  }

  /** Puts the next question, unless one is open. */
  #next(): void {
    if (this.#asking) return;
    const [single] = (this.#single = this.#single.filter((waiting) => this.#waiting.has(waiting)));
    const [first, ...others] = single === undefined ? [...this.#waiting] : [single];
    if (first === undefined) return;
    this.#asking = true;
    void (others.length === 0 ? this.#askOne(first) : this.#askSeveral([first, ...others]));
  }

  async #askOne(waiting: Waiting): Promise<void> {
    const { call } = waiting;
    const open = (): OpenQuestion<CallAnswer> => this.#widgets.one(call, () => this.#forgetChanges(call));
    const answer = await this.#put<CallAnswer>([waiting], open, 'deny');
    if (this.#waiting.has(waiting)) waiting.answer(answer);
    this.#end();
  }

  /** The definitions of a server are accepted once for all calls that wait because of them; these go on waiting. */
  #forgetChanges({ key }: CallConfirmation): void {
    for (const other of this.#waiting) {
      if (other.call.key === key) other.call = withoutChange(other.call);
    }
  }

  async #askSeveral(shown: readonly Waiting[]): Promise<void> {
    const calls = shown.map(({ call }) => call);
    const answer = await this.#put<GroupAnswer>(shown, () => this.#widgets.several(calls), 'deny');
    const left = shown.filter((waiting) => this.#waiting.has(waiting));
    if (answer === 'deny' || answer === 'once') for (const waiting of left) waiting.answer(answer);
    else if (answer === 'each') this.#single = left;
    else this.#single = left.filter(({ call }) => call === answer);
    this.#end();
  }

  async #put<Answer>(shown: readonly Waiting[], open: () => OpenQuestion<Answer>, failed: Answer): Promise<Answer> {
    try {
      const question = open();
      this.#open = { shown, question };
      this.#tell();
      return await question.answer;
    } catch {
      return failed;
    }
  }

  #end(): void {
    this.#open = undefined;
    this.#asking = false;
    this.#next();
    this.#tell();
  }

  #tell(): void {
    if (this.#open === undefined) return;
    const { shown, question } = this.#open;
    question.tellWaiting([...this.#waiting].filter((waiting) => !shown.includes(waiting)).length);
  }
}
