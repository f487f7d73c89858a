// One line of an agent's stdin, read as far as a proxy has to know it: what it is, of which era, and what its headers are
// on the way to a gateway. Pure. A batch (2025-03-26) is read as its messages, each answered by itself.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { headerText } from '../../core/tools/mirroredHeaders.ts';
import { withoutMark } from '../../gateway/byteOrderMark.ts';
import { claim, idIn, isModern, messageIn, mirroredName, type RpcId } from '../../gateway/inbound.ts';

export type AgentFrame = (
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'answer'; readonly id: RpcId }
) & {
  readonly era: 'legacy' | 'modern';
  /** As the agent sent it. */
  readonly bytes: Buffer;
};

export type RequestFrame = Extract<AgentFrame, { kind: 'request' }>;

/** A line that holds no message, with the answer that it gets. */
export interface Noise {
  readonly kind: 'noise';
  readonly id: RpcId | null;
  readonly code: number;
  readonly message: string;
}

export function readFrames(bytes: Buffer): readonly (AgentFrame | Noise)[] {
  const line = withoutMark(bytes);
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {
    return [{ kind: 'noise', id: null, code: -32700, message: 'Parse error: this line is not JSON.' }];
  }
  if (!Array.isArray(value)) return [frameOf(value, line)];
  const batch: readonly unknown[] = value;
  return batch.length === 0
    ? [frameOf(value, line)]
    : batch.map((each) => frameOf(each, Buffer.from(JSON.stringify(each))));
}

function frameOf(value: unknown, bytes: Buffer): AgentFrame | Noise {
  const message = messageIn(value);
  if (message === undefined) {
    const why = 'Invalid request: this line is no JSON-RPC message.';
    return { kind: 'noise', id: idIn(value), code: -32600, message: why };
  }
  if (message.kind === 'answer') return { kind: 'answer', id: message.id, era: 'legacy', bytes };
  return { ...message, era: eraOf(message.method, message.params), bytes };
}

/** A revision that is none of the modern ones belongs to the old handshake, whatever else is said. */
function eraOf(method: string, params: JsonObject): 'legacy' | 'modern' {
  const claimed = claim(params);
  return typeof claimed === 'string' && (isModern(claimed) || method !== 'initialize') ? 'modern' : 'legacy';
}

/** What the headers of a request repeat of it (2026-07-28, SEP-2243). None for a legacy one, whose session says it all. */
export function mirrorHeaders(frame: AgentFrame): Readonly<Record<string, string>> {
  if (frame.era === 'legacy' || frame.kind === 'answer') return {};
  const version = claim(frame.params);
  const name = mirroredName(frame);
  return {
    ...(typeof version === 'string' && { 'mcp-protocol-version': headerText(version) }),
    'mcp-method': headerText(frame.method),
    ...(name !== undefined && { 'mcp-name': headerText(name) }),
  };
}

/** Whether a message from the gateway answers the request of this id; what is not, is said along the way. */
export function isAnswerTo(id: RpcId, message: Buffer): boolean {
  // As our own gateway writes it: most answers need no second look.
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"`);
  if (message.subarray(0, head.length).equals(head)) return message[head.length] !== 0x6d; // the m of method
  const said = readObject(message);
  return said?.['id'] === id && said['method'] === undefined;
}

export function readObject(message: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(message.toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
