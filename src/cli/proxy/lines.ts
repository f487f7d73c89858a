// Cuts the bytes of stdin into lines, each one JSON-RPC frame. Linear in the size of a frame; one above the limit is
// passed over whole and told, so that a stream without an end of line cannot fill our memory.

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
    let rest = chunk;
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
      this.#append(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      this.#end();
    }
    this.#append(rest);
  }

  #append(part: Buffer): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size <= this.#options.limit) this.#parts.push(part);
    else this.#parts = [];
  }

  #end(): void {
    const [parts, size] = [this.#parts, this.#size];
    this.#parts = [];
    this.#size = 0;
    if (size > this.#options.limit) this.#options.onTooLong();
    else if (size > 0)
      this.#options.onLine(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts));
  }
}
