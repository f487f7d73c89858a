// Takes the data of the gateway's own event streams: each event is one `data:` line, which our gateway writes whole. What
// is no such line (comments, event names) is passed over.

const lineFeed = 0x0a;
const field = Buffer.from('data: ');

export class EventLines {
  readonly #onData: (data: Buffer) => void;
  #parts: Buffer[] = [];

  constructor(onData: (data: Buffer) => void) {
    this.#onData = onData;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
      const piece = rest.subarray(0, end);
      const line = this.#parts.length === 0 ? piece : Buffer.concat([...this.#parts, piece]);
      this.#parts = [];
      rest = rest.subarray(end + 1);
      if (line.subarray(0, field.length).equals(field)) this.#onData(line.subarray(field.length));
    }
    if (rest.length > 0) this.#parts.push(rest);
  }
}
