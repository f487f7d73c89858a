// Takes secrets out of text before it is kept or shown: values that are known, and what looks like a credential.
// Prefers to hide too much. Linear in the text: no pattern reads on from a place where it may begin and then fails far
// behind it, since there may be such a place at every character.

export interface RedactOptions {
  /** The text was cut at its end: the beginning of a known secret there goes too. */
  readonly cut?: boolean;
}

export class Redactor {
  readonly #secrets = new Set<string>();

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  /** Hides this value from now on, also as part of a URL or inside of JSON. Trivial ones (`true`, `1`) stay readable. */
  add(secret: string): void {
    for (const line of secret.split(/[\r\n]+/)) {
      const value = line.trim();
      if (isTrivial(value)) continue;
      for (const form of [value, encode(value), JSON.stringify(value).slice(1, -1)]) this.#secrets.add(form);
    }
  }

  text(text: string, options: RedactOptions = {}): string {
    return replaceRanges(text, this.#ranges(text, options.cut === true));
  }

  /** The same headers; the values of those that carry credentials are gone whole. */
  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    const entries = Object.entries(headers);
    return Object.fromEntries(
      entries.map(([name, value]) => [name, isSensitiveName(name) ? hidden : this.text(value)]),
    );
  }

  /** What to hide, in order and without overlap. */
  #ranges(text: string, cut: boolean): readonly Range[] {
    const found: Range[] = [];
    for (const secret of this.#secrets) {
      for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
        found.push({ start: at, end: at + secret.length });
      }
      const beginning = cut ? beginningAtEnd(text, secret) : 0;
      if (beginning > 0) found.push({ start: text.length - beginning, end: text.length });
    }
    for (const pattern of credentialPatterns) {
      for (const match of text.matchAll(pattern)) {
        found.push({ start: match.index, end: match.index + match[0].length });
      }
    }
    found.push(...webTokens(text));
    return merged(found);
  }
}

/** Whether a variable, header or field of this name holds a secret, as far as names tell. */
export function isSensitiveName(name: string): boolean {
  return /key|token|secret|pass|credential|cookie|bearer/i.test(name) || partsOf(name).some(isAuth);
}

/** Whether a value looks like a credential. */
export function hasTokenShape(value: string): boolean {
  return credentialPatterns.some((pattern) => value.search(pattern) >= 0) || webTokens(value).length > 0;
}

/** The values among these variables that have to be hidden. */
export function secretValues(variables: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(variables)
    .filter(([name, value]) => isSensitiveName(name) || hasTokenShape(value))
    .map(([, value]) => value);
}

const hidden = '[redacted]';
const shortestSecret = 4;

/** `auth_data`, `authData` and `AUTH-DATA` have two parts. */
function partsOf(name: string): readonly string[] {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/);
}

/** Not what has these letters for another reason: `NODE_TLS_REJECT_UNAUTHORIZED`, `AUTHOR`, `AUTHORITY`. */
function isAuth(part: string): boolean {
  return /^[ox]?auth(?!or(?!i[sz]))|auth\d*$/i.test(part);
}

/** The arguments, or parts of them, that are secret by their option: `--token x`, `--token=x`, `TOKEN=x`. */
export function secretArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    const [, name = '', value] = /^-{0,2}([\w.-]+)=(.*)$/s.exec(arg) ?? [];
    if (value !== undefined) return isSensitiveName(name) ? [value] : [];
    const before = args[index - 1] ?? '';
    // An option behind an option is no value of it.
    return !arg.startsWith('-') && /^-[^=]*$/.test(before) && isSensitiveName(before) ? [arg] : [];
  });
}

interface Range {
  readonly start: number;
  readonly end: number;
}

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
  // Private keys.
  /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,3900}(?:-----END [A-Z ]{0,32}PRIVATE KEY-----)?/g,
  // Credentials by what stands before them: schemes, URLs, query parameters, assignments and headers.
  /(?<=\b(?:bearer|basic)\s{1,4})[A-Za-z0-9._~+/=-]{8,2048}/gi,
  /(?<=:\/\/)[^\s/?#@"']{1,512}@(?=[^\s/])/g,
  /(?<=[?&](?:access_token|refresh_token|id_token|token|api_?key|key|secret|client_secret|password|code|sig|signature)=)[^&\s#"']{1,2048}/gi,
  /(?<=(?:token|secret|password|passwd|passphrase|api[-_]?key|access[-_]?key|private[-_]?key|authorization|cookie)["']?\s{0,2}[:=]\s{0,2}["']?)[^\s"',;&}]{4,2048}/gi,
];

function isTrivial(value: string): boolean {
  return value.length < shortestSecret || /^(?:true|false|none|null|undefined|enabled|disabled|default)$/i.test(value);
}

function encode(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value; // A lone surrogate has no encoding.
  }
}

/**
 * JSON web tokens: a part that begins with `eyJ`, a second part, often a third one. Text that a token could be part of is
 * taken as a whole and cut at its dots, so that each character is looked at once, however many beginnings there are.
 */
function webTokens(text: string): readonly Range[] {
  if (!text.includes('eyJ')) return [];
  const found: Range[] = [];
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

/** How many characters at the end of the text are the beginning of the secret; 0 below four. */
function beginningAtEnd(text: string, secret: string): number {
  const tail = text.slice(-(secret.length - 1));
  // How much of the secret's beginning ends at each of its places (Knuth, Morris and Pratt), then at those of the text.
  const borders = [0];
  for (let at = 1; at < tail.length; at += 1) borders.push(matched(secret, borders, borders[at - 1] ?? 0, secret[at]));
  let length = 0;
  for (const unit of tail.split('')) length = matched(secret, borders, length, unit);
  return length < shortestSecret ? 0 : length;
}

/** How much of the secret's beginning ends behind `unit`, where `length` of it ended before. */
function matched(secret: string, borders: readonly number[], length: number, unit: string | undefined): number {
  let at = length;
  while (at > 0 && secret[at] !== unit) at = borders[at - 1] ?? 0;
  return secret[at] === unit ? at + 1 : 0;
}

function merged(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && range.start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    } else {
      result.push(range);
    }
  }
  return result;
}

/** The text from `from` on; a range that begins before it is shown as hidden from there. */
function replaceRanges(text: string, ranges: readonly Range[], from = 0): string {
  let result = '';
  let at = from;
  for (const { start, end } of ranges) {
    result += text.slice(at, Math.max(at, start)) + hidden;
    at = end;
  }
  return result + text.slice(at);
}
