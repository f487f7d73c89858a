// Makes text of servers, files and agents safe to look at: what is hidden becomes visible (`[U+202E]`), what is live
// becomes inert. Every function is linear in its input and keeps ordinary text of any language as it is.
import { replaceRuns } from './replaceRuns.ts';

/**
 * The text with its lines and tabs kept; every hidden, control, bidi, zero-width or tag character shows as `[U+…]`. At
 * most `max` UTF-16 units where it is given.
 */
export function visibleText(text: string, max = Number.POSITIVE_INFINITY): string {
  return shownUpTo(text, max, (part) => visible(part, max));
}

/** The same as one line: line ends show as `⏎`, tabs as a space. */
export function visibleLine(text: string, max = longestField): string {
  return shownUpTo(text, max, (part) => visible(part, max).replaceAll('\n', '⏎').replaceAll('\t', ' '));
}

/**
 * UTF-16 units of one field where its reader names no bound of its own: more than anybody reads in a row or a sentence.
 * What may be whole is asked for as such, with `Infinity`.
 */
const longestField = 8_192;

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
 * `max` counts what is seen.
 */
export function markdownText(text: string, max = longestField): string {
  return (
    replaceRuns(visibleText(text, max), punctuation, (run) => eachCharacter(run, (code) => `&#${code};`))
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
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u1680\u2000-\u200A\u205F\u{13441}\u{13442}\u{16FE4}\u{1D159}\u{1DA7F}\u{1DA80}]{1,1024}/gu;

/** More combining marks on one base than any script uses: they would paint over the lines around. */
const stackedMarks = /\p{M}{9,1024}/gu;

const punctuation = /[!-/:-@[-`{-~]{1,1024}/g;

/** CSI, OSC and the other string sequences (unfinished ones to the line's end), then two-character escapes. */
const terminalSequence =
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]?|(?:\u001B[\]PX^_]|[\u009D\u0090\u0098\u009E\u009F])[^\u0007\u001B\u009C\n]*(?:\u0007|\u001B\\|\u009C)?|\u001B[ -/]*[0-~]?/g;

/** Made at its first use: it costs more than all else that the editor loads at its start. */
let graphemes: Intl.Segmenter | undefined;
/** A cluster longer than this is cut inside: nobody reads it as one character. */
const clusterWindow = 64;

/** `look` never sees more than it may show; what is left out is told by a marker, also where the rest became shorter. */
function shownUpTo(text: string, max: number, look: (text: string) => string): string {
  if (text.length <= max) return truncate(look(text), max);
  const beginning = text.slice(0, max + 1).replace(/[\r\uD800-\uDBFF]$/, '');
  return truncate(`${look(beginning)}…`, max);
}

/** Whole, or more than `max` units of it. */
function visible(text: string, max: number): string {
  const lines = text.replaceAll('\r\n', '\n');
  const shownRun = (run: string, start: number): string =>
    eachCharacter(run, (code, at) =>
      holdsEmojiTogether(lines, code, start + at) ? String.fromCodePoint(code) : notation(code),
    );
  const shown = replaceRuns(lines, suspicious, shownRun, max);
  let end = -1;
  return replaceRuns(shown, stackedMarks, (run, start) => {
    const marks = Array.from(run);
    const kept = start === end ? 0 : 8;
    end = start + run.length;
    return `${marks.slice(0, kept).join('')}[+${marks.length - kept} marks]`;
  });
}

function eachCharacter(run: string, shown: (code: number, at: number) => string): string {
  const parts: string[] = [];
  for (let at = 0; at < run.length; at += 1) {
    const code = run.codePointAt(at) ?? 0;
    parts.push(shown(code, at));
    if (code > 0xffff) at += 1;
  }
  return parts.join('');
}

/**
 * A joiner between two emoji, and a variation selector right behind one or in a keycap (`1`, selector, U+20E3): without
 * them these fall apart.
 */
function holdsEmojiTogether(text: string, code: number, offset: number): boolean {
  if (code !== 0xfe0f && code !== 0x200d) return false;
  const before = text.slice(Math.max(0, offset - 4), offset);
  const after = text.slice(offset + 1, offset + 3);
  if (code === 0xfe0f) {
    return /\p{Extended_Pictographic}$/u.test(before) || (/[0-9#*]$/.test(before) && after.startsWith('\u20E3'));
  }
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

function notation(code: number): string {
  const known = notations.get(code);
  if (known !== undefined) return known;
  const made = `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  if (notations.size < 1_000) notations.set(code, made);
  return made;
}

const notations = new Map<number, string>();
