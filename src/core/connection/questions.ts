// Answers what a legacy server asks of us while connected (elicitation, sampling, roots), raw in both directions.
// Promises: while a person is asked, the time of every call of this connection stands still (CONN-6), since the wire
// does not say which call a question belongs to; a remote server never learns a folder (CONN-14).
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { limits } from '../limits.ts';
import { Askers } from './askers.ts';
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
  /** Whose requests are open. */
  readonly askers: Askers;
  readonly #originOf: (id: string | number) => number | undefined;
  readonly #deadlines = new Set<RequestDeadline>();
  readonly #stopped = new AbortController();
  #open = 0;

  /** `local`: the server is a process on this machine. `originOf`: the exchange that a question came in, where the wire tells. */
  constructor(
    handlers: ServerRequestHandlers,
    local: boolean,
    originOf: (id: string | number) => number | undefined = () => undefined,
    clock: Clock = systemClock(),
  ) {
    this.askers = new Askers(clock);
    this.#handlers = handlers;
    this.#local = local;
    this.#originOf = originOf;
  }

  /** What the connection declares: nothing that nobody could answer. */
  get capabilities(): ClientCapabilities {
    const handlers = this.#handlers;
    const relayed = handlers.relayed === true;
    return {
      ...(handlers.elicit === undefined && !relayed ? {} : { elicitation: { form: {}, url: {} } }),
      ...(handlers.sample === undefined && !relayed ? {} : { sampling: {} }),
      ...(handlers.roots === undefined || !this.#local ? {} : { roots: {} }),
    };
  }

  /** Lets questions stop this deadline until it is let go. */
  follow(deadline: RequestDeadline): Disposable {
    this.#deadlines.add(deadline);
    if (this.#open > 0) deadline.pause();
    return toDisposable(() => this.#deadlines.delete(deadline));
  }

  /** `id`: of the server's request. */
  async answer(method: string, rawParams: unknown, { signal, id }: Asked): Promise<JsonObject> {
    const params = isJsonObject(rawParams) ? rawParams : {};
    const ended = AbortSignal.any([signal, this.#stopped.signal]);
    const asked = { id, ended };
    if (method === 'roots/list') return { roots: this.#roots() };
    if (method === 'elicitation/create')
      return this.#ask(method, asked, (who) => who.elicit?.(params, ended), declined);
    if (method === 'sampling/createMessage')
      return this.#ask(method, asked, (who) => who.sample?.(params, ended), notSampled);
    throw methodNotFound();
  }

  dispose(): void {
    this.#stopped.abort();
    this.askers.dispose();
  }

  #roots(): JsonObject[] {
    if (!this.#local) return [];
    return (this.#handlers.roots?.() ?? []).map((root) => ({ ...root }));
  }

  /** Whoever is meant answers, else the window; `nobody` does where clients were to answer and none is meant or can. */
  async #ask(
    method: string,
    { id, ended }: { readonly id: string | number; readonly ended: AbortSignal },
    by: (who: Pick<ServerRequestHandlers, 'elicit' | 'sample'>) => Promise<JsonObject> | undefined,
    nobody: () => JsonObject,
  ): Promise<JsonObject> {
    if (this.#open >= limits.serverRequests.questions) throw new Refusal(-32000, 'Too many requests are open');
    const origin = this.#originOf(id);
    if (origin === undefined) this.askers.noteQuestion();
    this.#open += 1;
    if (this.#open === 1) for (const deadline of this.#deadlines) deadline.pause();
    try {
      const meant = await this.askers.meant(origin, ended);
      const answer = (meant === undefined ? undefined : by(meant)) ?? by(this.#handlers);
      if (answer === undefined) {
        meant?.unable?.(method);
        if (this.#handlers.relayed === true) return nobody();
        throw methodNotFound();
      }
      const asked = origin === undefined && meant !== undefined ? this.askers.asks(meant) : undefined;
      try {
        return await answer;
      } finally {
        asked?.dispose();
      }
    } finally {
      this.#open -= 1;
      if (this.#open === 0) for (const deadline of this.#deadlines) deadline.resume();
    }
  }
}

interface Asked {
  readonly signal: AbortSignal;
  readonly id: string | number;
}

function methodNotFound(): Refusal {
  return new Refusal(-32601, 'Method not found');
}

function declined(): JsonObject {
  return { action: 'decline' };
}

function notSampled(): JsonObject {
  throw new Refusal(-1, 'Nobody here can sample');
}
