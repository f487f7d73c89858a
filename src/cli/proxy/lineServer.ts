// One surface over lines, without HTTP (GATE-5, stand-alone): the client on the other end is the only one there is. Both
// eras: a legacy client has one session from its `initialize` on, a modern one's requests stand alone. Promises: one answer
// for each request that was not cancelled, none for one that was; when it ends, everything under way is cancelled.
import type { Disposable } from '../../base/disposable.ts';
import type { MessageStream } from '../../gateway/eventStream.ts';
import { type Inbound, type LegacyMessage, readInbound, type RpcId } from '../../gateway/inbound.ts';
import { LegacySession } from '../../gateway/legacySession.ts';
import { listenTo } from '../../gateway/listenRequest.ts';
import { answerModern } from '../../gateway/modernRequest.ts';
import { failed, RpcFailure } from '../../gateway/outcomes.ts';
import { answerParts, type Outcome } from '../../gateway/reply.ts';
import type { Surface } from '../../gateway/surface.ts';

type ModernInbound = Extract<Inbound, { kind: 'modern' }>;
type ModernRequest = Extract<ModernInbound['message'], { kind: 'request' }>;

export interface LineWire {
  /** One message, in pieces of JSON. */
  write(...pieces: readonly Buffer[]): void;
  /** Whether the client reads so slowly that what it could do without is left out. */
  readonly isFull: boolean;
}

export class LineServer implements Disposable {
  readonly #surface: Surface;
  readonly #wire: LineWire;
  readonly #ended = new AbortController();
  readonly #modern = new Map<RpcId, AbortController>();
  readonly #legacy = new Map<RpcId, { isCancelled: boolean }>();
  #waiting = 0;
  #session: LegacySession | undefined;
  #handshake: Promise<void> | undefined;

  constructor(surface: Surface, wire: LineWire) {
    this.#surface = surface;
    this.#wire = wire;
  }

  /** Requests wait for their answer; streams that stay open do not count. */
  get busy(): boolean {
    return this.#waiting > 0;
  }

  /** One line of the client's. Never fails. */
  take(line: Buffer): void {
    const inbound = readInbound(line, undefined);
    switch (inbound.kind) {
      case 'refused':
        this.#refuse(inbound.id, inbound.error);
        return;
      case 'modern':
        if (inbound.message.kind === 'notification') this.#hear(inbound.message);
        else void this.#counted(this.#answerModern(inbound.message, inbound.envelope));
        return;
      case 'legacy':
        for (const message of inbound.messages) {
          if (message.kind === 'request') void this.#counted(this.#answerLegacy(message));
          else this.#hear(message);
        }
    }
  }

  /** A line that was too long to be kept. */
  refuseLine(): void {
    this.#refuse(null, { code: -32600, message: 'Invalid request: this line is too long.' });
  }

  dispose(): void {
    this.#ended.abort();
    this.#session?.dispose();
    for (const under of this.#modern.values()) under.abort();
  }

  #hear(message: Exclude<LegacyMessage, { kind: 'request' }>): void {
    if (message.kind === 'notification' && message.method === 'notifications/cancelled') {
      const id = message.params['requestId'];
      if (typeof id !== 'string' && typeof id !== 'number') return;
      const legacy = this.#legacy.get(id);
      if (legacy !== undefined) legacy.isCancelled = true;
      this.#modern.get(id)?.abort();
    }
    this.#session?.take(message);
  }

  async #answerLegacy(message: Extract<LegacyMessage, { kind: 'request' }>): Promise<void> {
    const { id, method } = message;
    if (method === 'initialize') {
      this.#handshake = this.#initialize(message);
      await this.#handshake;
      return;
    }
    // Known from the moment it came: it may be cancelled in the same breath.
    const mark = { isCancelled: false };
    if (!this.#legacy.has(id)) this.#legacy.set(id, mark);
    try {
      await this.#handshake;
      const outcome = mark.isCancelled ? undefined : await this.#outcomeOf(message);
      if (outcome !== undefined && !mark.isCancelled) this.#answer(id, outcome);
    } finally {
      if (this.#legacy.get(id) === mark) this.#legacy.delete(id);
    }
  }

  async #outcomeOf(message: Extract<LegacyMessage, { kind: 'request' }>): Promise<Outcome> {
    if (this.#session !== undefined)
      return this.#session.answer(message, { say: (told) => this.#say(JSON.stringify(told), 'id' in told) });
    if (message.method === 'ping') return { kind: 'value', result: {} };
    return failed(new RpcFailure(-32600, 'Invalid request: initialize comes first.'));
  }

  async #initialize(message: Extract<LegacyMessage, { kind: 'request' }>): Promise<void> {
    const session = new LegacySession(this.#surface, message);
    try {
      const hello = await this.#surface.hello({ signal: this.#ended.signal });
      this.#session?.dispose();
      this.#session = session;
      this.#answer(message.id, { kind: 'value', result: session.initialized(hello) });
      session.attach(this.#stream());
    } catch (error) {
      session.dispose();
      this.#answer(message.id, failed(error));
    }
  }

  async #answerModern(message: ModernRequest, envelope: ModernInbound['envelope']): Promise<void> {
    const { id, method, params } = message;
    if (this.#modern.has(id)) {
      this.#answer(id, failed(new RpcFailure(-32600, 'Invalid request: this id is in use.')));
      return;
    }
    const under = new AbortController();
    const { signal } = under;
    this.#modern.set(id, under);
    const surface = this.#surface;
    if (method !== 'subscriptions/listen') {
      const tell = (told: string, about: object): void =>
        void this.#say(JSON.stringify({ jsonrpc: '2.0', method: told, params: about }), false);
      const outcome = await answerModern({ message, envelope, surface, signal, tell });
      this.#modern.delete(id);
      if (!signal.aborted) this.#answer(id, outcome);
      return;
    }
    try {
      const hello = await surface.hello({ signal });
      listenTo({ id, params, surface, hello, signal, open: () => this.#stream(signal, () => this.#modern.delete(id)) });
    } catch (error) {
      this.#modern.delete(id);
      if (!signal.aborted) this.#answer(id, failed(error));
    }
  }

  #stream(signal?: AbortSignal, onEnd?: () => void): MessageStream {
    return {
      send: (json) => {
        if (signal?.aborted !== true) this.#say(json, false);
      },
      end: (pieces = []) => {
        onEnd?.();
        if (pieces.length > 0 && !this.#ended.signal.aborted) this.#wire.write(...pieces);
      },
    };
  }

  /** `isOwed`: whether somebody waits for what follows from it. */
  #say(json: string, isOwed: boolean): boolean {
    if (this.#ended.signal.aborted || (!isOwed && this.#wire.isFull)) return false;
    this.#wire.write(Buffer.from(json));
    return true;
  }

  #answer(id: RpcId | null, outcome: Outcome): void {
    if (!this.#ended.signal.aborted) this.#wire.write(...answerParts(id, outcome));
  }

  #refuse(id: RpcId | null, error: Extract<Outcome, { kind: 'error' }>['error']): void {
    this.#answer(id, { kind: 'error', error });
  }

  async #counted(work: Promise<void>): Promise<void> {
    this.#waiting += 1;
    try {
      await work;
    } finally {
      this.#waiting -= 1;
    }
  }
}
