/**
 * As `replace` with a function, for texts of any length: that one collects all its matches before it calls the function
 * for the first, and megabytes of them end the process. `pattern` is global and matches runs of a bounded length: an
 * unbounded one keeps a stack that megabytes overflow. Ends where the result is longer than `max` UTF-16 units.
 */
export function replaceRuns(
  text: string,
  pattern: RegExp,
  shown: (run: string, start: number) => string,
  max = Number.POSITIVE_INFINITY,
): string {
  let result = '';
  let parts: string[] = [];
  let at = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    parts.push(text.slice(at, match.index), shown(match[0], match.index));
    at = pattern.lastIndex;
    if (parts.length < 4_096) continue;
    result += parts.join('');
    parts = [];
    if (result.length > max) return result;
  }
  return at === 0 ? text : result + parts.join('') + text.slice(at);
}
