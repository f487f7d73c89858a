// Takes secrets out of text before it is kept or shown: values that are known, and what looks like a credential.
// Prefers to hide too much. Linear in the text: every pattern is bounded, none can backtrack without end.

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

  /** For text that comes in pieces: a secret that lies over a border is found, since a piece's end is held back. */
  stream(): RedactingStream {
    // What was shown already but may announce a credential behind it, then what is held back.
    let text = '';
    let shown = 0;
    const show = (end: number, cut: boolean): string => {
      const ranges = this.#ranges(text, cut).filter((range) => range.end > shown && range.start < end);
      const ready = replaceRanges(text.slice(0, end), ranges, shown);
      text = text.slice(Math.max(0, end - longestAnnouncement));
      shown = Math.min(end, longestAnnouncement);
      return ready;
    };
    return {
      write: (piece) => {
        text += piece;
        return show(Math.max(shown, this.#safeEnd(text)), false);
      },
      end: () => show(text.length, true),
    };
  }

  /** Where held text may be cut: far enough from its end for any secret, and in the middle of none. */
  #safeEnd(text: string): number {
    const margin = Math.max(longestToken, ...[...this.#secrets].map((secret) => secret.length));
    const end = text.length - margin;
    const across = this.#ranges(text, false).find((range) => range.start < end && range.end > end);
    return across ? across.start : end;
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
    return merged(found);
  }
}

export interface RedactingStream {
  /** What can be shown so far; the rest comes later. */
  write(piece: string): string;
  end(): string;
}

/** Whether a variable, header or field of this name holds a secret, as far as names tell. */
export function isSensitiveName(name: string): boolean {
  return /key|token|secret|pass|credential|auth|cookie|bearer/i.test(name);
}

/** Whether a value looks like a credential. */
export function hasTokenShape(value: string): boolean {
  return credentialPatterns.some((pattern) => value.search(pattern) >= 0);
}

/** The values among these variables that have to be hidden. */
export function secretValues(variables: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(variables)
    .filter(([name, value]) => isSensitiveName(name) || hasTokenShape(value))
    .map(([, value]) => value);
}

const hidden = '[redacted]';
/** No credential pattern matches more than this. */
const longestToken = 4_096;
/** No look-behind looks further back than this. */
const longestAnnouncement = 64;
const shortestSecret = 4;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Matches are the credentials themselves; what announces one stands in a look-behind. */
const credentialPatterns: readonly RegExp[] = [
  // Keys that say what they are by their beginning.
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,512}/g,
  /\bgh[opsur]_[A-Za-z0-9]{16,255}|\bgithub_pat_[A-Za-z0-9_]{16,255}|\bglpat-[A-Za-z0-9_-]{16,255}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{30,64}/g,
  /\bnpm_[A-Za-z0-9]{30,64}|\bpypi-[A-Za-z0-9_-]{16,512}|\bhf_[A-Za-z0-9]{20,64}|\bya29\.[A-Za-z0-9_-]{20,512}/g,
  // JSON web tokens and private keys.
  /\beyJ[A-Za-z0-9_-]{8,2048}\.[A-Za-z0-9_-]{8,1024}(?:\.[A-Za-z0-9_-]{0,512})?/g,
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

/** How many characters at the end of the text are the beginning of the secret; 0 below four. */
function beginningAtEnd(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length >= shortestSecret; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
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
