// A call in words, for the person who decides: server, tool, caller and all of the arguments, hidden characters and
// padding made visible (product POL-1). Pure.
import { exactPart } from '../../base/exactText.ts';
import type { CallConfirmation } from '../../core/ports.ts';
import type { ToolChange } from '../../core/policy/decide.ts';
import { shownName } from '../shownText.ts';
import type { Translate } from '../translate.ts';
import { exactJson } from './approvalText.ts';

export function callQuestion({ tool, server }: CallConfirmation, t: Translate): string {
  return t('Call {tool} on “{server}”?', { tool: shownName(tool), server });
}

export function callerLine({ caller }: CallConfirmation, t: Translate): string {
  return t('Asked by: {caller}', { caller: shownName(caller.name, 100) });
}

/** The arguments where they fit into a line that no list cuts; undefined where they have to be read elsewhere. */
export function argumentsLine({ args }: CallConfirmation, t: Translate): string | undefined {
  if (Object.keys(args).length === 0) return t('No arguments');
  const text = JSON.stringify(args);
  // A list draws `$(name)` as a picture.
  if (text.length > lineWidth || text.includes('$(')) return undefined;
  const line = exactPart(text);
  return line.length > lineWidth || !isNarrow(line) ? undefined : line;
}

/** Whether the question itself fits into the title of a list. */
export function fitsInTitle(call: CallConfirmation, t: Translate): boolean {
  const question = callQuestion(call, t);
  return question.length <= lineWidth && isNarrow(question);
}

/** All of it, for a document. */
export function callText(call: CallConfirmation, t: Translate): string {
  return [
    callQuestion(call, t),
    '',
    callerLine(call, t),
    ...(call.change === undefined ? [] : [changeLine(call.change, t)]),
    t('Arguments:'),
    exactJson(call.args),
  ].join('\n');
}

export function changeLine(change: ToolChange, t: Translate): string {
  switch (change) {
    case 'new':
      return t('This tool is new since you approved the server.');
    case 'definition':
      return t('What this tool says of itself changed since you knew it.');
    case 'annotations':
      return t('What this tool says of its effects changed since you knew it.');
  }
}

/** Columns that a list shows in a narrow window too. */
const lineWidth = 44;

/** No character of it takes more than one column. */
function isNarrow(text: string): boolean {
  return /^[ -~“”]*$/.test(text);
}
