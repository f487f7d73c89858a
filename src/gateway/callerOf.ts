import { isJsonObject } from '../contract/json.ts';
import type { Caller } from '../core/ports.ts';

/**
 * Who calls, as it names itself: what a person reads where a call is asked about or recorded. `session`: what tells it apart
 * from another one of the same name; undefined where nothing does.
 */
export function callerOf(clientInfo: unknown, session: string | undefined): Caller {
  const { title, name } = isJsonObject(clientInfo) ? clientInfo : {};
  const told = [title, name].find((text) => typeof text === 'string' && text !== '');
  const shown = typeof told === 'string' ? told.slice(0, 100) : 'unknown';
  return { kind: 'gateway', name: shown, ...(session !== undefined && { session }) };
}
