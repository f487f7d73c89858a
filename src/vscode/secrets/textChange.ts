export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The lines in which two texts differ, as one change: everything around keeps its marks, folds and cursors. */
export function textChange(before: string, after: string): TextChange {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < most - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  // Whole lines: no pair of halves, and no line end of two characters, is cut.
  start = before.slice(0, start).lastIndexOf('\n') + 1;
  const lineEnd = before.indexOf('\n', before.length - tail);
  tail = lineEnd === -1 ? 0 : before.length - lineEnd - 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}
