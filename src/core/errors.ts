// What can go wrong, as codes with data. A code never carries a sentence: contract/sentences.ts turns codes into
// words with a remedy for people, core/rpcCodes.ts into numbers for the wire.
import type { ErrorCode } from '../contract/errorCodes.ts';

/** Values that a sentence may name; text from servers and files is sanitised where it is shown. */
export type ErrorData = Readonly<Record<string, string | number | boolean | undefined>>;

/** How far a failed request got: only `notSent` may ever be tried again (product TOOL-4). */
export type Outcome = 'notSent' | 'unknown' | 'completed';

/** A failure of the manager: a code, the data its sentence needs, and the error behind it. */
export class ManagerError extends Error {
  override readonly name = 'ManagerError';
  readonly code: ErrorCode;
  readonly data: ErrorData;
  readonly outcome: Outcome;
  /** The last lines of a failed process, redacted (CONN-10). */
  readonly stderr: readonly string[] | undefined;

  constructor(
    code: ErrorCode,
    data: ErrorData = {},
    options: { cause?: unknown; outcome?: Outcome; stderr?: readonly string[] | undefined } = {},
  ) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = data;
    this.outcome = options.outcome ?? 'notSent';
    this.stderr = options.stderr;
  }
}
