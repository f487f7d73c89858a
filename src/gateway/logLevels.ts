import type { JsonValue } from '../contract/json.ts';

/** Whether a log line of this level is wanted where `least` is. Where no level was named, all are. */
export function isLoudEnough(level: JsonValue | undefined, least: string | undefined): boolean {
  return least === undefined || (typeof level === 'string' && logLevels.indexOf(level) >= logLevels.indexOf(least));
}

/** Notes what `who` wants at `place`; answers the most talkative level that anybody wants there, undefined where nobody does. */
export function wantLevel(place: object, who: object, level: string | undefined): string | undefined {
  const levels = wanted.get(place) ?? new Map<object, string>();
  wanted.set(place, levels);
  if (level === undefined) levels.delete(who);
  else levels.set(who, level);
  const all = new Set(levels.values());
  return logLevels.find((each) => all.has(each));
}

const wanted = new WeakMap<object, Map<object, string>>();

/** RFC 5424, from the most talkative. */
export const logLevels: readonly string[] = [
  ...['debug', 'info', 'notice', 'warning'],
  ...['error', 'critical', 'alert', 'emergency'],
];
