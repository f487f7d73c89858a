// A value as the question shows it (TRUST-3): what is plausibly a secret only as its hash. Who writes a file also chooses
// the names and the shapes in it, so neither may hide what could run or be reached: a command, a path, a host. Pure.
import { createHash } from 'node:crypto';
import { behindScheme, credentialRanges, type TextRange } from '../../base/credentialShapes.ts';
import { isSensitiveName } from '../../base/sensitive.ts';
import type { BoundField, Piece } from './template.ts';

/** References as written; `name` is that of the variable or header. */
export function shownValue(name: string, value: BoundField | string): string {
  const pieces: readonly Piece[] = typeof value === 'string' ? [value] : value.pieces;
  const text = typeof value === 'string' ? value : value.shown;
  const named = isSensitiveName(name);
  if (named && pieces.length > 1) {
    return pieces
      .map((piece) => (typeof piece !== 'string' ? piece.ref : isToken(piece) ? hashOf(piece) : piece))
      .join('');
  }
  const start = behindScheme(text);
  const rest = text.slice(start);
  if (named ? isSecret(rest) : isKey(rest)) return text.slice(0, start) + hashOf(rest);
  if (privateKey.test(text)) return hashOf(text);
  const ranges = credentialRanges(text).map((range) => tokenIn(text, range));
  return hashed(text, ranges);
}

/** May be nothing but a secret, a phrase of words too: no sign that a shell acts on, no path, no URL. */
function isSecret(text: string): boolean {
  return (
    text !== '' &&
    !/[\r\n;&|<>()$`\\{}]|:\/\//.test(text) &&
    !/^(?:~|\.{1,2})?\//.test(text) &&
    !/^[A-Za-z]:/.test(text)
  );
}

/** The same, and one word. */
function isToken(text: string): boolean {
  return isSecret(text) && !/[\s"']/.test(text);
}

/** Keys without a mark of their own: 64 digits, or the 40 characters of an AWS secret. */
function isKey(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text) || /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z0-9+/]{40}$/.test(text);
}

/** The whole value is one, line by line; a line that may be a path makes it none. */
const privateKey =
  /^-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----(?:\r?\n|\\n)(?:(?!\/)[A-Za-z0-9+/=]{1,76}(?:\r?\n|\\n))+-----END [A-Z ]{0,32}PRIVATE KEY-----(?:\r?\n|\\n)?$/;

/** The password of a URL without the name before it, the value of a header behind its scheme. */
function tokenIn(text: string, { start, end }: TextRange): TextRange {
  const found = text.slice(start, end);
  if (found.endsWith('@')) return { start: start + found.indexOf(':') + 1, end: end - 1 };
  return { start: start + behindScheme(found), end };
}

function hashed(text: string, ranges: readonly TextRange[]): string {
  const parts: string[] = [];
  let at = 0;
  const hidden = ranges.filter(({ start, end }) => isToken(text.slice(start, end)));
  for (const { start, end } of hidden.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    parts.push(text.slice(at, from), hashOf(text.slice(from, end)));
    at = end;
  }
  return [...parts, text.slice(at)].join('');
}

function hashOf(text: string): string {
  return `SHA-256 ${createHash('sha256').update(text).digest('hex')}`;
}
