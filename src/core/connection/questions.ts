// Answers what a legacy server asks of us while connected (elicitation, sampling, roots), raw in both directions.
// Promises: while a person is asked, the time of every call of this connection stands still (CONN-6), since the wire
// does not say which call a question belongs to; a remote server never learns a folder (CONN-14).
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { limits } from '../limits.ts';
import type { ServerRequestHandlers } from './liveClient.ts';
import type { RequestDeadline } from './requestDeadline.ts';

/** An error answer, in the form that the SDK's client puts on the wire. */
class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export class Questions implements Disposable {
  readonly #handlers: ServerRequestHandlers;
  readonly #local: boolean;
  readonly #deadlines = new Set<RequestDeadline>();
  readonly #stopped = new AbortController();
  #open = 0;

  /** `local`: the server is a process on this machine. */
  constructor(handlers: ServerRequestHandlers, local: boolean) {
    this.#handlers = handlers;
    this.#local = local;
  }

  /** What the connection declares: nothing without a handler behind it. */
  get capabilities(): ClientCapabilities {
    const handlers = this.#handlers;
    return {
      ...(handlers.elicit === undefined ? {} : { elicitation: { form: {}, url: {} } }),
      ...(handlers.sample === undefined ? {} : { sampling: {} }),
      ...(handlers.roots === undefined || !this.#local ? {} : { roots: {} }),
    };
  }

  /** Lets questions stop this deadline until it is let go. */
  follow(deadline: RequestDeadline): Disposable {
    this.#deadlines.add(deadline);
    if (this.#open > 0) deadline.pause();
    return toDisposable(() => this.#deadlines.delete(deadline));
  }

  async answer(method: string, rawParams: unknown, signal: AbortSignal): Promise<JsonObject> {
    const params = isJsonObject(rawParams) ? rawParams : {};
    const ended = AbortSignal.any([signal, this.#stopped.signal]);
    if (method === 'roots/list') return { roots: this.#roots() };
    return this.#ask(() => {
      if (method === 'elicitation/create') return this.#handlers.elicit?.(params, ended);
      return method === 'sampling/createMessage' ? this.#handlers.sample?.(params, ended) : undefined;
    });
  }

  dispose(): void {
    this.#stopped.abort();
  }

  #roots(): JsonObject[] {
    if (!this.#local) return [];
    return (this.#handlers.roots?.() ?? []).map((root) => ({ ...root }));
  }

  async #ask(handler: () => Promise<JsonObject> | undefined): Promise<JsonObject> {
    if (this.#open >= limits.serverRequests.questions) throw new Refusal(-32000, 'Too many requests are open');
    const answer = handler();
    if (answer === undefined) throw new Refusal(-32601, 'Method not found');
    this.#open += 1;
    if (this.#open === 1) for (const deadline of this.#deadlines) deadline.pause();
    try {
      return await answer;
    } finally {
      this.#open -= 1;
      if (this.#open === 0) for (const deadline of this.#deadlines) deadline.resume();
    }
  }
}
