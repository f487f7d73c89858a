// A problem in words for other extensions (GATE-10): those that the person reads, where they tell nothing of a launch, of a
// file or of what a program printed; else that there is one, with its code. Pure. What may be told is listed by name: what
// a new failure knows is kept back until somebody decides that other extensions may know it too.
import type { ErrorCode } from '../../contract/errorCodes.ts';
import { remedyOf, sentencesOf } from '../../contract/sentencesOf.ts';
import type { Problem } from '../../core/connection/state.ts';
import { problemText, type ProblemText } from '../problemText.ts';
import { shownLine } from '../shownText.ts';
import type { Translate } from '../translate.ts';

export function outwardText({ code, data: known }: Problem, t: Translate): ProblemText {
  const data = Object.fromEntries(
    Object.entries(known).filter(
      ([name, value]) => value !== undefined && (told.has(name) || (name === 'detail' && isAboutCall(code, known))),
    ),
  );
  const isWhole = (template: string): boolean => placesOf(template).every((name) => Object.hasOwn(data, name));
  const { text, remedy } = problemText({ code, data }, t);
  const { server } = data;
  const general = (): string =>
    typeof server === 'string'
      ? t('Server “{server}” has a problem: {code}. The MCP view says more.', { server: shownLine(server, 256), code })
      : t('MCP Roundhouse has a problem: {code}. Its log says more.', { code });
  return {
    text: sentencesOf(code, data).every(isWhole) ? text : general(),
    remedy: isWhole(remedyOf(code, data)) ? remedy : t('Look at it in the MCP view.'),
  };
}

const told: ReadonlySet<string> = new Set([
  ...['server', 'tool', 'prompt', 'kind', 'method', 'caller', 'of', 'during', 'answer'],
  ...['seconds', 'limit', 'status', 'number', 'exit', 'wanted', 'found', 'setting', 'why'],
]);

/** What the tool or its schema said about the very call: its caller gets results of it too. */
function isAboutCall(code: ErrorCode, { method }: Problem['data']): boolean {
  return aboutCalls.has(code) || (answers.has(code) && method === 'tools/call');
}

const aboutCalls: ReadonlySet<ErrorCode> = new Set(['toolFailed', 'argumentsInvalid', 'resultInvalid', 'toolLeftOut']);
const answers: ReadonlySet<ErrorCode> = new Set(['protocolError', 'invalidResponse']);

/** As `fillIn` reads them. */
function placesOf(template: string): readonly string[] {
  return [...template.matchAll(/(?<!\$)\{(\w+)\}/g)].map(([, name = '']) => name);
}
