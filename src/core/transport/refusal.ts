// What a refused HTTP request tells a person besides its status: the beginning of the body as plain words, and when to
// come back. Pure. Bounds and cleans; hiding secrets is left to the redactor of the launch, which runs behind it.
import { stripTerminal, truncate } from '../../base/sanitise.ts';
import type { ErrorData } from '../errors.ts';
import { limits } from '../limits.ts';

/** `retryAfter` is the raw header. */
export function refusalData(text: string | undefined, retryAfter: string | null | undefined): ErrorData {
  const excerpt = bodyExcerpt(text ?? '');
  const wait = waitOf(retryAfter ?? '');
  return {
    ...(excerpt === '' ? {} : { excerpt }),
    ...(wait === undefined ? {} : { retryAfter: wait }),
  };
}

/** One line without tags, controls and hidden characters. Cut without a marker: a secret over the cut is then still known. */
function bodyExcerpt(text: string): string {
  const body = text.slice(0, limits.http.errorBody);
  const words = /^\s*<(?:!|\?|html|head|body)/i.test(body) ? withoutTags(body) : body;
  return truncate(
    stripTerminal(words)
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim(),
    limits.http.excerpt,
    '',
  );
}

function withoutTags(html: string): string {
  return html.replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ').replace(/<[^>]*(?:>|$)/g, ' ');
}

/** Seconds or a date (RFC 9110, 10.2.3); anything else is not repeated. */
function waitOf(header: string): string | undefined {
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return `${Number(text)} s`;
  const date = /^[A-Z][a-z]{2},? /.test(text) ? new Date(text) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date.toUTCString();
}
