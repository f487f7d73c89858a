// The way to one keeper: HTTP over its socket, which no other person can stand in for, or its port where there is none.
// Promises: what it answers is checked; a failure of the keeper's comes out as the ManagerError that it was there; each wait
// has an end. Loads no client and no manager.
import { type ClientRequest, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { type KeeperDescriptor, type KeeperEvent, keeperEvent, keeperFailure } from '../../contract/keeperWire.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';

export interface AskOptions<T> {
  /** What the answer has to be. */
  readonly form: z.ZodMiniType<T>;
  /** Makes it a POST. */
  readonly body?: object;
  /** How long the answer may take, in milliseconds; absent where only the signal ends the wait. */
  readonly within?: number;
  readonly signal?: AbortSignal | undefined;
}

/** It cannot be spoken to: it is gone, does not answer, or is something else. */
export class KeeperSilent extends Error {
  override readonly name = 'KeeperSilent';
}

export class KeeperLink {
  readonly descriptor: KeeperDescriptor;
  readonly #clock: Clock;

  constructor(descriptor: KeeperDescriptor, clock: Clock) {
    this.descriptor = descriptor;
    this.#clock = clock;
  }

  /** Fails with KeeperSilent, with the signal's reason, or with the ManagerError that the keeper answered. */
  async ask<T>(name: string, options: AskOptions<T>): Promise<T> {
    const { form, body, within, signal } = options;
    const answer = await this.#open(name, body, { within, signal });
    const text = await textOf(answer);
    const parsed = z.safeParse(answer.statusCode === 200 ? form : keeperFailure, parsedJson(text));
    if (!parsed.success)
      throw new KeeperSilent(`it answered with status ${answer.statusCode ?? 0} and something unknown`);
    if (answer.statusCode === 200) return parsed.data as T;
    const { code, data, outcome, stderr } = (parsed.data as z.infer<typeof keeperFailure>).error;
    throw new ManagerError(code, data, { outcome, stderr });
  }

  /** Holds a stream open until `signal` aborts; resolves once it has ended, for whatever reason. */
  async listen(name: string, onEvent: (event: KeeperEvent) => void, signal: AbortSignal): Promise<void> {
    const answer = await this.#open(name, undefined, { within: limits.keeper.answer, signal, keepsOpen: true });
    if (answer.statusCode !== 200) {
      answer.destroy();
      throw new KeeperSilent(`it answered with status ${answer.statusCode ?? 0}`);
    }
    let quiet = this.#clock.after(limits.keeper.silence, () => answer.destroy());
    try {
      let text = '';
      for await (const part of answer.setEncoding('utf8')) {
        quiet.dispose();
        quiet = this.#clock.after(limits.keeper.silence, () => answer.destroy());
        const lines = (text + String(part)).split('\n');
        text = lines.pop() ?? '';
        if (text.length > limits.keeper.reply) break;
        for (const line of lines) {
          const event = z.safeParse(keeperEvent, line.startsWith('data: ') ? parsedJson(line.slice(6)) : undefined);
          if (event.success) onEvent(event.data);
        }
      }
    } catch {
      // It broke: that is its end.
    } finally {
      quiet.dispose();
      answer.destroy();
    }
  }

  /** The head of the answer. */
  async #open(name: string, body: object | undefined, options: OpenOptions): Promise<IncomingMessage> {
    const { socket, url } = this.descriptor;
    const { hostname, port } = new URL(url);
    const onPort = { hostname, port };
    if (socket === undefined) return this.#send(name, body, onPort, options);
    try {
      return await this.#send(name, body, { socketPath: socket }, options);
    } catch (error) {
      // Somebody took the file away; nothing was sent.
      if (!(error instanceof NotConnected)) throw error;
      return this.#send(name, body, onPort, options);
    }
  }

  #send(name: string, body: object | undefined, way: RequestOptions, options: OpenOptions): Promise<IncomingMessage> {
    const { within, signal, keepsOpen = false } = options;
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const asked: ClientRequest = httpRequest({
        ...way,
        path: `/keeper/${name}`,
        method: text === undefined ? 'GET' : 'POST',
        agent: false,
        headers: {
          host: new URL(this.descriptor.url).host,
          authorization: `Bearer ${this.descriptor.token}`,
          ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      });
      const abort = (): void => void asked.destroy(new KeeperSilent('it was given up'));
      const late =
        within === undefined
          ? undefined
          : this.#clock.after(within, () => asked.destroy(new KeeperSilent('it does not answer')));
      const settle = (): void => {
        late?.dispose();
        signal?.removeEventListener('abort', abort);
      };
      if (signal?.aborted === true) abort();
      signal?.addEventListener('abort', abort, { once: true });
      let connected = false;
      asked.once('socket', (connection) => connection.once('connect', () => (connected = true)));
      asked.once('error', (error) => {
        settle();
        if (signal?.aborted === true) reject(signal.reason as Error);
        else if (error instanceof KeeperSilent) reject(error);
        else reject(connected ? new KeeperSilent('it ended') : new NotConnected('nobody listens there'));
      });
      asked.once('response', (answer) => {
        if (keepsOpen) late?.dispose();
        answer.once('close', settle);
        answer.on('error', () => undefined);
        resolve(answer);
      });
      asked.end(text);
    });
  }
}

interface OpenOptions {
  readonly within?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly keepsOpen?: boolean;
}

class NotConnected extends KeeperSilent {}

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of answer) {
      parts.push(part as Buffer);
      size += (part as Buffer).length;
      if (size > limits.keeper.reply) break;
    }
  } catch {
    throw new KeeperSilent('its answer broke off');
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
