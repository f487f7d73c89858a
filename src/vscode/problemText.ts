// Turns a code with data into the sentence and the remedy that a person reads, in their language. What files and
// servers put into the data is made harmless here.
import { fillIn } from '../contract/sentences.ts';
import { remedyOf, sentencesOf } from '../contract/sentencesOf.ts';
import type { ErrorCode } from '../contract/errorCodes.ts';
import type { ErrorData } from '../core/errors.ts';
import { shownLine } from './shownText.ts';
import type { Translate } from './translate.ts';

export interface ProblemText {
  readonly text: string;
  readonly remedy: string;
}

export function problemText(problem: { code: ErrorCode; data: ErrorData }, t: Translate): ProblemText {
  const data = Object.fromEntries(Object.entries(problem.data).map(([name, value]) => [name, harmless(value)]));
  const text = sentencesOf(problem.code, data)
    .map((template) => fillIn(t(template), data))
    .join(' ');
  const remedy = remedyOf(problem.code, data);
  return { text, remedy: fillIn(t(remedy), data) };
}

/** UTF-16 units of one value in a sentence. */
const longestValue = 1_000;

function harmless(value: string | number | boolean | undefined): string | number | boolean | undefined {
  return typeof value === 'string' ? shownLine(value, longestValue) : value;
}
