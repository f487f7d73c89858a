// Turns a code with data into the sentence and the remedy that a person reads, in their language. What files and
// servers put into the data is made harmless here.
import { fillIn, sentences } from '../contract/sentences.ts';
import { sentencesOf } from '../contract/sentencesOf.ts';
import type { ErrorCode } from '../contract/errorCodes.ts';
import type { ErrorData } from '../core/errors.ts';
import { shownLine } from './shownText.ts';
import type { Translate } from './translate.ts';

export interface ProblemText {
  readonly text: string;
  readonly remedy: string;
}

export function problemText(problem: { code: ErrorCode; data: ErrorData }, t: Translate): ProblemText {
  const sentence = sentences[problem.code];
  const data = Object.fromEntries(Object.entries(problem.data).map(([name, value]) => [name, harmless(value)]));
  const text = sentencesOf(problem.code, data)
    .map((template) => fillIn(t(template), data))
    .join(' ');
  return { text, remedy: fillIn(t(sentence.remedy), data) };
}

function harmless(value: string | number | boolean | undefined): string | number | boolean | undefined {
  return typeof value === 'string' ? shownLine(value) : value;
}
