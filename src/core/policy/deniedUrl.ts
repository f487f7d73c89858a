// URLs that the editor's settings deny (POL-4): whatever the editor itself takes for denied, and more. The editor compares
// the text of a URL with the pattern; we do that too, beside the comparison of its parts, and take a host with a dot behind
// it for that host. Pure; no pattern is slow.
import { canMatchUrl, matchesUrl } from './urlPattern.ts';

export function deniesUrl(pattern: string, url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const forms = new Set([url, ...(parsed === undefined ? [] : [parsed.href, withoutDot(parsed)])]);
  return [...forms].some((form) => matchesUrl(pattern, form) || matchesText(pattern, form));
}

/** Whether it can deny anything at all: a pattern that cannot was meant for something that nobody knows. */
export function canDeny(pattern: string): boolean {
  const tokens = tokensOf(pattern);
  const begins = ['http://', 'https://'].some((scheme) => [...after(tokens, scheme)].some((at) => at < tokens.length));
  return begins || canMatchUrl(pattern);
}

function withoutDot(url: URL): string {
  const { hostname, port, protocol, pathname, search } = url;
  return `${protocol}//${hostname.replace(/\.+$/, '')}${port === '' ? '' : `:${port}`}${pathname}${search}`;
}

/** `within`: any text that stays before the path; `port`: a colon with such text, or nothing; the rest is one character. */
type Token = 'within' | 'any' | 'port' | { readonly is: string };

function tokensOf(pattern: string): readonly Token[] {
  const text = pattern.toLowerCase();
  const scheme = text.indexOf('://');
  const from = scheme < 0 ? 0 : scheme + 3;
  const length = text.slice(from).search(/[/\\?#]/);
  const head = length < 0 ? text.length : from + length;
  const tokens: Token[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const isPort = index < head && text.startsWith(':*', index);
    if (isPort) tokens.push('port', 'within');
    else if (text[index] === '*') tokens.push(index < head ? 'within' : 'any');
    else tokens.push({ is: text.charAt(index) });
    if (isPort) index += 1;
  }
  return tokens;
}

function matchesText(pattern: string, text: string): boolean {
  const tokens = tokensOf(pattern);
  return after(tokens, text).has(tokens.length);
}

/** Where in the pattern one may be after this text. */
function after(tokens: readonly Token[], text: string): ReadonlySet<number> {
  let places = reached(tokens, [0]);
  for (const character of text.toLowerCase()) {
    const next: number[] = [];
    for (const at of places) {
      const token = tokens[at];
      if (token === undefined) continue;
      if (token === 'any' || (token === 'within' && !'/@\\?#'.includes(character))) next.push(at);
      else if (character === (token === 'port' ? ':' : typeof token === 'object' && token.is)) next.push(at + 1);
    }
    if (next.length === 0) return new Set();
    places = reached(tokens, next);
  }
  return places;
}

/** What may be nothing is passed over; a port with all that belongs to it. */
function reached(tokens: readonly Token[], from: readonly number[]): ReadonlySet<number> {
  const places = new Set(from);
  for (const at of places) {
    if (tokens[at] === 'any' || tokens[at] === 'within') places.add(at + 1);
    if (tokens[at] === 'port') places.add(at + 2);
  }
  return places;
}
