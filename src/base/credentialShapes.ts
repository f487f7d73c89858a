// What looks like a credential by its shape alone, or by what stands before it. Prefers to find too much. Linear in the
// text: no pattern reads on from a place where it may begin and then fails far behind it, since there may be such a place
// at every character. Pure.

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Where credentials stand in a text; the ranges may overlap. */
export function credentialRanges(text: string): TextRange[] {
  const found = [...webTokens(text), ...headerValues(text)];
  for (const pattern of credentialPatterns) {
    for (const match of text.matchAll(pattern)) {
      found.push({ start: match.index, end: match.index + match[0].length });
    }
  }
  return found;
}

/** Whether a value holds what looks like a credential. */
export function hasTokenShape(value: string): boolean {
  return (
    credentialPatterns.some((pattern) => value.search(pattern) >= 0) ||
    webTokens(value).length > 0 ||
    headerValues(value).length > 0
  );
}

/** Where the credential begins in the value of a header: behind the word of a scheme, as in `Bearer x`; else at 0. */
export function behindScheme(value: string): number {
  return schemeBefore.exec(value)?.[0].length ?? 0;
}

export function isSchemeWord(value: string): boolean {
  return schemeAlone.test(value);
}

/** Schemes of HTTP: those that mean one wherever they stand, and those that are ordinary words as well. */
const clearSchemes = 'bearer|basic|dpop|sso-key|aws4-hmac-sha256';
const wordSchemes = 'digest|negotiate|ntlm|token|jwt|hmac|hawk|signature|api-?key|key';
const schemeBefore = new RegExp(`^\\s*(?:${clearSchemes}|${wordSchemes})\\s+(?=\\S)`, 'i');
const schemeAlone = new RegExp(`^(?:${clearSchemes}|${wordSchemes})$`, 'i');

/**
 * Matches are the credentials themselves; what announces one stands in a look-behind. Behind a repetition without a small
 * bound stands only what may be absent, or what begins with a character that ends the repetition.
 */
const credentialPatterns: readonly RegExp[] = [
  // Keys that say what they are by their beginning.
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,512}/g,
  /\bgh[opsur]_[A-Za-z0-9]{16,255}|\bgithub_pat_[A-Za-z0-9_]{16,255}|\bglpat-[A-Za-z0-9_-]{16,255}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{30,64}/g,
  /\bnpm_[A-Za-z0-9]{30,64}|\bpypi-[A-Za-z0-9_-]{16,512}|\bhf_[A-Za-z0-9]{20,64}|\bya29\.[A-Za-z0-9_-]{20,512}/g,
  /\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}|\bdo[opr]_v1_[a-f0-9]{32,128}/g,
  // Private keys.
  /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,3900}(?:-----END [A-Z ]{0,32}PRIVATE KEY-----)?/g,
  // Credentials by what stands before them: schemes, URLs, query parameters, assignments and headers; no `${secret:name}`.
  new RegExp(`(?<=\\b(?:${clearSchemes})\\s{1,4})[A-Za-z0-9._~+/=-]{8,2048}`, 'gi'),
  new RegExp(`(?<=\\b(?:${wordSchemes})\\s{1,4})(?=[A-Za-z._~+/=-]{0,2047}\\d)[A-Za-z0-9._~+/=-]{16,2048}`, 'gi'),
  /(?<=:\/\/)[^\s/?#@"']{1,512}@(?=[^\s/])/g,
  /(?<=[?&](?:access_token|refresh_token|id_token|token|api_?key|key|secret|client_secret|password|code|sig|signature)=)[^&\s#"']{1,2048}/gi,
  /(?<=(?:token|secret|password|passwd|passphrase|api[-_]?key|access[-_]?key|private[-_]?key)["']?\s{0,2}[:=]\s{0,2}["']?)(?<!\$\{secret:)[^\s"',;&}]{4,2048}/gi,
];

/**
 * What follows the name of a header that carries credentials, whatever its form: to the end of the line, or to the quote
 * that closes what a quote before the value or before the name opened. Each value is read once.
 */
function headerValues(text: string): TextRange[] {
  const found: TextRange[] = [];
  const name = /(?:authori[sz]ation|cookies?)(\\{0,7}["'])?\s{0,2}[:=]\s{0,2}(\\{0,7}["'])?/gi;
  for (let match = name.exec(text); match !== null; match = name.exec(text)) {
    const start = name.lastIndex;
    const [, closing, opening] = match;
    const end = endOfValue(
      text,
      start,
      opening ?? (closing === undefined ? quoteBefore(text, match.index) : undefined),
    );
    if (end > start) found.push({ start, end });
    name.lastIndex = end;
  }
  return found;
}

/** Of a whole header in quotes, as on a command line. */
function quoteBefore(text: string, index: number): string | undefined {
  return /(\\{0,7}["'])[\w-]{0,64}$/.exec(text.slice(Math.max(0, index - 72), index))?.[1];
}

/** A quote in the value has more backslashes before it than the one that opened it. */
function endOfValue(text: string, start: number, quote: string | undefined): number {
  const ends =
    quote === undefined ? /[\r\n]/g : new RegExp(`(?<!\\\\)\\\\{0,${quote.length - 1}}${quote.at(-1)}|[\\r\\n]`, 'g');
  ends.lastIndex = start;
  return ends.exec(text)?.index ?? text.length;
}

/**
 * JSON web tokens: a part that begins with `eyJ`, a second part, often a third one. Text that a token could be part of is
 * taken as a whole and cut at its dots, so that each character is looked at once, however many beginnings there are.
 */
function webTokens(text: string): TextRange[] {
  if (!text.includes('eyJ')) return [];
  const found: TextRange[] = [];
  for (const { 0: run, index } of text.matchAll(/[A-Za-z0-9_.-]{20,}/g)) {
    let start = index;
    let open: number | undefined;
    let parts = 0;
    for (const part of run.split('.')) {
      const end = start + part.length;
      if (open !== undefined && (parts === 2 || part.length >= shortestPart)) {
        parts += 1;
        found.push({ start: open, end });
        if (parts === 3) open = undefined;
      } else {
        open = undefined;
      }
      const begins = open === undefined ? part.search(/\beyJ/) : -1;
      if (begins >= 0 && part.length - begins >= 'eyJ'.length + shortestPart) {
        open = start + begins;
        parts = 1;
      }
      start = end + 1;
    }
  }
  return found;
}

const shortestPart = 8;
