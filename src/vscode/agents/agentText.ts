// What is said of agents. Pure.
import type { AgentState, AgentView, Undone } from '../../core/agents/agents.ts';
import { clientOf } from '../../core/agents/clients.ts';
import { problemOf } from '../../core/connection/failureState.ts';
import { problemText } from '../problemText.ts';
import { shownLine } from '../shownText.ts';
import type { Translate } from '../translate.ts';

/** The state in a few words, for beside the name. */
export function agentStateText(state: AgentState, t: Translate): string {
  switch (state.kind) {
    case 'notInstalled':
      return t('not found on this machine');
    case 'notConnected':
      return t('not connected');
    case 'connected':
      return t('connected');
    case 'stale':
      return state.why === 'launcher' ? t('connected by an older launcher') : t('connected, changed since');
    case 'taken':
      return t('has a server “roundhouse” of its own');
    case 'refused':
      return t('its file cannot be read');
  }
}

/** What stands below the name in a list: the file, or what is wrong with it. */
export function agentDetail({ state, file }: AgentView, t: Translate): string {
  return state.kind === 'refused' ? problemText(state.problem, t).text : shownLine(file);
}

/** What became of undoing everything, in one message. */
export function undoneText(results: readonly Undone[], t: Translate): string {
  const names = (outcome: string): string =>
    [...new Set(results.filter((result) => result.outcome === outcome).map(nameOf))].join(', ');
  const failed = results.filter(({ outcome }) => typeof outcome === 'object');
  const undone = [
    ...new Set(results.filter(({ outcome }) => outcome === 'undone' || outcome === 'alreadyGone').map(nameOf)),
  ];
  return [
    ...(undone.length === 0 ? [] : [t('Disconnected: {names}.', { names: undone.join(', ') })]),
    ...(names('changedSince') === ''
      ? []
      : [t('Changed by somebody since, so left as it is: {names}.', { names: names('changedSince') })]),
    ...failed.map(({ record, outcome }) => {
      const { text } = problemText(problemOf(typeof outcome === 'object' ? outcome.failed : undefined), t);
      return t('{name}: {reason}', { name: nameOf({ record }), reason: text });
    }),
  ].join(' ');
}

function nameOf({ record }: Pick<Undone, 'record'>): string {
  // The list on disk may be of a later build.
  try {
    return clientOf(record.client).name;
  } catch {
    return shownLine(record.path);
  }
}
