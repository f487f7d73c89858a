// A call in words, for the person who decides: server, tool, caller and all of the arguments, hidden characters and
// padding made visible (product POL-1). Pure.
import { exactPart } from '../../base/exactText.ts';
import type { CallConfirmation } from '../../core/ports.ts';
import type { ToolChange } from '../../core/policy/decide.ts';
import { shownName } from '../shownText.ts';
import type { Translate } from '../translate.ts';
import { exactJson } from './approvalText.ts';

export function callQuestion({ tool, server, change }: CallConfirmation, t: Translate): string {
  const data = { tool: shownName(tool), server };
  if (change === undefined) return t('Call {tool} on “{server}”?', data);
  switch (change) {
    case 'new':
      return t('Call {tool} on “{server}”? It is new.', data);
    case 'definition':
    case 'annotations':
      return t('Call {tool} on “{server}”? It changed.', data);
  }
}

export function callerLine({ caller }: CallConfirmation, t: Translate): string {
  const name = shownName(caller.name, 100);
  // Its own word, and nobody's here: it must not read like ours for who called.
  if (caller.kind === 'gateway') return t('Asked by an agent that calls itself “{name}”', { name });
  if (caller.kind === 'api') return t('Asked by the extension that calls itself “{name}”', { name });
  return t('Asked by: {caller}', { caller: name });
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

/** Whether the question itself, without what it says of a change, fits into the title of a list. */
export function fitsInTitle(call: CallConfirmation, t: Translate): boolean {
  const question = callQuestion(withoutChange(call), t);
  return question.length <= lineWidth && isNarrow(question);
}

/** As it is asked about once what changed is accepted. */
export function withoutChange({ key, server, tool, caller, args, eachTime }: CallConfirmation): CallConfirmation {
  return { key, server, tool, caller, args, ...(eachTime && { eachTime }) };
}

/** All of it but the question, for a page. */
export function callLines(call: CallConfirmation, t: Translate): readonly string[] {
  return [
    callerLine(call, t),
    ...(call.change === undefined ? [] : [changeLine(call.change, t)]),
    t('Arguments:'),
    ...exactJson(call.args),
  ];
}

export function changeLine(change: ToolChange, t: Translate): string {
  switch (change) {
    case 'new':
      return t('This tool is new since you approved the server.');
    case 'definition':
      return t('Its description or inputs changed since you last reviewed it.');
    case 'annotations':
      return t('What it says of its effects changed since you last reviewed it.');
  }
}

/** Columns that a list shows in a narrow window too. */
const lineWidth = 44;

/** No character of it takes more than one column. */
function isNarrow(text: string): boolean {
  return /^[ -~“”]*$/.test(text);
}
