// What counts as a JSON-RPC message on a pipe. Only the outer shape is looked at, so that a large result costs nothing;
// the SDK checks the rest. An answer of a wrong shape still names its call: it fails that call instead of getting lost.
import type { JSONRPCErrorResponse, JSONRPCMessage } from '@modelcontextprotocol/client';
import { truncate } from '../../base/sanitise.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import { transportError } from './transportError.ts';

/** The messages in one parsed line, or undefined where it holds something else. A batch (2025-03-26) is several. */
export function jsonRpcMessages(value: unknown): readonly JSONRPCMessage[] | undefined {
  if (!Array.isArray(value)) {
    const message = oneMessage(value);
    return message && [message];
  }
  const messages = value.map(oneMessage);
  return messages.length > 0 && messages.every((message) => message !== undefined) ? messages : undefined;
}

function oneMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return undefined;
  const { id, method, error } = value;
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (typeof method === 'string') return hasId || id === undefined ? asMessage(value) : undefined;
  if (!hasId) return undefined;
  if (isJsonObject(value['result']) || isErrorObject(error)) return asMessage(value);
  return invalidAnswer(id, faultOf(value));
}

function isErrorObject(error: unknown): boolean {
  return isJsonObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
}

function invalidAnswer(id: string | number, fault: string): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: transportError('invalidResponse', fault) };
}

/** What is wrong with an answer; what it says is kept, cut. */
function faultOf({ result, error }: JsonObject): string {
  if (error !== undefined) return `its error is not an error object but ${shortJson(error)}`;
  return result === undefined
    ? 'it has neither a result nor an error'
    : `its result is not an object but ${shortJson(result)}`;
}

function shortJson(value: JsonValue): string {
  const cut = typeof value === 'string' ? truncate(value, 200) : value;
  return truncate(JSON.stringify(cut), 200);
}

/** The one place where a checked value takes the SDK's type. */
function asMessage(value: JsonObject): JSONRPCMessage {
  return value as unknown as JSONRPCMessage;
}
