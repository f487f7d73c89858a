// A call as another extension hands it over, taken down at once. Nothing is believed of it: each part is read once, and
// the arguments are copied as JSON, so that what is asked about, noted and sent is one and the same. Pure.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { limits } from '../../core/limits.ts';

export interface TakenCall {
  readonly caller: string;
  readonly server: string;
  readonly tool: string;
  /** Undefined where they are no JSON object, or too large. */
  readonly args: JsonObject | undefined;
  readonly seen: string | undefined;
}

/** Never throws: what cannot be read is empty. */
export function takenCall(call: unknown): TakenCall {
  const [caller, server, tool] = ['caller', 'server', 'tool'].map((name) => textOf(field(call, name)));
  const seen = field(call, 'seen');
  return {
    caller: caller ?? '',
    server: server ?? '',
    tool: tool ?? '',
    args: copied(call),
    seen: seen === undefined ? undefined : textOf(seen),
  };
}

function field(value: unknown, name: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function copied(call: unknown): JsonObject | undefined {
  try {
    const given = field(call, 'arguments');
    if (given === undefined) return {};
    // Undefined for what JSON has no word for.
    const text = JSON.stringify(given) as string | undefined;
    if (text === undefined || text.length > limits.gateway.body) return undefined;
    const copy: unknown = JSON.parse(text);
    return isJsonObject(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}
