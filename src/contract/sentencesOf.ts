// All that is said of one failure, as templates: the sentence of its code, that of the failure behind it, and what
// its data tells besides. `fillIn` has no optional places; what is only sometimes known is a sentence of its own.
import type { ErrorCode } from './errorCodes.ts';
import { sentences } from './sentences.ts';

/** The templates in the order in which they are read; all are filled in with the same data. */
export function sentencesOf(code: ErrorCode, data: Readonly<Record<string, unknown>>): readonly string[] {
  const { because } = data;
  return [
    sentences[code].text,
    ...(isErrorCode(because) ? [sentences[because].text] : []),
    ...additions.filter(({ tells }) => data[tells] !== undefined).map(({ text }) => text),
  ];
}

/** Each is said where the data has the value that it tells. */
export const additions: readonly { readonly tells: string; readonly text: string }[] = [
  { tells: 'excerpt', text: 'Its answer begins: {excerpt}.' },
  { tells: 'retryAfter', text: 'It asks to be tried again after: {retryAfter}.' },
  { tells: 'sentSize', text: 'The request was {sentSize} large, which may be more than it takes.' },
  {
    tells: 'noiseLines',
    text: 'Lines of its stdout that were no protocol messages and were ignored: {noiseLines}; the last one: {noiseSample}.',
  },
];

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(sentences, value);
}
