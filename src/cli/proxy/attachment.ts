// A proxy's stay at one window: the way there, the session of a legacy agent, and that session's own stream. Promises: a
// window that comes after another is told what the last one knew of the agent (its handshake, its log level, what it
// wants to hear of), and nobody waits for what a server takes its time with; the end of the stay is told once.
import type { Clock } from '../../base/clock.ts';
import { ownerHeader } from '../../contract/gatewayWire.ts';
import type { WindowDescriptor } from '../../contract/windowDescriptor.ts';
import { limits } from '../../core/limits.ts';
import { type AgentFrame, mirrorHeaders, readObject, type RequestFrame } from './agentFrame.ts';
import type { Stay } from './windowSeeker.ts';
import { GatewayLink, type LinkParts, type LinkRequest, type Sent } from './gatewayLink.ts';

export interface AttachmentParts {
  readonly clock: Clock;
  readonly flow: LinkParts['flow'];
  /** Who this process is, as the gateway wants to know. */
  readonly owner: string;
  /** A message of the session's own stream. */
  readonly onMessage: (message: Buffer) => void;
  /** The session is over, or the window is. */
  readonly onOver: () => void;
}

/** What an agent told a window, and the next one has to know. */
export interface AgentState {
  readonly hello: RequestFrame;
  /** Read as they are told: what is not wanted any more by then is left out. */
  readonly others: Iterable<RequestFrame>;
}

export class Attachment implements Stay {
  readonly window: WindowDescriptor;
  readonly #parts: AttachmentParts;
  readonly #link: GatewayLink;
  readonly #over = new AbortController();
  #session: string | undefined;
  #isAlive = false;

  constructor(window: WindowDescriptor, parts: AttachmentParts) {
    this.window = window;
    this.#parts = parts;
    this.#link = new GatewayLink(window, parts);
  }

  /** Aborts with the stay: what is open for as long as it lasts ends then. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  get wasAlive(): boolean {
    return this.#isAlive;
  }

  async send(
    frame: AgentFrame,
    options: Pick<LinkRequest, 'signal' | 'onMessage' | 'within'> & { readonly headers?: LinkRequest['headers'] },
  ): Promise<Sent> {
    const session = frame.era === 'legacy' ? this.#session : undefined;
    const headers = {
      ...options.headers,
      ...mirrorHeaders(frame),
      ...(session !== undefined && { 'mcp-session-id': session }),
      // Each stands alone, so each says whose it is.
      ...(frame.era === 'modern' && { [ownerHeader]: this.#parts.owner }),
    };
    return this.#noted(await this.#link.post(frame.bytes, { ...options, headers }));
  }

  /** The handshake of a legacy agent: where it succeeds, the session begins. */
  async greet(hello: RequestFrame, signal: AbortSignal, onMessage: (message: Buffer) => void): Promise<Sent> {
    const headers = { [ownerHeader]: this.#parts.owner };
    const within = limits.proxy.hello;
    const sent = this.#noted(await this.#link.post(hello.bytes, { headers, signal, onMessage, within }));
    if (sent.kind !== 'answered' || sent.status !== 200 || sent.session === undefined) return sent;
    const isRefused = sent.body !== undefined && readObject(sent.body)?.['error'] !== undefined;
    if (isRefused) return sent;
    if (this.#over.signal.aborted) void this.#link.end(sent.session);
    this.#session = sent.session;
    return sent;
  }

  /** Follows the session's own stream until the stay is over. */
  follow(): void {
    void this.#follow();
  }

  /** The same for an agent that was greeted elsewhere, which hears nothing of it. False where this window is of no use. */
  async takeOver({ hello, others }: AgentState): Promise<boolean> {
    const { signal } = this.#over;
    const nothing = (): void => undefined;
    await this.greet(hello, signal, nothing);
    if (this.#session === undefined) return false;
    await this.send(initialized, { signal, onMessage: nothing, within: limits.proxy.hello });
    this.follow();
    const left = others[Symbol.iterator]();
    for (let at = 0; at < toldAtOnce; at += 1) void this.#tell(left);
    return true;
  }

  /** One after the other, of those that are left when it is their turn. */
  async #tell(left: Iterator<RequestFrame>): Promise<void> {
    const { signal } = this.#over;
    for (let next = left.next(); next.done !== true && !signal.aborted; next = left.next()) {
      await this.send(next.value, { signal, onMessage: () => undefined });
    }
  }

  /** The stay is over. Its session is ended there where `farewell` is set: not where it is gone anyway. */
  async leave({ farewell }: { readonly farewell: boolean }): Promise<void> {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    if (farewell && this.#session !== undefined) await this.#link.end(this.#session);
    this.#link.retire();
  }

  #noted(sent: Sent): Sent {
    this.#isAlive ||= sent.kind === 'answered';
    return sent;
  }

  async #follow(): Promise<void> {
    const { clock, onMessage, onOver } = this.#parts;
    const { signal } = this.#over;
    while (this.#session !== undefined && !signal.aborted) {
      const headers = { 'mcp-session-id': this.#session };
      const begun = clock.now();
      const sent = await this.#link.listen({ headers, signal, onMessage });
      if (sent.kind === 'aborted') return;
      // It may only have been cut: whether there is still a session, the next try tells.
      if (sent.kind === 'answered' && sent.status !== 200) break;
      if (sent.kind === 'broken' && sent.arrived === 'no') break;
      if (clock.now() - begun < limits.proxy.idleLook) {
        await new Promise<void>((resolve) => clock.after(limits.proxy.look, resolve));
      }
    }
    if (!signal.aborted) onOver();
  }
}

/** Frames that a new window is told at the same time: a server that is slow with one holds up no other. */
const toldAtOnce = 16;

const initialized: AgentFrame = {
  kind: 'notification',
  method: 'notifications/initialized',
  params: {},
  era: 'legacy',
  bytes: Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}'),
};
