// The stdio server that an agent starts, attached to a window's gateway (GATE-5): frames go through as they are, of both
// eras. Outlives the window: goes to the one that comes back, or another, on its own, and tells the agent that lists may
// have changed. Promises: a request is answered once, with an error where its answer was lost; nothing that may have run
// is sent again; what the agent cancels, or leaves behind when it ends, is cancelled at the gateway, or never goes there.
import type { Clock } from '../../base/clock.ts';
import type { AnnouncedWindow, WindowDescriptor } from '../../contract/windowDescriptor.ts';
import { limits } from '../../core/limits.ts';
import type { RpcId } from '../../gateway/inbound.ts';
import { answerParts, type Outcome } from '../../gateway/reply.ts';
import { type AgentFrame, isAnswerTo, type Noise, readFrames, readObject, type RequestFrame } from './agentFrame.ts';
import { Attachment } from './attachment.ts';
import type { Sent } from './gatewayLink.ts';
import type { LineOutput } from './lineOutput.ts';
import { listenAtWindows } from './listenAtWindows.ts';
import { MirroredParams } from './mirroredParams.ts';
import { type NextStep, nextStep } from './sentOutcome.ts';
import { type Call, UnderWay } from './underWay.ts';
import { WindowSeeker } from './windowSeeker.ts';
import { answerWithoutWindow, lostUnderWay } from './withoutWindow.ts';

export interface AttachedProxyParts {
  readonly clock: Clock;
  readonly output: LineOutput;
  readonly folder: string;
  readonly windows: () => Promise<readonly AnnouncedWindow[]>;
  /** Who this process is, as the gateway wants to know. */
  readonly owner: string;
  /** For the person who reads the agent's log: one line. */
  readonly tell: (line: string) => void;
}

export class AttachedProxy {
  readonly #parts: AttachedProxyParts;
  readonly #ended = new AbortController();
  readonly #seeker: WindowSeeker<Attachment>;
  readonly #underWay: UnderWay;
  readonly #mirrored = new MirroredParams();
  /** What a new window has to know, of an agent whose handshake was answered. */
  #hello: RequestFrame | undefined;
  #level: RequestFrame | undefined;
  readonly #wanted = new Map<string, RequestFrame>();
  #handshake: Promise<void> | undefined;
  #isReady = false;

