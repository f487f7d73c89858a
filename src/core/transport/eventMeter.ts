// How large the events of an SSE stream are, and whether their data would take long to parse: a stream as a whole has no
// limit, each of its events has. An event ends at a blank line; a line ends with LF, CR or CRLF, mixed as the server likes
// and split over chunks anywhere.
import { JsonMeter } from './jsonMeter.ts';

const lf = 10;
const cr = 13;

export class EventMeter {
  #size = 0;
  #lineIsEmpty = true;
  #afterCr = false;
  readonly #json = new JsonMeter();
  #fault: string | undefined;
  /** How many bytes of `data:` the line begins with so far; -1 where it is another line. */
  #matched = 0;

  /** Why the data of an event must not be parsed. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** The largest size in bytes that an event reached within this chunk, what it had before included. */
  push(chunk: Uint8Array): number {
    let largest = 0;
    let from = 0;
    let nextLf = chunk.indexOf(lf);
    let nextCr = chunk.indexOf(cr);
    while (nextLf >= 0 || nextCr >= 0) {
      const isCr = nextLf < 0 || (nextCr >= 0 && nextCr < nextLf);
      const end = isCr ? nextCr : nextLf;
      this.#linePiece(chunk.subarray(from, end));
      this.#size += end + 1 - from;
      from = end + 1;
      // The LF of a CRLF ends no line of its own.
      if (isCr || !this.#afterCr) largest = Math.max(largest, this.#endLine());
      this.#afterCr = isCr;
      if (isCr) nextCr = chunk.indexOf(cr, from);
      else nextLf = chunk.indexOf(lf, from);
    }
    this.#linePiece(chunk.subarray(from));
    this.#size += chunk.length - from;
    return Math.max(largest, this.#size);
  }

  #linePiece(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#lineIsEmpty = false;
    this.#afterCr = false;
    let at = 0;
    for (; at < piece.length && this.#matched >= 0 && this.#matched < dataField.length; at += 1) {
      const byte = piece[at] ?? 0;
      if (byte === dataField[this.#matched]) this.#matched += 1;
      else if (this.#matched > 0 || !byteOrderMark.has(byte)) this.#matched = -1;
    }
    if (this.#matched === dataField.length) this.#fault ??= this.#json.push(piece.subarray(at));
  }

  /** The size of the event that has ended with the line, or 0. */
  #endLine(): number {
    const size = this.#lineIsEmpty ? this.#size : 0;
    if (this.#lineIsEmpty) {
      this.#size = 0;
      this.#json.reset();
    }
    this.#json.endLine();
    this.#lineIsEmpty = true;
    this.#matched = 0;
    return size;
  }
}

const dataField = new TextEncoder().encode('data:');
/** Its bytes begin no field, so a line that has them elsewhere than in front of a stream is no matter. */
const byteOrderMark = new Set([0xef, 0xbb, 0xbf]);
