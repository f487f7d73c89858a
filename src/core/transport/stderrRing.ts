// The last lines that a server wrote to stderr (CONN-10), and the split of its stream into lines. Bounded in lines of
// bytes and in all; the lines are made harmless and free of secrets when they enter, so nothing else has to do it.
import { StringDecoder } from 'node:string_decoder';
import type { Redactor } from '../../base/redact.ts';
import { stripTerminal, truncate, visibleLine } from '../../base/sanitise.ts';
import { LogRing } from '../diagnostics/logRing.ts';

export interface StderrRingOptions {
  /** At most so many UTF-16 units in a line as it came, and in all lines together. */
  readonly line: number;
  readonly total: number;
  readonly redactor: Redactor;
  readonly onLine: (line: string) => void;
}

export class StderrRing {
  readonly #options: StderrRingOptions;
  readonly #decoder = new StringDecoder('utf8');
  readonly #ring: LogRing;
  #partial = '';
  /** The rest of a line that was too long is passed over. */
  #cut = false;

  constructor(options: StderrRingOptions) {
    this.#options = options;
    this.#ring = new LogRing({ size: options.total, line: Number.POSITIVE_INFINITY });
  }

  push(chunk: Buffer): void {
    this.#text(this.#decoder.write(chunk));
  }

  /** The stream has ended: what came without a line end is a line. */
  end(): void {
    this.#text(this.#decoder.end());
    this.#endLine();
  }

  /** The last lines, oldest first, at most `count` of at most `length` UTF-16 units. */
  tail(count: number, length: number): readonly string[] {
    return this.#ring.lines(count).map((line) => truncate(line, length));
  }

  #text(text: string): void {
    // A carriage return alone redraws a progress line: each state of it is a line.
    const [first = '', ...rest] = text.split(/\r\n|\n|\r/);
    this.#append(first);
    for (const part of rest) {
      this.#endLine();
      this.#append(part);
    }
  }

  #append(part: string): void {
    if (this.#cut) return;
    const room = this.#options.line - this.#partial.length;
    this.#partial += part.slice(0, room);
    this.#cut = part.length > room;
  }

  #endLine(): void {
    const raw = this.#partial;
    const cut = this.#cut;
    this.#partial = '';
    this.#cut = false;
    if (raw.trim() === '') return;
    const text = this.#options.redactor.text(stripTerminal(raw), { cut });
    const line = visibleLine(text.trimEnd()) + (cut ? '…' : '');
    this.#ring.push(line);
    this.#options.onLine(line);
  }
}
