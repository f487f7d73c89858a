/** What JSON with comments is made of, and what it must not hold: enough of it anywhere breaks any file. */
export const jsonPieces: readonly string[] = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '/*', '*/', '//', '\n', '\r', '\0', '\uFEFF', '\uD800'],
];
