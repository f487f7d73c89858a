// What a failure is on the wire: the server's own error as it sent it, without what it was lent; else ours, with a code
// that agents can tell apart and a sentence that says who has to do what.
import { visibleLine } from '../base/sanitise.ts';
import type { Redactor } from '../base/redact.ts';
import { agentTextOf } from '../contract/agentWords.ts';
import type { JsonObject } from '../contract/json.ts';
import { RpcError as ServerError } from '../core/connection/rpcError.ts';
import { type ErrorData, ManagerError } from '../core/errors.ts';
import { rpcCodes } from '../core/rpcCodes.ts';
import type { Outcome, RpcError } from './reply.ts';

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
  // What a process wrote before it failed stays with the person: it is of every client that it served.
  const { code, data, outcome } = ours;
  const message = agentTextOf(code, harmless(data));
  const failure = { code: rpcCodes[code], message, data: { code, outcome } };
  if (code === 'windowClosed') closed.add(failure);
  return { kind: 'error', error: failure };
}

/** What we said of our own end: a server may say the same, and means nothing to us by it. */
const closed = new WeakSet<RpcError>();

/** Why everything under way ends with its gateway. */
export function windowClosed(): ManagerError {
  return new ManagerError('windowClosed');
}

/**
 * The outcome of a request that `signal` may have ended. Where that was the end of the gateway, a failure says so, and how
 * far the request got, for whoever may go on at another window; an answer that came all the same is one.
 */
export function unlessWindowClosed(method: string, outcome: Outcome, { aborted, reason }: AbortSignal): Outcome {
  const isOver = aborted && reason instanceof ManagerError && reason.code === 'windowClosed';
  if (!isOver || outcome.kind !== 'error' || !endings.has(outcome.error.data?.['code'])) return outcome;
  const isUnsent = outcome.error.data?.['outcome'] === 'notSent';
  const data = isUnsent ? {} : { during: method };
  return failed(new ManagerError('windowClosed', data, { outcome: isUnsent ? 'notSent' : 'unknown' }));
}

/** What requests fail with where their connection ends under them, or is given up. */
const endings: ReadonlySet<unknown> = new Set(['cancelled', 'connectionClosed', 'processExited']);

/** 503 where another gateway may take the request as it is: nothing of it was sent. */
export function statusOfClosed(error: RpcError): number | undefined {
  return closed.has(error) && error.data?.['outcome'] === 'notSent' ? 503 : undefined;
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
