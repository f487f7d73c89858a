// All that is said of one failure, as templates: the sentence of its code, that of the failure behind it, and what
// its data tells besides. `fillIn` has no optional places; what is only sometimes known is a sentence of its own.
import type { ErrorCode } from './errorCodes.ts';
import { fillIn, sentences } from './sentences.ts';
import { variantOf } from './variants.ts';

/** The templates in the order in which they are read; all are filled in with the same data. */
export function sentencesOf(code: ErrorCode, data: Readonly<Record<string, unknown>>): readonly string[] {
  const { because } = data;
  return [
    variantOf(code, data)?.text ?? sentences[code].text,
    ...(isErrorCode(because) ? [variantOf(because, data)?.text ?? sentences[because].text] : []),
    ...additions.filter((addition) => applies(addition, data)).map(({ text }) => text),
  ];
}

/** What to do about it, as a template. */
export function remedyOf(code: ErrorCode, data: Readonly<Record<string, unknown>>): string {
  return variantOf(code, data)?.remedy ?? sentences[code].remedy;
}

/** All of it as one English text, remedy included: for programs, which have no other words. The data has to be harmless. */
export function englishOf(
  code: ErrorCode,
  data: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  return [...sentencesOf(code, data), remedyOf(code, data)].map((template) => fillIn(template, data)).join(' ');
}

interface Addition {
  readonly tells: string;
  /** What the value has to look like. */
  readonly fits?: RegExp;
  readonly text: string;
}

function applies({ tells, fits }: Addition, data: Readonly<Record<string, unknown>>): boolean {
  const value = data[tells];
  return fits === undefined ? value !== undefined : typeof value === 'string' && fits.test(value);
}

/** Each is said where the data has the value that it tells. */
export const additions: readonly Addition[] = [
  { tells: 'probed', text: 'It was asked for protocol {probed} alone, which an older server may end on.' },
  { tells: 'excerpt', text: 'Its answer begins: {excerpt}.' },
  { tells: 'retryAfter', text: 'It asks to be tried again after: {retryAfter}.' },
  { tells: 'sentSize', text: 'The request was {sentSize} large, which may be more than it takes.' },
  {
    tells: 'noiseLines',
    text: 'Lines of its stdout that were no protocol messages and were ignored: {noiseLines}; the last one: {noiseSample}.',
  },
  {
    tells: 'noiseSample',
    fits: /\bContent-Length: *\d/i,
    text: 'It puts Content-Length before its messages, as language servers do; MCP takes one message a line, without it.',
  },
];

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(sentences, value);
}
