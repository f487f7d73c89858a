import type { Readable, Writable } from 'node:stream';

/** What a command may touch of the process around it; tests bring their own. */
export interface Host {
  /** Writes to stdout; the text holds its own line ends. */
  out(text: string): void;
  /** Writes to stderr. */
  err(text: string): void;
  /** Whether a person looks at stderr: only then progress is shown. */
  readonly errIsTerminal: boolean;
  /** All of stdin as text; fails when it is longer than `limit` bytes or not UTF-8. */
  readInput(limit: number): Promise<string>;
  /** stdin and stdout as bytes, for the commands that speak a protocol over them. */
  readonly wire: {
    readonly input: Readable;
    readonly output: Writable;
    /** Nobody reads the output any more: the end does not wait until it is written. */
    abandon(): void;
  };
  /** Absolute path of the working directory. Throws UsageError where that is gone. */
  readonly cwd: string;
  /** The home directory of the person. */
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the program is to end early. */
  readonly signal: AbortSignal;
  /** The exit code of the early end, once `signal` is aborted. */
  readonly interruptedBy: () => number | undefined;
}

export interface Command {
  /** Answers with the exit code; throws UsageError for wrong arguments. */
  run(argv: readonly string[], host: Host): Promise<number>;
}

/** Wrong arguments: said in one line, with exit code 64. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
