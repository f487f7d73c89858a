// Messages on their way to a server's stdin. Promises: a send settles, also when the process dies; knows how much of
// our answers the server has not read, so that one which asks and never reads can be held back.
import type { Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { ManagerError, Outcome } from '../errors.ts';
import { limits } from '../limits.ts';

export interface StdinWriterOptions {
  /** The server has read something. */
  readonly onRead: () => void;
  readonly closed: (outcome: Outcome) => ManagerError;
}

export class StdinWriter {
  readonly #stdin: Writable;
  readonly #options: StdinWriterOptions;
  /** Rejects the sends that are not written yet. */
  readonly #sends = new Set<(error: Error) => void>();
  #unread = 0;

  constructor(stdin: Writable, options: StdinWriterOptions) {
    this.#stdin = stdin;
    this.#options = options;
  }

  /** What the answers weigh that the server has not read. */
  get unread(): number {
    return this.#unread;
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!this.#stdin.writable) return Promise.reject(this.#options.closed('notSent'));
    const text = `${JSON.stringify(message)}\n`;
    // Only answers count: they are what a server can make without end, and a call of ours waits for nothing to be read.
    const weight = 'method' in message ? 0 : text.length + limits.stdio.perAnswer;
    this.#unread += weight;
    return new Promise((resolve, reject) => {
      this.#sends.add(reject);
      this.#stdin.write(text, (error) => {
        this.#unread -= weight;
        this.#options.onRead();
        if (!this.#sends.delete(reject)) return;
        if (error) reject(this.#options.closed('unknown'));
        else resolve();
      });
    });
  }

  /** Fails what is still on its way. */
  end(): void {
    for (const reject of this.#sends) reject(this.#options.closed('unknown'));
    this.#sends.clear();
  }
}
