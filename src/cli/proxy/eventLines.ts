// Takes the messages out of the gateway's own event streams: each event is one `data:` line, which our gateway writes
// whole. What is no such line (comments, names of events) is passed over. Linear in the size of an event.
import { Lines } from './lines.ts';

const field = Buffer.from('data: ');

export class EventLines {
  readonly #lines: Lines;

  constructor(onData: (data: Buffer) => void) {
    this.#lines = new Lines({
      limit: Number.POSITIVE_INFINITY,
      onLine: (line) => {
        if (line.subarray(0, field.length).equals(field)) onData(line.subarray(field.length));
      },
      onTooLong: () => undefined,
    });
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }
}
