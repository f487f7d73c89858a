// Calls of modern clients to legacy servers that ask something (GATE-3): the question goes back as `input_required`, the
// call stays open at the server, and the client's next request, which brings the answer, goes on with it. Promises: the
// state says nothing of itself, serves once, only for the request that it was given for, and not for ever; a call that
// nobody comes back for is cancelled, and so is one whose client is away while its server asks something that could be of it
// or of another.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { type Deferred, deferred } from '../base/deferred.ts';
import type { Disposable } from '../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import { ManagerError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { AskClient } from './clientAsker.ts';
import { RpcFailure } from './outcomes.ts';
import type { Outcome } from './reply.ts';

/** The HTTP request that a call is answered in right now. */
export interface Leg {
  readonly signal: AbortSignal;
  readonly onProgress: ((params: JsonObject) => void) | undefined;
  readonly onLog: ((params: JsonObject) => void) | undefined;
}

export interface CallRun {
  readonly signal: AbortSignal;
  readonly ask: AskClient;
  readonly onProgress: (params: JsonObject) => void;
  readonly onLog: (params: JsonObject) => void;
  /** Ends the call where its client has been away for some time, with a question that it has not answered. */
  readonly giveWay: () => boolean;
}

interface Question {
  readonly request: JsonObject;
  readonly answer: Deferred<JsonObject>;
}

interface Pending {
  /** What the request asks for, as text: another request cannot take its state. */
  readonly about: string;
  readonly ended: AbortController;
  readonly questions: Map<string, Question>;
  readonly outcome: Promise<Outcome>;
  /** Resolved at the next question. */
  asked: Deferred<undefined>;
  leg: Leg;
  count: number;
  /** While its client has what was asked and has not come back. */
  away?: { readonly state: string; readonly since: number } | undefined;
}

export class PendingCalls implements Disposable {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, { readonly pending: Pending; readonly expiry: Disposable }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Answers with the outcome, or with what the server asks first. `about` names method, target and arguments. */
  start(about: string, leg: Leg, run: (call: CallRun) => Promise<Outcome>): Promise<Outcome> {
    const ended = new AbortController();
    const questions = new Map<string, Question>();
    const ask: AskClient = (method, params, signal) => this.#ask(pending, { method, params }, signal);
    const onProgress = (params: JsonObject): void => pending.leg.onProgress?.(params);
    const onLog = (params: JsonObject): void => pending.leg.onLog?.(params);
    const outcome = Promise.resolve().then(() =>
      run({ signal: ended.signal, ask, onProgress, onLog, giveWay: () => this.#giveWay(pending) }),
    );
    const pending: Pending = { about, ended, questions, outcome, asked: deferred(), leg, count: 0 };
    // Whoever waits for it hears of it; nothing is asked any more.
    void outcome.then(
      () => questions.clear(),
      () => questions.clear(),
    );
    return this.#next(pending, leg);
  }

  /** Goes on with a call: `responses` answers what it asked. Fails with an RpcFailure where there is none of this state. */
  resume(state: string, about: string, responses: JsonObject, leg: Leg): Promise<Outcome> {
    const waiting = this.#waiting.get(state);
    if (waiting?.pending.about !== about) {
      throw new RpcFailure(
        -32602,
        'Invalid params: this requestState is unknown, was used, or belongs to another request.',
      );
    }
    const { pending, expiry } = waiting;
    this.#waiting.delete(state);
    expiry.dispose();
    pending.away = undefined;
    pending.leg = leg;
    for (const [name, question] of pending.questions) {
      const answer = responses[name];
      if (!isJsonObject(answer)) continue;
      pending.questions.delete(name);
      question.answer.resolve(answer);
    }
    return this.#next(pending, leg);
  }

  /** Every call that waits for its client is cancelled. */
  dispose(): void {
    for (const { pending, expiry } of this.#waiting.values()) {
      expiry.dispose();
      pending.ended.abort();
    }
    this.#waiting.clear();
  }

  #giveWay({ away, ended }: Pending): boolean {
    if (away === undefined || this.#clock.now() - away.since < limits.gateway.away) return false;
    this.#waiting.get(away.state)?.expiry.dispose();
    this.#waiting.delete(away.state);
    ended.abort();
    return true;
  }

  async #ask(pending: Pending, request: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    if ((pending.count += 1) > limits.gateway.rounds) throw new RpcFailure(-32000, 'Too many questions');
    const name = `question-${pending.count}`;
    const answer = deferred<JsonObject>();
    const takenBack = (): void => {
      pending.questions.delete(name);
      answer.reject(new ManagerError('cancelled', {}, { outcome: 'unknown' }));
    };
    pending.questions.set(name, { request, answer });
    signal.addEventListener('abort', takenBack, { once: true });
    pending.asked.resolve(undefined);
    try {
      return await answer.promise;
    } finally {
      signal.removeEventListener('abort', takenBack);
    }
  }

  /** The outcome, or the questions that are open now. */
  async #next(pending: Pending, { signal }: Leg): Promise<Outcome> {
    const giveUp = (): void => pending.ended.abort();
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    try {
      // Until something is asked and not taken back.
      while (pending.questions.size === 0) {
        pending.asked = deferred();
        const outcome = await Promise.race([pending.outcome, pending.asked.promise]);
        if (outcome !== undefined) return outcome;
        if (await this.#gather(pending)) return await pending.outcome;
      }
      return this.#leave(pending);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** What a call asks at once goes to its client at once. True where the call ended meanwhile. */
  #gather({ outcome }: Pending): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = this.#clock.after(limits.gateway.gather, () => resolve(false));
      const over = (): void => {
        timer.dispose();
        resolve(true);
      };
      outcome.then(over, over);
    });
  }

  #leave(pending: Pending): Outcome {
    if (this.#waiting.size >= limits.gateway.pendingCalls) {
      pending.ended.abort();
      throw new RpcFailure(-32000, 'Too many calls wait for an answer.');
    }
    const state = randomBytes(24).toString('base64url');
    const expiry = this.#clock.after(limits.gateway.pendingAnswer, () => {
      this.#waiting.delete(state);
      pending.ended.abort();
    });
    this.#waiting.set(state, { pending, expiry });
    pending.away = { state, since: this.#clock.now() };
    const inputRequests = Object.fromEntries([...pending.questions].map(([name, { request }]) => [name, request]));
    return {
      kind: 'value',
      era: 'modern',
      result: { resultType: 'input_required', inputRequests, requestState: state },
    };
  }
}
