// Failures that the transport finds in an answer, in the only form that reaches the waiting call: a JSON-RPC error.
// The number and the marker in `data` tell them from errors that a server made itself.
import type { ErrorCode } from '../../contract/errorCodes.ts';
import { isJsonObject } from '../../contract/json.ts';
import { rpcCodes } from '../rpcCodes.ts';

/** The failures that can be delivered this way. */
export type TransportErrorCode = Extract<ErrorCode, 'frameTooLarge' | 'invalidResponse'>;

interface ErrorObject {
  code: number;
  message: string;
  data: Record<string, string>;
}

/** The `error` member of a JSON-RPC answer made by us in place of one that could not be used. */
export function transportError(code: TransportErrorCode, message: string): ErrorObject {
  return { code: rpcCodes[code], message, data: { [marker]: code } };
}

/** The failure behind a JSON-RPC error (its number and data), or undefined where the server itself reported it. */
export function transportErrorCode(error: { code: number; data?: unknown }): TransportErrorCode | undefined {
  const code = isJsonObject(error.data) ? error.data[marker] : undefined;
  return (code === 'frameTooLarge' || code === 'invalidResponse') && error.code === rpcCodes[code] ? code : undefined;
}

/** Fresh in each process: no server can know it, so none can pass its own error off as ours. */
const marker = `transport-${crypto.randomUUID()}`;
