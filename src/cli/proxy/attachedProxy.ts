// The stdio server that an agent starts, attached to a window's gateway (GATE-5): frames go through as they are. Outlives
// the window: finds the one that comes back, or another, shakes hands with it anew on its own, and tells the agent that
// lists may have changed. Promises: a request is answered once, with an error where its answer was lost; nothing that may
// have arrived is ever sent again.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import type { Clock } from '../../base/clock.ts';
import { type GatewayLink, type Sent } from './gatewayLink.ts';
import { mirrorHeaders } from './mirrorHeaders.ts';

export interface AttachedProxyParts {
  /** The window that serves now; undefined while there is none. */
  readonly find: () => Promise<GatewayLink | undefined>;
  /** One frame for the agent, without a line end. */
  readonly out: (frame: Buffer) => void;
  readonly clock: Clock;
  /** How long a request waits for a window, and the pause between two looks, in milliseconds. */
  readonly patience: { readonly window: number; readonly look: number };
}

interface Attachment {
  readonly link: GatewayLink;
  /** Of the legacy era; set by the answer to `initialize`. */
  session: string | undefined;
}

export class AttachedProxy {
  readonly #parts: AttachedProxyParts;
  readonly #ended = new AbortController();
  /** As the agent sent it: what a new window is greeted with. */
  #initialize: JsonObject | undefined;
  #attached: Promise<Attachment | undefined> | undefined;
  #listening = false;

  constructor(parts: AttachedProxyParts) {
    this.#parts = parts;
  }

  /** One frame of the agent's. Never fails. */
  async take(frame: Buffer): Promise<void> {
    const message = read(frame);
    if (message === undefined) {
      this.#fail(null, -32700, 'Parse error: this line is no JSON-RPC message.');
      return;
    }
    const { id, method } = message;
    const isRequest = typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
    const asked = isRequest ? id : undefined;
    if (method === 'initialize') this.#initialize = message;
    const state = { answered: false };
    const onMessage = (part: Buffer): void => {
      // The one message of a request that is an answer ends it; everything else belongs to it.
      state.answered ||= asked !== undefined;
      this.#parts.out(part);
    };
    for (let tries = 0; tries < 2; tries += 1) {
      const attachment = await this.#attach();
      if (attachment === undefined) {
        if (asked !== undefined) this.#fail(asked, -32011, noWindow, { code: 'windowClosed', outcome: 'notSent' });
        return;
      }
      const sent = await this.#send(attachment, frame, message, onMessage);
      if (sent.kind === 'answered' && sent.status !== 404) {
        if (method === 'initialize') attachment.session = sent.session;
        if (method === 'notifications/initialized') this.#listen(attachment);
        return;
      }
      this.#detach(attachment);
      // A session that is not known was not looked at, and what never arrived did not run.
      const isSafe = sent.kind === 'answered' || sent.arrived === 'no';
      if (!isSafe || state.answered) {
        if (asked !== undefined && !state.answered)
          this.#fail(asked, -32000, lost, { code: 'connectionClosed', outcome: 'unknown' });
        return;
      }
    }
    if (asked !== undefined) this.#fail(asked, -32011, noWindow, { code: 'windowClosed', outcome: 'notSent' });
  }

  /** The agent is gone: its session ends, and what it had under way. */
  async end(): Promise<void> {
    this.#ended.abort();
    const attachment = await this.#attached;
    if (attachment?.session !== undefined) await attachment.link.end(attachment.session);
    attachment?.link.dispose();
  }

  #send(
    { link, session }: Attachment,
    frame: Buffer,
    message: JsonObject,
    onMessage: (part: Buffer) => void,
  ): Promise<Sent> {
    const headers = { ...mirrorHeaders(message), ...(session !== undefined && { 'mcp-session-id': session }) };
    return link.post(frame, { headers, signal: this.#ended.signal, onMessage });
  }

  #attach(): Promise<Attachment | undefined> {
    this.#attached ??= this.#look().then((attachment) => {
      if (attachment === undefined) this.#attached = undefined;
      return attachment;
    });
    return this.#attached;
  }

  async #look(): Promise<Attachment | undefined> {
    const { find, clock, patience } = this.#parts;
    for (const until = clock.now() + patience.window; !this.#ended.signal.aborted;) {
      const link = await find();
      const attachment = link && (await this.#greet({ link, session: undefined }));
      if (attachment !== undefined) return attachment;
      if (clock.now() >= until) return undefined;
      await new Promise<void>((resolve) => clock.after(patience.look, resolve));
    }
    return undefined;
  }

  /** A window that comes later is told who the agent is, and the agent that much may be new. */
  async #greet(attachment: Attachment): Promise<Attachment | undefined> {
    const hello = this.#initialize;
    if (hello === undefined || !this.#listening) return attachment;
    const send = (message: JsonObject): Promise<Sent> =>
      this.#send(attachment, Buffer.from(JSON.stringify(message)), message, () => undefined);
    const sent = await send(hello);
    if (sent.kind === 'broken' || sent.status !== 200) {
      attachment.link.dispose();
      return undefined;
    }
    attachment.session = sent.session;
    await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    this.#listen(attachment);
    for (const of of ['tools', 'resources', 'prompts']) this.#say({ method: `notifications/${of}/list_changed` });
    return attachment;
  }

  #listen(attachment: Attachment): void {
    this.#listening = true;
    const { link, session } = attachment;
    if (session === undefined) return;
    const headers = { 'mcp-session-id': session };
    void link
      .listen({ headers, signal: this.#ended.signal, onMessage: (part) => this.#parts.out(part) })
      .then(async () => {
        if (this.#ended.signal.aborted || (await this.#attached) !== attachment) return;
        this.#detach(attachment);
        await this.#attach();
      });
  }

  #detach(attachment: Attachment): void {
    void this.#attached?.then((current) => {
      if (current === attachment) this.#attached = undefined;
    });
    this.#attached = undefined;
    attachment.link.dispose();
  }

  #fail(id: string | number | null, code: number, message: string, data?: JsonObject): void {
    this.#say({ id, error: { code, message, ...(data && { data }) } });
  }

  #say(message: JsonObject): void {
    this.#parts.out(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
  }
}

const noWindow = 'No VS Code window with MCP Roundhouse is open. Open one, then call again.';
const lost = 'The VS Code window went away during the call, which may have run. It is not sent again.';

function read(frame: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(frame.toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
