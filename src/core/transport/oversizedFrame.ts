// A frame above the limit, in bounded memory: only its two ends are kept, to find out which call it answers (CONN-9).
// Guesses nothing: where the ends do not show an answer with its id beyond doubt, it has none.

/** Which call a frame answers, as far as its ends tell. */
export type FrameAnswer = { readonly kind: 'answer'; readonly id: string | number } | { readonly kind: 'unknown' };

export class OversizedFrame {
  readonly #edge: number;
  readonly #head: Buffer;
  readonly #tail: Buffer;
  #tailLength = 0;
  #headLength = 0;

  /** `edge`: bytes kept of each end. */
  constructor(edge: number) {
    this.#edge = edge;
    this.#head = Buffer.allocUnsafe(edge);
    this.#tail = Buffer.allocUnsafe(2 * edge);
  }

  /** Each byte is copied at most twice, however small the pieces are. */
  append(piece: Buffer): void {
    if (this.#headLength < this.#edge) this.#headLength += piece.copy(this.#head, this.#headLength);
    const last = piece.length > this.#edge ? piece.subarray(piece.length - this.#edge) : piece;
    if (this.#tailLength + last.length > this.#tail.length) {
      this.#tail.copyWithin(0, this.#tailLength - this.#edge, this.#tailLength);
      this.#tailLength = this.#edge;
    }
    this.#tailLength += last.copy(this.#tail, this.#tailLength);
  }

  answer(): FrameAnswer {
    return frameAnswer(
      this.#head.toString('latin1', 0, this.#headLength),
      this.#tail.toString('latin1', Math.max(0, this.#tailLength - this.#edge), this.#tailLength),
    );
  }
}

/**
 * Finds the id of an answer from the first and the last bytes of its frame, each read as Latin-1. The frame has to
 * begin with members of a JSON object up to the large `result` or `error`; the id stands before it, or among the
 * scalars that close the object.
 */
export function frameAnswer(head: string, tail: string): FrameAnswer {
  const first = leadingMembers(head);
  if (first.has('method') || !(first.has('result') || first.has('error'))) return { kind: 'unknown' };
  const last = closingScalars(tail);
  if (last?.includes('"method"') === true) return { kind: 'unknown' };
  const token = first.get('id') ?? lastId.exec(last ?? '')?.[1];
  const id = token === undefined ? undefined : parseScalar(token);
  return typeof id === 'string' || typeof id === 'number' ? { kind: 'answer', id } : { kind: 'unknown' };
}

/** The id of a message that is not to be parsed, from its whole text; undefined where it has none. Of two, the last counts. */
export function idWithoutParsing(text: string): string | number | undefined {
  const token = leadingMembers(text).get('id');
  const id = token === undefined ? undefined : parseScalar(token);
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** Members of the outermost object as far as `text` goes: key to the text of its scalar, undefined for all else. */
function leadingMembers(text: string): Map<string, string | undefined> {
  const members = new Map<string, string | undefined>();
  let at = skipBlanks(text, 0);
  if (text[at] !== '{') return members;
  do {
    at = skipBlanks(text, at + 1);
    const keyEnd = text[at] === '"' ? endOfString(text, at) : text.length;
    const key = text.slice(at + 1, keyEnd - 1);
    at = skipBlanks(text, keyEnd);
    if (text[at] !== ':') return members;
    at = skipBlanks(text, at + 1);
    const end = endOfValue(text, at);
    const scalar = text[at] !== '{' && text[at] !== '[' && end < text.length;
    members.set(key, scalar ? text.slice(at, end) : undefined);
    at = skipBlanks(text, end);
  } while (text[at] === ',');
  return members;
}

/** The scalar members right before the closing brace; what stands there is a member of the outermost object. */
function closingScalars(text: string): string | undefined {
  return /(?:,\s{0,64}"(?:jsonrpc|id|method)"\s{0,64}:\s{0,64}(?:"(?:[^"\\]|\\.){0,1024}"|-?\d{1,20}|null)\s{0,64})+\}\s{0,64}$/.exec(
    text.slice(-4096),
  )?.[0];
}

const lastId = /,\s{0,64}"id"\s{0,64}:\s{0,64}("(?:[^"\\]|\\.){0,1024}"|-?\d{1,20})\s{0,64}[,}]/;

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at += 1;
  return at;
}

/** The index behind the closing quote of the string that opens at `from`; the text's end where it is cut. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function endOfValue(text: string, from: number): number {
  let at = from;
  let depth = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '"') {
      at = endOfString(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (depth === 0 && at > from && ',}] \t\r\n'.includes(character)) return at;
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') {
      depth -= 1;
      if (depth <= 0) return at + 1;
    }
    at += 1;
  }
  return text.length;
}

function parseScalar(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'latin1').toString('utf8'));
  } catch {
    return undefined;
  }
}
