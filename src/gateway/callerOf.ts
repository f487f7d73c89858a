import { isJsonObject } from '../contract/json.ts';
import type { Caller } from '../core/ports.ts';

/** Who calls, as it names itself: what a person reads where a call is asked about or recorded. */
export function callerOf(clientInfo: unknown): Caller {
  const { title, name } = isJsonObject(clientInfo) ? clientInfo : {};
  const told = [title, name].find((text) => typeof text === 'string' && text !== '');
  return { kind: 'gateway', name: typeof told === 'string' ? told.slice(0, 100) : 'unknown' };
}
