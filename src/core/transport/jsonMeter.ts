// Counts what makes JSON slow to parse before it is parsed: levels of nesting, and values. Reads bytes as they arrive, in
// pieces cut anywhere, and leaps over strings, so that a large text costs little. Never throws and checks no grammar: what
// is no JSON is for the parser to refuse. A quote outside of a string opens one, as it does for the parser.
import { limits } from '../limits.ts';

export interface JsonBounds {
  /** Levels of brackets. */
  readonly depth: number;
  /** Opening brackets, commas and colons. */
  readonly marks: number;
}

export class JsonMeter {
  readonly #bounds: JsonBounds;
  #depth = 0;
  #marks = 0;
  #inString = false;
  /** The last byte so far was a backslash that escapes the next one. */
  #escaped = false;

  constructor(bounds: JsonBounds = limits.json) {
    this.#bounds = bounds;
  }

  /** Why the text must not be parsed, as words about it, or undefined. Once a text has a fault, it is not read on. */
  push(bytes: Uint8Array): string | undefined {
    const end = bytes.length;
    const most = this.#bounds;
    let at = this.#inString ? this.#behindString(bytes, 0) : 0;
    let depth = this.#depth;
    let marks = this.#marks;
    while (at < end) {
      const kind = kinds[bytes[at] ?? 0];
      at += 1;
      if (kind === plain) continue;
      if (kind === quote) {
        at = this.#behindString(bytes, at);
      } else if (kind === close) {
        if (depth > 0) depth -= 1;
      } else {
        marks += 1;
        if (kind === open && (depth += 1) > most.depth) return `it is nested deeper than ${most.depth} levels`;
        if (marks > most.marks) return `it holds more than ${most.marks} brackets, commas and colons`;
      }
    }
    this.#depth = depth;
    this.#marks = marks;
    return undefined;
  }

  /** A line of the text has ended, which ends a string too: none can hold a line end. */
  endLine(): void {
    this.#inString = false;
    this.#escaped = false;
  }

  /** The next text begins. */
  reset(): void {
    this.#depth = 0;
    this.#marks = 0;
    this.endLine();
  }

  /** The index behind the closing quote of the string that holds `from`, or the end of the bytes. */
  #behindString(bytes: Uint8Array, from: number): number {
    let at = from;
    // A native search takes a while to begin: short strings, and those full of escapes, are read by hand.
    for (let near = at + nearby; ; near = at + nearby) {
      let escaped = this.#escaped;
      for (const stop = Math.min(near, bytes.length); at < stop; at += 1) {
        if (escaped) escaped = false;
        else if (bytes[at] === backslash) escaped = true;
        else if (bytes[at] === doubleQuote) {
          this.#inString = false;
          this.#escaped = false;
          return at + 1;
        }
      }
      this.#inString = true;
      this.#escaped = escaped;
      if (at >= bytes.length) return at;
      const found = bytes.indexOf(doubleQuote, at);
      const next = found < 0 ? bytes.length : found;
      this.#escaped = endsEscaping(bytes, at, next, escaped);
      at = next;
    }
  }
}

/** Whether the bytes from `from` to `to`, which hold no quote, end in a backslash that escapes what follows. */
function endsEscaping(bytes: Uint8Array, from: number, to: number, escaped: boolean): boolean {
  let at = to;
  while (at > from && bytes[at - 1] === backslash) at -= 1;
  const count = to - at + (at === from && escaped ? 1 : 0);
  return count % 2 === 1;
}

const nearby = 48;
const doubleQuote = 0x22;
const backslash = 0x5c;

const plain = 0;
const quote = 1;
const open = 2;
const close = 3;
const separator = 4;

const kinds = new Uint8Array(256);
kinds[doubleQuote] = quote;
for (const character of '[{') kinds[character.charCodeAt(0)] = open;
for (const character of ']}') kinds[character.charCodeAt(0)] = close;
for (const character of ',:') kinds[character.charCodeAt(0)] = separator;
