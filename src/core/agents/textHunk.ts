// The one stretch in which two texts differ, and taking such a change back from a text that may have changed elsewhere.

/** `removed` was replaced by `inserted` at `at`, in UTF-16 units of either text. */
export interface TextHunk {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
}

/** The shortest hunk that makes `after` of `before`; it splits no pair of surrogates and no line end of two characters. */
export function hunkBetween(before: string, after: string): TextHunk {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  while (start > 0 && isWithinPair(before, start, after)) start -= 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  while (end > 0 && isWithinPair(before, before.length - end, after, after.length - end)) end -= 1;
  return {
    at: start,
    removed: before.slice(start, before.length - end),
    inserted: after.slice(start, after.length - end),
  };
}

/**
 * Texts that the hunk could be taken back to, the likeliest first: at its own place, then where the same text stands
 * exactly once. Empty where it stands nowhere any more. Whoever asks has to check what such a text means.
 */
export function takeBack(text: string, { at, removed, inserted }: TextHunk): readonly string[] {
  if (inserted === '') return text.startsWith(removed, at) ? [] : [splice(text, at, 0, removed)];
  if (text.startsWith(inserted, at)) return [splice(text, at, inserted.length, removed)];
  const found = text.indexOf(inserted);
  if (found < 0 || text.includes(inserted, found + 1)) return [];
  return [splice(text, found, inserted.length, removed)];
}

function splice(text: string, at: number, length: number, replacement: string): string {
  return text.slice(0, at) + replacement + text.slice(at + length);
}

function isWithinPair(a: string, at: number, b: string, otherAt = at): boolean {
  return splitsPair(a, at) || splitsPair(b, otherAt);
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (before === 0x0d && after === 0x0a) return true;
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
