// What a failure is on the wire: the server's own error as it sent it, without what it was lent; else ours, with a code
// that agents can tell apart and the sentence that a person would read.
import { visibleLine } from '../base/sanitise.ts';
import type { Redactor } from '../base/redact.ts';
import type { JsonObject } from '../contract/json.ts';
import { RpcError as ServerError } from '../core/connection/rpcError.ts';
import { type ErrorData, ManagerError } from '../core/errors.ts';
import { rpcCodes } from '../core/rpcCodes.ts';
import { englishOf } from '../contract/sentencesOf.ts';
import type { Outcome } from './reply.ts';

/** A failure with a number of its own, such as an unknown method. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';
  readonly code: number;
  readonly data: JsonObject | undefined;

  constructor(code: number, message: string, data?: JsonObject) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function failed(error: unknown, redactor?: Redactor): Outcome {
  if (error instanceof RpcFailure) {
    const { code, message, data } = error;
    return { kind: 'error', error: { code, message, ...(data && { data }) } };
  }
  const theirs = serverErrorBehind(error);
  if (theirs !== undefined) {
    const { code, message, data } = theirs;
    const shown = { message, ...(data === undefined ? {} : { data: data as JsonObject }) };
    return { kind: 'error', error: { code, ...(redactor?.content(shown) ?? shown) } };
  }
  const ours = error instanceof ManagerError ? error : new ManagerError('internal', { detail: 'the request failed' });
  const { code, data, outcome, stderr } = ours;
  const told = { code, outcome, ...(stderr === undefined ? {} : { stderr: [...stderr] }) };
  return { kind: 'error', error: { code: rpcCodes[code], message: englishOf(code, harmless(data)), data: told } };
}

/** Text of servers and files in it, on one line and without what a terminal or an editor would act on. */
function harmless(data: ErrorData): ErrorData {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? visibleLine(value) : value]),
  );
}

/** A server's answer to this very request; the failures that only came about through one are ours to tell. */
export function serverErrorBehind(error: unknown): ServerError | undefined {
  if (!(error instanceof ManagerError) || error.code !== 'protocolError') return undefined;
  return error.cause instanceof ServerError ? error.cause : undefined;
}
