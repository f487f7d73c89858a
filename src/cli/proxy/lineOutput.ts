// What goes to the agent: one message a line, in the order in which it was said, and nothing else. Tells when the agent
// reads more slowly than we write, so that whoever brings more can wait (`ready`). Promises: a message never has a line
// end inside, whatever a server put between the words of its JSON.
import type { Writable } from 'node:stream';

export class LineOutput {
  readonly #stream: Writable;
  #ready: Promise<void> | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** Resolves when the agent has read on; undefined where there is nothing to wait for. */
  get ready(): Promise<void> | undefined {
    return this.#ready;
  }

  /** Bytes that wait for the agent. */
  get unread(): number {
    return this.#stream.writableLength;
  }

  /** One message, in pieces. */
  write(...pieces: readonly Buffer[]): void {
    if (this.#stream.destroyed) return;
    const clean = pieces.map(onOneLine);
    let size = 1;
    for (const { length } of clean) size += length;
    if (size <= joined) this.#push(Buffer.concat([...clean, lineEnd], size));
    else {
      this.#stream.cork();
      for (const piece of clean) this.#push(piece);
      this.#push(lineEnd);
      this.#stream.uncork();
    }
  }

  #push(piece: Buffer): void {
    if (this.#stream.write(piece) || this.#ready !== undefined) return;
    this.#ready = new Promise((resolve) => {
      const over = (): void => {
        for (const event of events) this.#stream.off(event, over);
        this.#ready = undefined;
        resolve();
      };
      for (const event of events) this.#stream.once(event, over);
    });
  }
}

const events = ['drain', 'close', 'error'] as const;

/** Below this size one copy is cheaper than several writes, in bytes. */
const joined = 64 * 1024;
const lineEnd = Buffer.from('\n');
const [lineFeed, carriageReturn, blank] = [0x0a, 0x0d, 0x20];

/** Inside of texts JSON has no line ends as they are; between its words they say nothing. */
function onOneLine(piece: Buffer): Buffer {
  if (!piece.includes(lineFeed) && !piece.includes(carriageReturn)) return piece;
  const copy = Buffer.from(piece);
  for (let at = 0; at < copy.length; at += 1) {
    if (copy[at] === lineFeed || copy[at] === carriageReturn) copy[at] = blank;
  }
  return copy;
}
