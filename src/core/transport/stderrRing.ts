// The last lines that a server wrote to stderr (CONN-10), and the split of its stream into lines. Bounded in lines of
// bytes and in all; the lines are made harmless and free of secrets when they enter, so nothing else has to do it.
import { StringDecoder } from 'node:string_decoder';
import type { Redactor } from '../../base/redact.ts';
import { stripTerminal, truncate, visibleLine } from '../../base/sanitise.ts';
import { LogRing } from './logRing.ts';

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

  /** Reads until `most` lines have ended, of which a long one counts as several; answers how many bytes it has read. */
  push(chunk: Buffer, most = Number.POSITIVE_INFINITY): number {
    let from = 0;
    let lines = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      // A carriage return alone redraws a progress line: each state of it is a line. Before a line feed it ends an empty one.
      if (chunk[at] !== lineFeed && chunk[at] !== carriageReturn) continue;
      this.#append(chunk.subarray(from, at));
      this.#endLine();
      // Each character is looked at for secrets, so the work goes by the length.
      lines += Math.ceil((at + 1 - from) / usualLine);
      from = at + 1;
      if (lines >= most) return from;
    }
    this.#append(chunk.subarray(from));
    return chunk.length;
  }

  /** The stream has ended: what came without a line end is a line. */
  end(): void {
    this.#endLine();
  }

  /** The last lines, oldest first, at most `count` of at most `length` UTF-16 units. */
  tail(count: number, length: number): readonly string[] {
    return this.#ring.lines(count).map((line) => truncate(line, length));
  }

  #append(bytes: Buffer): void {
    if (this.#cut) return;
    this.#take(this.#decoder.write(bytes));
  }

  #take(text: string): void {
    const room = this.#options.line - this.#partial.length;
    this.#partial += text.slice(0, room);
    this.#cut ||= text.length > room;
  }

  #endLine(): void {
    // A character that is not whole ends with its line.
    this.#take(this.#decoder.end());
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

/** In bytes. */
const usualLine = 128;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
