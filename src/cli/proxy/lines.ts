// Cuts the bytes of stdin into lines, each one JSON-RPC frame. Linear in the size of a frame; one above the limit is
// passed over whole and told, so that a stream without an end of line cannot fill our memory. Blank lines are none.

const lineFeed = 0x0a;

export interface LineOptions {
  /** Bytes of one line. */
  readonly limit: number;
  readonly onLine: (line: Buffer) => void;
  readonly onTooLong: () => void;
}

export class Lines {
  readonly #options: LineOptions;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      this.#append(chunk.subarray(from, end));
      from = end + 1;
      this.end();
    }
    this.#append(chunk.subarray(from));
  }

  /** The line is over: also where the stream ends without a line end. */
  end(): void {
    const [parts, size] = [this.#parts, this.#size];
    this.#parts = [];
    this.#size = 0;
    if (size > this.#options.limit) {
      this.#options.onTooLong();
      return;
    }
    const [only, ...more] = parts;
    if (only === undefined) return;
    const line = more.length === 0 ? only : Buffer.concat(parts, size);
    if (!isBlank(line)) this.#options.onLine(line);
  }

  #append(part: Buffer): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size <= this.#options.limit) this.#parts.push(part);
    else this.#parts = [];
  }
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
