// The requests of an agent that wait for their answers: whose answer came, which were cancelled, and what the gateway asked
// the agent along the way. Promises: of a request that is over, no question is left open at the agent; one that is cancelled
// before it went out is over at once.
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { limits } from '../../core/limits.ts';
import type { RpcId } from '../../gateway/inbound.ts';
import { isAnswerTo, readObject, type RequestFrame } from './agentFrame.ts';

export interface Call {
  /** Aborts where nobody waits for it any more, and that is how it is cancelled. */
  readonly signal: AbortSignal;
  /** Its answer, where that came on an event stream. Nobody has passed it on yet. */
  readonly answer: Buffer | undefined;
  /** The agent wants no answer. */
  readonly isCancelled: boolean;
  /** A message of its event stream. */
  readonly onMessage: (message: Buffer) => void;
  /** Takes it to a window: only then a cancellation is the window's business too. */
  atWindow<T>(send: () => Promise<T>): Promise<T>;
  end(): void;
}

export class UnderWay {
  readonly #clock: Clock;
  readonly #out: (message: Buffer) => void;
  readonly #calls = new Map<RpcId, OneCall>();
  /** Questions to the agent that it has not answered, with the request that they belong to. */
  readonly #questions = new Map<RpcId, OneCall>();

  constructor(clock: Clock, out: (message: Buffer) => void) {
    this.#clock = clock;
    this.#out = out;
  }

  /** Without streams that stay open. */
  get size(): number {
    let size = 0;
    for (const { frame } of this.#calls.values()) if (frame.method !== 'subscriptions/listen') size += 1;
    return size;
  }

  /** Undefined where its id is in use. */
  begin(frame: RequestFrame): Call | undefined {
    if (this.#calls.has(frame.id)) return undefined;
    const call = new OneCall(frame, {
      onMessage: (message) => this.#out(message),
      onQuestion: (id) => this.#questions.set(id, call),
      onEnd: () => {
        this.#calls.delete(frame.id);
        for (const [id, of] of this.#questions) if (of === call) this.#takeBack(id);
      },
    });
    this.#calls.set(frame.id, call);
    return call;
  }

  /** The agent cancels: `tell` says so to the gateway of a legacy agent; a modern one's request is just given up. */
  cancel(id: RpcId, tell: () => void): void {
    this.#calls.get(id)?.cancel(this.#clock, tell);
  }

  /** The agent answers a question. False where none of this id is open. */
  answered(id: RpcId): boolean {
    return this.#questions.delete(id);
  }

  /** Everything is given up. */
  dispose(): void {
    for (const call of this.#calls.values()) call.giveUp();
  }

  #takeBack(id: RpcId): void {
    this.#questions.delete(id);
    const params = { requestId: id };
    this.#out(Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })));
  }
}

interface CallEvents {
  readonly onMessage: (message: Buffer) => void;
  readonly onQuestion: (id: RpcId) => void;
  readonly onEnd: () => void;
}

class OneCall implements Call {
  readonly frame: RequestFrame;
  answer: Buffer | undefined;
  isCancelled = false;
  #isAtWindow = false;
  readonly #events: CallEvents;
  readonly #givenUp = new AbortController();
  #again: Disposable | undefined;

  constructor(frame: RequestFrame, events: CallEvents) {
    this.frame = frame;
    this.#events = events;
  }

  get signal(): AbortSignal {
    return this.#givenUp.signal;
  }

  readonly onMessage = (message: Buffer): void => {
    if (this.isCancelled) return;
    if (isAnswerTo(this.frame.id, message)) {
      this.answer = message;
      return;
    }
    const said = readObject(message);
    const id = said?.['id'];
    if (said?.['method'] !== undefined && (typeof id === 'string' || typeof id === 'number')) {
      this.#events.onQuestion(id);
    }
    this.#events.onMessage(message);
  };

  async atWindow<T>(send: () => Promise<T>): Promise<T> {
    this.answer = undefined;
    this.#isAtWindow = true;
    try {
      return await send();
    } finally {
      this.#isAtWindow = false;
    }
  }

  cancel(clock: Clock, tell: () => void): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    if (this.frame.era === 'modern' || !this.#isAtWindow) {
      this.giveUp();
      return;
    }
    tell();
    this.#again = clock.after(limits.proxy.again, () => {
      tell();
      // Where even that changed nothing, the agent waits for nothing any more, and neither do we.
      this.#again = clock.after(limits.proxy.hello, () => this.giveUp());
    });
  }

  giveUp(): void {
    this.#givenUp.abort();
  }

  end(): void {
    this.#again?.dispose();
    this.#events.onEnd();
  }
}
