// Cuts a byte stream into lines and lines into JSON-RPC messages (CONN-9). Splits on bytes only, so characters are
// whole; copies each byte a constant number of times, so time is linear in the size of a frame. Never throws: what is
// no message is noise. A frame above the limit, or one that would take long to parse, is passed over in bounded memory and
// fails the call that it answers.
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { limits } from '../limits.ts';
import { JsonMeter } from './jsonMeter.ts';
import { jsonRpcMessages } from './jsonRpcMessage.ts';
import { OversizedFrame } from './oversizedFrame.ts';
import { type FoundAnswer, rawAnswerIn } from './rawAnswer.ts';
import { transportError, type TransportErrorCode } from './transportError.ts';

export interface FrameReaderOptions {
  /** Bytes that one frame may have, its line end not counted. */
  readonly limit: number;
  /** Bytes kept of both ends of a larger one. */
  readonly edge: number;
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** Whether this answer is for somebody who sends it on unread; its bytes are theirs then. Absent where nobody does. */
  readonly takeRaw?: (answer: FoundAnswer) => boolean;
  /** A line that holds no message, cut to `edge` bytes; not sanitised. */
  readonly onNoise: (line: string) => void;
  /** A frame that was passed over and whose call could not be told. */
  readonly onLost: (why: Refusal) => void;
}

/** Why a frame was passed over. */
export interface Refusal {
  readonly code: TransportErrorCode;
  readonly detail: string;
}

export class FrameReader {
  readonly #options: FrameReaderOptions;
  /** The beginning of the current line: the first `#length` bytes of the buffer. */
  #buffer = Buffer.alloc(0);
  #length = 0;
  /** Set while the rest of the current line is passed over. */
  #skipped: { readonly kind: 'noise' } | Refused | undefined;
  readonly #meter = new JsonMeter();

  constructor(options: FrameReaderOptions) {
    this.#options = options;
  }

  /** Reads until `most` lines have ended, and answers how many bytes it has read. */
  push(chunk: Buffer, most = Number.POSITIVE_INFINITY): number {
    let from = 0;
    let lines = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      this.#endLine(chunk.subarray(from, end));
      from = end + 1;
      lines += 1;
      if (lines >= most) return from;
    }
    if (from < chunk.length) this.#append(chunk.subarray(from));
    return chunk.length;
  }

  /** The stream has ended: a last line without a line end counts as a line. */
  end(): void {
    if (this.#length > 0 || this.#skipped) this.#endLine(nothing);
  }

  #append(piece: Buffer): void {
    const { limit, edge } = this.#options;
    const size = this.#length + piece.length;
    if (this.#skipped) {
      if (this.#skipped.kind === 'refused') this.#skipped.frame.append(piece);
    } else if (size > edge && !mayBeMessage(this.#beginning(piece))) {
      // A long line that cannot be a message is kept for its sample only.
      this.#store(piece.subarray(0, Math.max(0, edge - this.#length)));
      this.#skipped = { kind: 'noise' };
    } else if (size > limit) {
      this.#refuse(piece, { code: 'frameTooLarge', detail: `it is larger than ${limit} bytes` });
    } else {
      const fault = this.#meter.push(piece);
      if (fault === undefined || !mayBeMessage(this.#beginning(piece))) this.#store(piece);
      else this.#refuse(piece, { code: 'invalidResponse', detail: fault });
    }
  }

  /** Passes the rest of the current line over; what is there and `piece` are its beginning. */
  #refuse(piece: Buffer, why: Refusal): void {
    const frame = new OversizedFrame(this.#options.edge);
    frame.append(this.#buffer.subarray(0, this.#length));
    frame.append(piece);
    this.#skipped = { kind: 'refused', frame, why };
    this.#release();
  }

  /** The first bytes of the current line, with `piece` behind what is there. */
  #beginning(piece: Buffer): Buffer {
    const { edge } = this.#options;
    if (this.#length >= edge) return this.#buffer.subarray(0, edge);
    return Buffer.concat([this.#buffer.subarray(0, this.#length), piece.subarray(0, edge - this.#length)]);
  }

  #store(piece: Buffer): void {
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length) {
      // Doubling keeps the copies of a whole frame below twice its size.
      const larger = Buffer.allocUnsafe(
        Math.min(Math.max(2 * this.#buffer.length, needed, smallest), Math.max(this.#options.limit, needed)),
      );
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    piece.copy(this.#buffer, this.#length);
    this.#length = needed;
  }

  #endLine(rest: Buffer): void {
    // The usual case, a line within one chunk, is read where it stands.
    if (!this.#skipped && this.#length === 0 && rest.length <= this.#options.limit) {
      // What is shorter than the deepest nesting is not worth a look.
      const fault = rest.length > limits.json.depth && mayBeMessage(rest) ? this.#meter.push(rest) : undefined;
      this.#meter.reset();
      if (fault === undefined) {
        this.#line(rest);
        return;
      }
      this.#refuse(rest, { code: 'invalidResponse', detail: fault });
    } else if (rest.length > 0) {
      this.#append(rest);
    }
    const skipped = this.#skipped;
    this.#skipped = undefined;
    if (skipped?.kind === 'refused') {
      this.#answer(skipped);
    } else if (skipped) {
      this.#noise(this.#buffer.subarray(0, this.#length));
    } else if (this.#line(this.#buffer.subarray(0, this.#length)) === 'handedOver') {
      this.#buffer = nothing;
    }
    this.#release();
  }

  #release(): void {
    this.#length = 0;
    this.#meter.reset();
    if (this.#buffer.length > keptBuffer) this.#buffer = nothing;
  }

  #line(line: Buffer): 'handedOver' | 'read' {
    const answer = this.#options.takeRaw && rawAnswerIn(line);
    if (answer !== undefined && this.#options.takeRaw?.(answer) === true) return 'handedOver';
    const messages = mayBeMessage(line) ? parse(line) : undefined;
    if (!messages) this.#noise(line);
    else for (const message of messages) this.#options.onMessage(message);
    return 'read';
  }

  #noise(line: Buffer): void {
    this.#options.onNoise(line.toString('utf8', 0, this.#options.edge).trimEnd());
  }

  #answer({ frame, why }: Refused): void {
    const answer = frame.answer();
    if (answer.kind === 'unknown') {
      this.#options.onLost(why);
      return;
    }
    this.#options.onMessage({ jsonrpc: '2.0', id: answer.id, error: transportError(why.code, why.detail) });
  }
}

interface Refused {
  readonly kind: 'refused';
  readonly frame: OversizedFrame;
  readonly why: Refusal;
}

const lineFeed = 0x0a;
const nothing = Buffer.alloc(0);
const smallest = 64 * 1024;
/** A buffer above this size is given back after its frame. */
const keptBuffer = 1024 * 1024;
const byteOrderMark = '\uFEFF';

/** Whether the first byte that is no blank opens an object or an array; a byte order mark is passed over. */
function mayBeMessage(line: Buffer): boolean {
  let at = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0;
  while (line[at] === 0x20 || line[at] === 0x09 || line[at] === 0x0d) at += 1;
  return line[at] === 0x7b || line[at] === 0x5b;
}

function parse(line: Buffer): readonly JSONRPCMessage[] | undefined {
  const text = line.toString('utf8');
  try {
    return jsonRpcMessages(JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text));
  } catch {
    return undefined;
  }
}
