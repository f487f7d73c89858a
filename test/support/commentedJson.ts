import type { JsonValue } from '../../src/contract/json.ts';

/** Writes a value as JSON with comments, trailing commas and layouts that `choose(n)` (0 to n-1) decides. Comments are numbered. */
export function commentedJson(value: JsonValue, choose: (count: number) => number): string {
  let comments = 0;
  const space = (): string => {
    switch (choose(7)) {
      case 0:
        return ` /* c${comments++} */ `;
      case 1:
        return ` // c${comments++}\n`;
      case 2:
        return '\n    ';
      case 3:
        return `\n  /* c${comments++}\n  more */`;
      case 4:
        return ' ';
      default:
        return '';
    }
  };
  const items = (open: string, close: string, pieces: readonly string[]): string => {
    const trailing = pieces.length > 0 && choose(3) === 0 ? `,${space()}` : '';
    return `${open}${space()}${pieces.map((piece) => `${piece}${space()}`).join(`,${space()}`)}${trailing}${close}`;
  };
  const write = (part: JsonValue): string => {
    if (Array.isArray(part)) return items('[', ']', (part as readonly JsonValue[]).map(write));
    if (typeof part !== 'object' || part === null) return JSON.stringify(part);
    const pieces = Object.entries(part).map(
      ([key, field]) => `${JSON.stringify(key)}${space()}:${space()}${write(field ?? null)}`,
    );
    return items('{', '}', pieces);
  };
  return `${space()}${write(value)}${space()}`;
}
