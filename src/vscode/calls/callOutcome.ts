// How a call ended, in words: whether it went out, whether it may have run, and why it failed. Records hold no text of
// an error, so the code has to say it.
import type { ShownCall } from '../../contract/callsMessages.ts';
import type { ErrorCode } from '../../contract/errorCodes.ts';
import type { Outcome } from '../../core/errors.ts';
import type { Caller } from '../../core/ports.ts';
import type { Translate } from '../translate.ts';

/** What records have of a call's end. */
export interface Ended {
  readonly outcome: Outcome;
  readonly code?: string | undefined;
  readonly isError?: boolean | undefined;
}

/** `elsewhere`: of another window. `lost`: its window ended first. */
export function callOutcome(
  end: Ended | 'running' | 'elsewhere' | 'lost',
  t: Translate,
  caller: Caller['kind'] = 'tree',
): Pick<ShownCall, 'outcome' | 'tone'> {
  switch (end) {
    case 'running':
      return { outcome: t('Running'), tone: 'plain' };
    case 'elsewhere':
      return { outcome: t('Running in another window'), tone: 'plain' };
    case 'lost':
      return { outcome: t('Unknown: its window ended first, so it may have run'), tone: 'unsure' };
    default:
      return ended(end, t, caller);
  }
}

function ended(
  { outcome, code, isError }: Ended,
  t: Translate,
  caller: Caller['kind'],
): Pick<ShownCall, 'outcome' | 'tone'> {
  const reason = code === undefined ? '' : reasonOf(code, t, caller);
  switch (outcome) {
    case 'notSent':
      return { outcome: t('Not sent: {reason}', { reason }), tone: 'plain' };
    case 'unknown':
      return { outcome: t('Unknown: {reason}, so it may have run', { reason }), tone: 'unsure' };
    case 'completed':
      if (code !== undefined) return { outcome: t('Failed: {reason}', { reason }), tone: 'bad' };
      return isError === true
        ? { outcome: t('The tool reported an error'), tone: 'bad' }
        : { outcome: t('Done'), tone: 'good' };
  }
}

/** The middle of a sentence; `t` gets literals only, so that each can be translated. */
function reasonOf(code: string, t: Translate, caller: Caller['kind']): string {
  switch (code as ErrorCode) {
    case 'toolDenied':
      return t('a policy denies it');
    case 'toolNotConfirmed':
      // A command line has nobody to ask.
      return caller === 'commandLine' ? t('nobody could be asked') : t('it was not allowed');
    case 'approvalPending':
      return t('it waited for approval');
    case 'argumentsInvalid':
    case 'unsafeInteger':
      return t('its arguments do not fit the tool');
    case 'unknownTool':
    case 'toolLeftOut':
    case 'staleTool':
      return t('the tool had changed or was gone');
    case 'journalFailed':
      return t('the journal could not be written');
    case 'cancelled':
      return t('it was cancelled');
    case 'callTimeout':
    case 'requestTimeout':
      return t('it took too long');
    case 'connectionClosed':
    case 'processExited':
    case 'notResponding':
    case 'sessionLost':
    case 'networkFailed':
      return t('the connection ended');
    case 'restartPending':
    case 'crashLoop':
      return t('the server had ended');
    case 'signInNeeded':
    case 'forbidden':
      return t('the server asks for a sign-in');
    case 'inputRequired':
      return t('the tool asked for more input');
    case 'resultInvalid':
      return t('the result does not fit its schema');
    case 'protocolError':
    case 'httpStatus':
      return t('the server answered with an error');
    case 'invalidResponse':
    case 'frameTooLarge':
    case 'httpUnexpectedContent':
      return t('the answer could not be used');
    default:
      return t('something went wrong');
  }
}
