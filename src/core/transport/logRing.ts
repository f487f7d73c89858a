// The last lines of one subject, bounded as a whole and per line (CONN-10): a server that talks without end costs no
// memory. Keeps the newest, counts what went. Text is kept as it is given; whoever shows it makes it harmless.
import { limits } from '../limits.ts';

export interface LogRingLimits {
  /** All kept lines together, in UTF-16 units. */
  readonly size: number;
  /** The longest line that is kept whole, in UTF-16 units. */
  readonly line: number;
}

export class LogRing {
  readonly #limits: LogRingLimits;
  #lines: string[] = [];
  /** Lines before this index are dropped already; they leave the array in bulk. */
  #first = 0;
  #size = 0;
  #dropped = 0;

  constructor(bounds: LogRingLimits = { size: limits.log.ring, line: limits.log.line }) {
    this.#limits = bounds;
  }

  /** How many lines are no longer kept. */
  get dropped(): number {
    return this.#dropped;
  }

  push(line: string): void {
    const kept = line.length > this.#limits.line ? `${line.slice(0, this.#limits.line - 1)}…` : line;
    this.#lines.push(kept);
    this.#size += cost(kept);
    while (this.#size > this.#limits.size && this.#first < this.#lines.length - 1) {
      this.#size -= cost(this.#lines[this.#first] ?? '');
      this.#first += 1;
      this.#dropped += 1;
    }
    if (this.#first > 1_024 && this.#first * 2 > this.#lines.length) this.#compact();
  }

  /** The kept lines, oldest first; with `count`, only the last ones. */
  lines(count = Infinity): readonly string[] {
    return this.#lines.slice(Math.max(this.#first, this.#lines.length - count));
  }

  clear(): void {
    this.#lines = [];
    this.#first = 0;
    this.#size = 0;
    this.#dropped = 0;
  }

  #compact(): void {
    this.#lines = this.#lines.slice(this.#first);
    this.#first = 0;
  }
}

/** An empty line costs something too, or a stream of newlines would have no bound. */
function cost(line: string): number {
  return line.length + 1;
}
