// What a server prints to stdout that is no message (CONN-9): counted, and the newest kept. Cleaning a line costs more
// than reading it, so it is done only for those that somebody gets to see.
import type { Redactor } from '../../base/redact.ts';
import { stripTerminal, visibleLine } from '../../base/sanitise.ts';
import { limits } from '../limits.ts';

export class StdoutNoise {
  readonly #redactor: Redactor;
  #count = 0;
  /** The newest line as it came, until somebody asks for it; then as it may be shown. */
  #line: string | undefined;
  #sample = '';

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  get count(): number {
    return this.#count;
  }

  /** The newest line that is not blank: redacted, sanitised, bounded. */
  get sample(): string {
    if (this.#line !== undefined) this.#sample = this.clean(this.#line);
    this.#line = undefined;
    return this.#sample;
  }

  /** @returns whether it is to be told: the first ones are, and then ever fewer */
  add(line: string): boolean {
    this.#count += 1;
    if (line.trim() !== '') this.#line = line;
    return this.#count <= limits.stdio.noiseSamples || Number.isInteger(Math.log2(this.#count));
  }

  clean(line: string): string {
    return visibleLine(this.#redactor.text(stripTerminal(line), { cut: true }), limits.stdio.noiseLine);
  }
}