  constructor(parts: AttachedProxyParts) {
    this.#parts = parts;
    this.#underWay = new UnderWay(parts.clock, (message) => parts.output.write(message));
    this.#seeker = new WindowSeeker({
      ...parts,
      ended: this.#ended.signal,
      attach: (window) => this.#attach(window),
      isBusy: () => this.#underWay.size > 0 || this.#handshake !== undefined,
      onAttached: ({ window }) => this.#attached(window),
      onRefused: () => this.#refused(),
    });
    void this.#seeker.run();
  }

  /** Requests that wait for their answer. */
  get busy(): boolean {
    return this.#underWay.size > 0 || this.#handshake !== undefined;
  }

  /** One line of the agent's. Never fails. */
  take(line: Buffer): void {
    for (const frame of readFrames(line)) this.#take(frame);
  }

  /** A line that was too long to be kept. */
  refuseLine(): void {
    this.#answer(null, { kind: 'error', error: { code: -32600, message: 'Invalid request: this line is too long.' } });
  }

  /** The agent is gone: its session ends, and what it had under way. */
  async end(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.#underWay.dispose();
    await this.#seeker.attachment?.leave({ farewell: true });
  }

  #take(frame: AgentFrame | Noise): void {
    switch (frame.kind) {
      case 'noise':
        this.#answer(frame.id, { kind: 'error', error: { code: frame.code, message: frame.message } });
        return;
      case 'answer':
        if (this.#underWay.answered(frame.id)) this.#pass(frame);
        return;
      case 'notification':
        if (frame.method === 'notifications/cancelled') this.#cancel(frame);
        else this.#notify(frame);
        return;
      case 'request':
        if (frame.method === 'initialize' && frame.era === 'legacy') {
          this.#handshake = this.#initialize(frame).finally(() => (this.#handshake = undefined));
        } else void this.#request(frame);
    }
  }

  #notify(frame: Extract<AgentFrame, { kind: 'notification' }>): void {
    if (frame.method === 'notifications/initialized') this.#isReady = true;
    this.#pass(frame);
  }

  /** For those who wait for nothing: where there is no window, nobody is there to hear it. */
  #pass(frame: AgentFrame): void {
    const signal = this.#ended.signal;
    void this.#seeker.attachment?.send(frame, { signal, onMessage: () => undefined });
  }

  #cancel(frame: Extract<AgentFrame, { kind: 'notification' }>): void {
    const id = frame.params['requestId'];
    if (typeof id !== 'string' && typeof id !== 'number') return;
    // Of a legacy request the gateway is told, more than once: on another connection it may come before the request.
    this.#underWay.cancel(id, () => this.#pass(frame));
  }

  async #initialize(frame: RequestFrame): Promise<void> {
    // An agent that begins anew is another one to the window.
    const before = this.#hello === undefined ? undefined : this.#seeker.attachment;
    this.#hello = undefined;
    this.#level = undefined;
    this.#wanted.clear();
    this.#isReady = false;
    if (before !== undefined) {
      await before.leave({ farewell: true });
      this.#seeker.lose(before, { avoid: false });
    }
    for (let tries = 0; tries < mostTries; tries += 1) {
      const attachment = await this.#seeker.reach(this.#ended.signal);
      if (attachment === undefined) break;
      const on: { answer?: Buffer } = {};
      const sent = await attachment.greet(frame, this.#ended.signal, (message) => {
        if (isAnswerTo(frame.id, message)) on.answer = message;
        else this.#parts.output.write(message);
      });
      const step = nextStep(sent, frame, on.answer);
      if (step === 'elsewhere' || step === 'anew' || step === 'lost') {
        this.#seeker.lose(attachment, { avoid: true });
        continue;
      }
      this.#hello = frame;
      this.#finish(frame, step, sent, on.answer);
      attachment.follow();
      return;
    }
    if (this.#ended.signal.aborted) return;
    this.#hello = frame;
    if (!this.#seeker.isRefused) this.#parts.tell('no VS Code window with MCP Roundhouse is open; waiting for one.');
    this.#answerAlone(frame);
  }

  async #request(frame: RequestFrame): Promise<void> {
    const call = this.#underWay.begin(frame);
    if (call === undefined) {
      const message = 'Invalid request: this id is in use.';
      this.#answer(frame.id, { kind: 'error', error: { code: -32600, message } });
      return;
    }
    try {
      if (frame.method === 'subscriptions/listen' && frame.era === 'modern') {
        await listenAtWindows(frame, { ...this.#parts, seeker: this.#seeker, signal: call.signal });
        return;
      }
      if (frame.era === 'legacy') await this.#handshake;
      const hello = this.#hello;
      if (frame.method === 'resources/unsubscribe') this.#note(frame);
      const [step, sent] = await this.#send(frame, call);
      // An agent that cancelled waits for nothing.
      if (call.signal.aborted || call.isCancelled) return;
      const isTaken =
        step === undefined || (step === 'done' && sent.kind === 'answered' && !isError(frame, sent, call));
      // Of an agent that has begun anew since, nothing is kept.
      if (isTaken && this.#hello === hello) this.#note(frame);
      if (step === undefined) this.#answerAlone(frame);
      else this.#finish(frame, step, sent, call.answer);
    } finally {
      call.end();
    }
  }

  /** What became of it in the end; undefined where no window was there for it, or it was cancelled before one was. */
  async #send(frame: RequestFrame, call: Call): Promise<[NextStep, Sent] | [undefined]> {
    let headers = this.#mirrored.of(frame);
    for (let tries = 0; tries < mostTries; tries += 1) {
      const attachment = await this.#seeker.reach(call.signal);
      if (attachment === undefined || call.signal.aborted || call.isCancelled) return [undefined];
      const { signal, onMessage } = call;
      const options = { signal, onMessage, headers };
      const sent = await call.atWindow(() => attachment.send(frame, options));
      const step = nextStep(sent, frame, call.answer);
      if (step === 'elsewhere' || step === 'anew') {
        // Whether the window itself is gone, the next try tells.
        const isAlive = sent.kind === 'broken' && sent.arrived === 'maybe';
        if (!isAlive) this.#seeker.lose(attachment, { avoid: step === 'elsewhere' });
      } else if (step === 'refused' && tries === 0 && this.#mirrored.isWanted(frame, sent)) {
        headers = await this.#mirrored.learn(frame, (list, onPage) =>
          attachment.send(list, { signal, onMessage: onPage }),
        );
      } else return [step, sent];
    }
    return [undefined];
  }

  /** `answer`: what came on an event stream. */
  #finish(frame: RequestFrame, step: NextStep, sent: Sent, answer: Buffer | undefined): void {
    const { id } = frame;
    if (step === 'lost') {
      this.#answer(id, lostUnderWay(frame));
      return;
    }
    const body = sent.kind === 'answered' ? (sent.body ?? answer) : answer;
    if (body === undefined) return;
    const said = step === 'done' ? undefined : readObject(body);
    if (step === 'done' || said?.['id'] === id) {
      this.#parts.output.write(body);
      return;
    }
    // It was refused before its id was read.
    const { code, message } = (said?.['error'] ?? {}) as { readonly code?: unknown; readonly message?: unknown };
    const error = {
      code: typeof code === 'number' ? code : -32000,
      message:
        typeof message === 'string'
          ? message
          : `The window refused it${sent.kind === 'answered' ? `, with status ${sent.status}` : ''}.`,
    };
    this.#answer(id, { kind: 'error', error });
  }

  #answerAlone(frame: RequestFrame): void {
    this.#answer(frame.id, answerWithoutWindow(frame, this.#seeker.isRefused ? 'restricted' : 'none'));
  }

  /** What the next window has to hear of. */
  #note(frame: RequestFrame): void {
    const { method, params, era } = frame;
    if (era === 'modern') return;
    if (method === 'logging/setLevel') this.#level = frame;
    const { uri } = params;
    if (typeof uri !== 'string') return;
    if (method === 'resources/unsubscribe') this.#wanted.delete(uri);
    else if (method === 'resources/subscribe' && this.#wanted.size < limits.proxy.subscriptions) {
      this.#wanted.set(uri, frame);
    }
  }

  *#told(): Generator<RequestFrame, void> {
    if (this.#level !== undefined) yield this.#level;
    yield* this.#wanted.values();
  }

  async #attach(window: WindowDescriptor): Promise<Attachment | undefined> {
    const { clock, output, owner } = this.#parts;
    const attachment = new Attachment(window, {
      ...{ clock, owner, flow: output },
      onMessage: (message) => output.write(message),
      onOver: () => this.#seeker.lose(attachment, { avoid: false }),
    });
    const hello = this.#hello;
    if (hello === undefined) return attachment;
    if (await attachment.takeOver({ hello, others: this.#told() })) return attachment;
    await attachment.leave({ farewell: false });
    return undefined;
  }

  #attached({ folders }: WindowDescriptor): void {
    this.#mirrored.forget();
    this.#parts.tell(`attached to the VS Code window of ${folders.length === 0 ? 'no folder' : folders.join(', ')}.`);
    this.#tellOfLists();
  }

  #refused(): void {
    this.#parts.tell(
      'the VS Code window of this folder is in Restricted Mode: no agent is served before you trust it.',
    );
    this.#tellOfLists();
  }

  /** They may have changed. */
  #tellOfLists(): void {
    if (this.#hello === undefined || !this.#isReady) return;
    for (const of of ['tools', 'resources', 'prompts']) {
      this.#parts.output.write(Buffer.from(`{"jsonrpc":"2.0","method":"notifications/${of}/list_changed"}`));
    }
  }

  #answer(id: RpcId | null, outcome: Outcome): void {
    this.#parts.output.write(...answerParts(id, outcome));
  }
}

/** Whether it was not taken; only of those that are noted is that read. */
function isError({ method }: RequestFrame, { body }: { readonly body: Buffer | undefined }, { answer }: Call): boolean {
  if (method !== 'logging/setLevel' && method !== 'resources/subscribe') return false;
  const said = readObject(body ?? answer ?? Buffer.alloc(0));
  return said === undefined || said['error'] !== undefined;
}

/** Windows that one request is taken to: each of them did not look at it. */
const mostTries = 5;
