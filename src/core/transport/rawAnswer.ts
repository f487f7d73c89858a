// Finds the id of an answer in its bytes, so that a bridge can put another one there and send the rest on unread (GATE).
// Promises: what it accepts has the members `jsonrpc`, `id` and `result` once each and nothing else, so an answer cannot
// name a second id behind our back; everything unusual is left to the parser. What is inside the result it never looks
// at: bytes that are no JSON there fail for whoever asked, and for nobody else.

/** A whole answer as it came; the bytes from `idFrom` to `idTo` are its id, those from `resultFrom` to `resultTo` its result. */
export interface RawAnswer {
  readonly frame: Buffer;
  readonly idFrom: number;
  readonly idTo: number;
  readonly resultFrom: number;
  readonly resultTo: number;
}

export interface FoundAnswer extends RawAnswer {
  /** Of the request of ours that it answers. */
  readonly id: number;
}

/** Undefined where `frame` is anything but a plain answer with a result. The frame is not copied. */
export function rawAnswerIn(frame: Buffer): FoundAnswer | undefined {
  const members = new Map<string, readonly [number, number]>();
  let at = skipBlank(frame, 0);
  if (frame[at] !== openBrace) return undefined;
  at = skipBlank(frame, at + 1);
  for (;;) {
    if (frame[at] !== quote) return undefined;
    const keyEnd = frame.indexOf(quote, at + 1);
    if (keyEnd < 0 || keyEnd - at > longestKey) return undefined;
    const key = frame.toString('latin1', at + 1, keyEnd);
    if (!known.has(key) || members.has(key)) return undefined;
    at = skipBlank(frame, keyEnd + 1);
    if (frame[at] !== colon) return undefined;
    const from = skipBlank(frame, at + 1);
    const to = valueEnd(frame, from);
    if (to === undefined) return undefined;
    members.set(key, [from, to]);
    at = skipBlank(frame, to);
    if (frame[at] === closeBrace) break;
    if (frame[at] !== comma) return undefined;
    at = skipBlank(frame, at + 1);
  }
  if (skipBlank(frame, at + 1) !== frame.length) return undefined;
  const [version, id, result] = [members.get('jsonrpc'), members.get('id'), members.get('result')];
  if (version === undefined || id === undefined || result === undefined) return undefined;
  if (frame.toString('latin1', ...version) !== '"2.0"' || frame[result[0]] !== openBrace) return undefined;
  const number = frame.toString('latin1', ...id);
  if (!/^(?:0|[1-9]\d{0,14})$/.test(number)) return undefined;
  return { frame, id: Number(number), idFrom: id[0], idTo: id[1], resultFrom: result[0], resultTo: result[1] };
}

const known = new Set(['jsonrpc', 'id', 'result']);
const longestKey = 8;

/** The index behind the value that begins at `from`; undefined where the frame ends before it does. */
function valueEnd(frame: Buffer, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < frame.length;) {
    const kind = kinds[frame[at] ?? 0];
    if (kind === plain) {
      at += 1;
    } else if (kind === text) {
      const end = stringEnd(frame, at);
      if (end === undefined) return undefined;
      at = end;
      if (depth === 0) return at;
    } else if (kind === open) {
      depth += 1;
      at += 1;
    } else if (kind === close) {
      // The bracket of what the value stands in.
      if (depth === 0) return at > from ? at : undefined;
      depth -= 1;
      at += 1;
      if (depth === 0) return at;
    } else {
      if (depth === 0) return at > from ? at : undefined;
      at += 1;
    }
  }
  return undefined;
}

/** The index behind the string that begins at `from`. */
function stringEnd(frame: Buffer, from: number): number | undefined {
  for (let at = from + 1; ; at += 1) {
    at = nextQuote(frame, at);
    if (at < 0) return undefined;
    let slashes = 0;
    while (frame[at - 1 - slashes] === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

/** A native search takes a while to begin: short strings are read by hand. */
function nextQuote(frame: Buffer, from: number): number {
  const stop = Math.min(from + 32, frame.length);
  for (let at = from; at < stop; at += 1) if (frame[at] === quote) return at;
  return frame.indexOf(quote, stop);
}

function skipBlank(frame: Buffer, from: number): number {
  let at = from;
  while (frame[at] === 0x20 || frame[at] === 0x09 || frame[at] === 0x0d) at += 1;
  return at;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const colon = 0x3a;
const comma = 0x2c;

const plain = 0;
const text = 1;
const open = 2;
const close = 3;
const separator = 4;

const kinds = new Uint8Array(256);
kinds[quote] = text;
for (const bracket of '[{') kinds[bracket.charCodeAt(0)] = open;
for (const bracket of ']}') kinds[bracket.charCodeAt(0)] = close;
kinds[comma] = separator;
for (const blank of ' \t\r') kinds[blank.charCodeAt(0)] = separator;
