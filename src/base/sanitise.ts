// Makes text of servers, files and agents safe to look at: what is hidden becomes visible (`[U+202E]`), what is live
// becomes inert. Every function is linear in its input and keeps ordinary text of any language as it is.

/** The text with its lines and tabs kept; every hidden, control, bidi, zero-width or tag character shows as `[U+…]`. */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(suspicious, (character, offset: number) => {
      if (character === '\n' || character === '\t') return character;
      return holdsEmojiTogether(text, character, offset) ? character : notation(character);
    })
    .replace(stackedMarks, (_, kept: string, rest: string) => `${kept}[+${Array.from(rest).length} marks]`);
}

/** The same as one line: line ends show as `⏎`, tabs as a space. At most `max` UTF-16 units where it is given. */
export function visibleLine(text: string, max = Number.POSITIVE_INFINITY): string {
  // What stands far behind the cut need not be looked at: one character grows to at most ten.
  const whole = text.length > max ? text.slice(0, max + 1) : text;
  return truncate(visibleText(whole).replaceAll('\n', '⏎').replaceAll('\t', ' '), max);
}

/** Takes escape sequences of terminals out (colours, cursor moves, OSC 8 links), also unfinished ones: for logs. */
export function stripTerminal(text: string): string {
  return text.includes('\u001B') || text.includes('\u009B') || text.includes('\u009D')
    ? text.replace(terminalSequence, '')
    : text;
}

/** Cuts to at most `max` UTF-16 units, the marker included, and never inside of what a person sees as one character. */
export function truncate(text: string, max: number, marker = '…'): string {
  if (text.length <= max) return text;
  const room = max - marker.length;
  if (room <= 0) return marker.slice(0, Math.max(0, max));
  if (betweenAscii(text, room)) return text.slice(0, room) + marker;
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const start = graphemes.segment(text.slice(0, room + clusterWindow)).containing(room)?.index ?? room;
  if (room - start <= clusterWindow) return text.slice(0, start) + marker;
  // Not a character but a pile: cut inside, though never between the halves of a surrogate pair.
  return text.slice(0, isLowSurrogate(text, room) ? room - 1 : room) + marker;
}

/**
 * Text for Markdown that shows as it is. Each ASCII punctuation mark becomes a character reference, which by
 * CommonMark 2.5 never counts as syntax: no link, image, HTML, code, heading, list, autolink, icon or command is left.
 */
export function markdownText(text: string, max = Number.POSITIVE_INFINITY): string {
  return (
    truncate(visibleText(text.length > max ? text.slice(0, max + 1) : text), max)
      .replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)
      .replaceAll('\t', '    ')
      .replace(/^ +/gm, (indent) => '&#160;'.repeat(indent.length))
      // Tried at the beginning of each run of blanks only, which keeps it linear.
      .replace(/(?<! ) +$/gm, '')
      .replace(/(?<=[^\n])\n/g, '  \n')
  );
}

/**
 * Controls, format characters (bidi, zero width, tags), other characters without a glyph, line and paragraph
 * separators, surrogates that stand alone, private use, noncharacters, blanks that do not look like one.
 */
const suspicious =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u1680\u2000-\u200A\u205F]/gu;

/** More combining marks on one base than any script uses: they would paint over the lines around. */
const stackedMarks = /(\p{M}{8})(\p{M}+)/gu;

/** CSI, OSC and the other string sequences (unfinished ones to the line's end), then two-character escapes. */
const terminalSequence =
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]?|(?:\u001B[\]PX^_]|[\u009D\u0090\u0098\u009E\u009F])[^\u0007\u001B\u009C\n]*(?:\u0007|\u001B\\|\u009C)?|\u001B[ -/]*[0-~]?/g;

/** Made at its first use: it costs more than all else that the editor loads at its start. */
let graphemes: Intl.Segmenter | undefined;
/** A cluster longer than this is cut inside: nobody reads it as one character. */
const clusterWindow = 64;

/** A variation selector right behind an emoji, or a joiner between two: without them an emoji falls apart. */
function holdsEmojiTogether(text: string, character: string, offset: number): boolean {
  if (character !== '\uFE0F' && character !== '\u200D') return false;
  const before = text.slice(Math.max(0, offset - 4), offset);
  if (character === '\uFE0F') return /[\p{Extended_Pictographic}0-9#*]$/u.test(before);
  const after = text.slice(offset + 1, offset + 3);
  return (
    /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?$/u.test(before) && /^\p{Extended_Pictographic}/u.test(after)
  );
}

/** Two of these never make one character, but for a carriage return and its line feed. */
function betweenAscii(text: string, at: number): boolean {
  return /^[\0-\u007F]{2}$/.test(text.slice(at - 1, at + 1)) && text.charAt(at) !== '\n';
}

function isLowSurrogate(text: string, at: number): boolean {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at));
}

function notation(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
