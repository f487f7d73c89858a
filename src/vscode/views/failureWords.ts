// Why a server failed, in the few words that its row has room for. Pure. The remedy stands below the row, all of it in the
// tooltip.
import type { Problem } from '../../core/connection/state.ts';
import { shownLine } from '../shownText.ts';
import type { Translate } from '../translate.ts';

/** Undefined where the code alone tells a person nothing in few words. */
export function failureWords({ code, data }: Problem, t: Translate): string | undefined {
  const word = (name: string): string => shownLine(String(data[name] ?? '?'), longestWord);
  switch (code) {
    case 'commandNotFound':
      return t('command not found');
    case 'commandIsFolder':
      return t('its command is a folder');
    case 'commandNotExecutable':
      return t('its command cannot be run');
    case 'workingDirectoryMissing':
      return t('no such working directory');
    case 'envFileUnreadable':
      return t('its envFile cannot be read');
    case 'variableUnknown':
      return t('unknown variable {variable}', { variable: word('variable') });
    case 'spawnFailed':
      return t('could not be started');
    case 'exitedAtStart':
      return t('ended at its start, {exit}', { exit: word('exit') });
    case 'processExited':
      return t('ended, {exit}', { exit: word('exit') });
    case 'crashLoop':
      return t('ended again and again');
    case 'notResponding':
      return t('does not answer any more');
    case 'connectTimeout':
      return t('not ready after {seconds} s', { seconds: word('seconds') });
    case 'requestTimeout':
      return t('no answer to {method}', { method: word('method') });
    case 'eraUnsupported':
    case 'eraProbeSilent':
    case 'protocolVersionUnsupported':
      return t('no protocol in common');
    case 'urlForbidden':
      return t('its URL is not allowed');
    case 'redirectForbidden':
      return t('it redirects elsewhere');
    case 'networkFailed':
      return t('no connection');
    case 'httpStatus':
      return t('HTTP status {status}', { status: word('status') });
    case 'transportFallbackFailed':
      return t('HTTP status {status}', { status: word('first') });
    case 'httpUnexpectedContent':
      return t('its answer is not MCP');
    case 'forbidden':
      return t('access refused');
    case 'sessionLost':
      return t('its session is lost');
    case 'connectionClosed':
      return t('connection closed');
    case 'frameTooLarge':
      return t('its message is too large');
    case 'protocolError':
      return word('detail');
    case 'invalidResponse':
      return t('its answer cannot be used');
    case 'internal':
      return t('a fault of MCP Roundhouse');
    default:
      return undefined;
  }
}

/** UTF-16 units of what a server or a file put into the words. */
const longestWord = 80;
