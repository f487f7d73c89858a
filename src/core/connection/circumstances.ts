// What happened beside a failure and often is its cause, as further data of the error: stdout lines that were passed
// over before a time-out, and the size of a request that the server cut off. Pure; changes neither code nor outcome.
import { truncate } from '../../base/sanitise.ts';
import { sizeText } from '../../base/sizeText.ts';
import type { ErrorCode } from '../../contract/errorCodes.ts';
import type { JsonObject } from '../../contract/json.ts';
import { type ErrorData, ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';

/** Lines on stdout that were no messages, so far. */
export interface Noise {
  readonly count: number;
  /** The newest one: redacted, sanitised, bounded. */
  readonly sample: string;
}

/** A time-out during which the server printed such lines tells how many; `before` were there when the wait began. */
export function withNoise(error: ManagerError, noise: Noise | undefined, before = 0): ManagerError {
  const count = (noise?.count ?? 0) - before;
  if (noise === undefined || count <= 0 || !timeOuts.has(error.code)) return error;
  return withData(error, { noiseLines: count, noiseSample: truncate(noise.sample, limits.stdio.noiseInError) });
}

/** A large request after which the connection broke tells its size, and one that is refused as too large always does. */
export function withSize(error: ManagerError, params: JsonObject | undefined): ManagerError {
  const refused = error.code === 'httpStatus' && error.data['status'] === 413;
  if (!refused && (error.outcome === 'notSent' || !breaks.has(error.code))) return error;
  const size = Buffer.byteLength(JSON.stringify(params ?? {}));
  return refused || size >= limits.largeRequest ? withData(error, { sentSize: sizeText(size) }) : error;
}

const timeOuts: ReadonlySet<ErrorCode> = new Set(['connectTimeout', 'eraProbeSilent', 'requestTimeout', 'callTimeout']);
const breaks: ReadonlySet<ErrorCode> = new Set(['networkFailed', 'connectionClosed', 'processExited']);

function withData({ code, data, cause, outcome, stderr }: ManagerError, more: ErrorData): ManagerError {
  return new ManagerError(code, { ...data, ...more }, { cause, outcome, stderr });
}
