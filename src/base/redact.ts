// Takes secrets out of text before it is kept or shown: values that are known, in every form in which a server may write
// them, and what looks like a credential. Prefers to hide too much, but for `content`. Linear in the text.
import { behindScheme, credentialRanges, type TextRange } from './credentialShapes.ts';
import { formsOf } from './secretForms.ts';

export interface RedactOptions {
  /** The text was cut at its end: the beginning of a known secret there goes too. */
  readonly cut?: boolean;
}

export class Redactor {
  /** Every form of every known value, and whether no ordinary text can hold it. */
  readonly #forms = new Map<string, boolean>();

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  /**
   * Hides this value from now on, also encoded as a part of something else. Trivial ones (`true`, `1`) stay readable.
   * `kept`: the person keeps it as a secret, so it is one even where it looks like a word.
   */
  add(secret: string, { kept = false }: { readonly kept?: boolean } = {}): void {
    for (const value of secret.split(/[\r\n]+/).flatMap(partsOf)) {
      const distinct = isDistinct(value) || (kept && value.length >= shortestKept);
      const known = this.#forms.get(value);
      if (isTrivial(value) || known === true || known === distinct) continue;
      for (const form of formsOf(value)) this.#forms.set(form, distinct || this.#forms.get(form) === true);
    }
  }

  /** For logs, errors and reports. */
  text(text: string, { cut = false }: RedactOptions = {}): string {
    return replaceRanges(text, merged(this.#known(text, { cut, found: credentialRanges(text) })));
  }

  /**
   * For what people and programs work with, a tool's description or a result: known values only, and of them only those
   * that cannot be an ordinary word. All strings of a JSON value, names of its fields too; the same value where none is
   * in it.
   */
  content<T>(value: T): T {
    for (const distinct of this.#forms.values()) if (distinct) return this.#within(value) as T;
    return value;
  }

  #within(value: unknown): unknown {
    if (typeof value === 'string') return replaceRanges(value, merged(this.#known(value, { distinct: true })));
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#within(item));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    const entries = Object.entries(value).map(([name, field]) => {
      const [shownName, shown] = [this.#within(name) as string, this.#within(field)];
      return { name: shownName, field: shown, same: shownName === name && shown === field };
    });
    if (entries.every(({ same }) => same)) return value;
    // Like the one before: without a prototype where that had none, and never with one of the server's choice.
    const result = Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>;
    for (const { name, field } of entries) {
      Object.defineProperty(result, name, { value: field, enumerable: true, configurable: true, writable: true });
    }
    return result;
  }

  /** Adds them to `found`. */
  #known(text: string, { cut = false, distinct = false, found = [] as TextRange[] }): readonly TextRange[] {
    for (const [form, isDistinctForm] of this.#forms) {
      if (distinct && !isDistinctForm) continue;
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
        found.push({ start: at, end: at + form.length });
      }
      const beginning = cut ? beginningAtEnd(text, form) : 0;
      if (beginning > 0) found.push({ start: text.length - beginning, end: text.length });
    }
    return found;
  }
}

const hidden = '[redacted]';
const shortestSecret = 4;
/** Of what a person keeps: shorter ones stand in ordinary text by chance. */
const shortestKept = 6;

/** One line, and the credential in it, which a server may repeat without what stands around: `Bearer x`, `a://b:x@c`. */
function partsOf(line: string): readonly string[] {
  const value = line.trim();
  const scheme = behindScheme(value);
  const inner = scheme > 0 ? value.slice(scheme) : userInfo.exec(value)?.[1];
  return inner === undefined ? [value] : [value, inner];
}

const userInfo = /^[a-z][a-z0-9+.-]{0,32}:\/\/[^/?#@:]{0,256}:([^/?#@]+)@/i;

function isTrivial(value: string): boolean {
  return value.length < shortestSecret || /^(?:true|false|none|null|undefined|enabled|disabled|default)$/i.test(value);
}

/** A password may be a word (`postgres`), a number or a name, and stand anywhere; these are left where text has to stay as it is. */
function isDistinct(value: string): boolean {
  return value.length >= 16 || (value.length >= 8 && !/^(?:[A-Z]?[a-z]+|[A-Z]+|\d+)$/.test(value));
}

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

/** In order and without overlap. */
function merged(ranges: readonly TextRange[]): readonly TextRange[] {
  const result: TextRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && range.start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    } else {
      result.push(range);
    }
  }
  return result;
}

function replaceRanges(text: string, ranges: readonly TextRange[]): string {
  if (ranges.length === 0) return text;
  let result = '';
  let at = 0;
  for (const { start, end } of ranges) {
    result += text.slice(at, Math.max(at, start)) + hidden;
    at = end;
  }
  return result + text.slice(at);
}
