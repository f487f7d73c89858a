// Feeds a child's stdout or stderr to its reader in batches, with a turn of the event loop between them, and not at all
// while reading is held back. Promises: nothing is lost or put out of order; at most one chunk waits here, the rest in the pipe.
import type { Readable } from 'node:stream';

/** Reads lines. */
export interface LineReader {
  /** Reads until `most` lines have ended, or lines of as much work; answers how many bytes it has read. */
  push(chunk: Buffer, most?: number): number;
  /** The stream has ended. */
  end(): void;
}

export interface InflowOptions {
  /** Lines in one turn. */
  readonly batch: number;
  /** Whether to stop reading for now; `check()` asks again. */
  readonly held: () => boolean;
}

export class Inflow {
  readonly #stream: Readable;
  readonly #reader: LineReader;
  readonly #options: InflowOptions;
  /** What was taken and not read yet: the rest of one chunk, and what Node itself lets through when the child ends. */
  readonly #chunks: Buffer[] = [];
  #paused = false;
  #scheduled = false;
  #ended = false;

  constructor(stream: Readable, reader: LineReader, options: InflowOptions) {
    this.#stream = stream;
    this.#reader = reader;
    this.#options = options;
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  /** What holds reading back may have changed. */
  check(): void {
    if (!this.#paused || this.#scheduled || this.#ended || this.#options.held()) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#ended && !this.#options.held()) this.#readBatch();
    });
  }

  /** The end of the reading: what is left here is read at once. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const chunk of this.#chunks.splice(0)) this.#reader.push(chunk);
    this.#reader.end();
  }

  #take(chunk: Buffer): void {
    if (this.#ended) return;
    this.#chunks.push(chunk);
    this.#paused ||= this.#options.held();
    if (this.#paused) this.#stream.pause();
    else this.#readBatch();
  }

  #readBatch(): void {
    const chunk = this.#chunks.shift() ?? nothing;
    const rest = chunk.subarray(this.#reader.push(chunk, this.#options.batch));
    // A listener may have ended the reading; nobody hears the rest.
    if (this.#ended) return;
    if (rest.length > 0) this.#chunks.unshift(rest);
    if (this.#chunks.length > 0 || this.#options.held()) {
      this.#paused = true;
      this.#stream.pause();
      this.check();
    } else if (this.#paused) {
      this.#paused = false;
      this.#stream.resume();
    }
  }
}

const nothing = Buffer.alloc(0);
