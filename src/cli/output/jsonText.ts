/**
 * JSON as text that is safe on a terminal and still exactly the same value: characters that a terminal would obey or
 * hide (C1 controls, bidi, zero width, tags, lone line separators) are written as `\u…` escapes.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(unsafe, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

const unsafe = /[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}]/gu;
