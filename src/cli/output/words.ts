// Codes with data become words here: the sentences of the contract, where the command line has no better remedy.
import type { ErrorCode } from '../../contract/errorCodes.ts';
import { fillIn } from '../../contract/sentences.ts';
import { remedyOf, sentencesOf } from '../../contract/sentencesOf.ts';
import { variantOf } from '../../contract/variants.ts';
import type { ConfigProblem } from '../../core/config/model.ts';
import { problemOf } from '../../core/connection/failureState.ts';
import type { BlockedBy, ConnectionState, Problem } from '../../core/connection/state.ts';
import type { DiscoveryIssue, Incomplete } from '../../core/discovery/snapshot.ts';
import { line } from './shownText.ts';

export interface Words {
  readonly message: string;
  readonly remedy: string;
}

export function wordsOf(problem: Problem): Words {
  const data = Object.fromEntries(Object.entries(problem.data).map(([name, value]) => [name, harmless(value)]));
  const message = sentencesOf(problem.code, data)
    .map((sentence) => fillIn(sentence, data))
    .join(' ');
  return { message, remedy: fillIn(ownRemedy(problem) ?? remedyOf(problem.code, data), data) };
}

/** `FILE:LINE:COLUMN: message remedy`, as compilers do, so that editors can jump there. */
export function configProblemText(problem: ConfigProblem): string {
  const { message, remedy } = wordsOf(problem);
  const place = problem.position === undefined ? '' : `:${problem.position.line}:${problem.position.column}`;
  const file = line(problem.file);
  // The sentence is about the file, which stands in front already.
  const about = [`${file}: `, `${file} `].find((start) => message.startsWith(start)) ?? '';
  return `${file}${place}: ${message.slice(about.length)} ${remedy}`;
}

/** What was wrong with one item of a list, and what became of it. */
export function issueText({ what, item, reason }: Pick<DiscoveryIssue, 'what' | 'item' | 'reason'>): string {
  return `${what === 'repaired' ? 'repaired' : 'left out'}: ${line(item, 80)}: ${line(reason)}`;
}

export const incompleteWords: Readonly<Record<Incomplete['reason'], string>> = {
  pageFailed: 'it could not be read',
  repeatedCursor: 'its pages repeat',
  pageLimit: 'it has too many pages',
  itemLimit: 'it has too many items',
  sizeLimit: 'the lists of this server are too large',
};

export function noiseText(count: number): string {
  return count === 1
    ? '1 line on stdout was no protocol message'
    : `${count} lines on stdout were no protocol messages`;
}

/** One line for any thrown value. */
export function failureText(error: unknown): string {
  const { message, remedy } = wordsOf(problemOf(error));
  return `${message} ${remedy}`;
}

/** `ready`, `blocked(policy)`, …: the name of a state in JSON, which never changes. */
export type StateName = Exclude<ConnectionState['kind'], 'blocked'> | `blocked(${BlockedBy})`;

export function stateName(state: ConnectionState): StateName {
  return state.kind === 'blocked' ? `blocked(${state.by})` : state.kind;
}

/** The same in text, for people. */
export const stateWords: Readonly<Record<StateName, string>> = {
  disabled: 'disabled',
  'blocked(trust)': 'blocked, as its folder is not trusted',
  'blocked(approval)': 'blocked until it is approved',
  'blocked(refused)': 'blocked, as it was refused',
  'blocked(policy)': 'blocked by a rule',
  'blocked(conflict)': 'blocked by another definition of the same name',
  'blocked(remoteOff)': 'blocked, as remote servers are off',
  'blocked(input)': 'blocked, as a value is missing',
  stopped: 'stopped',
  connecting: 'connecting',
  installing: 'installing',
  ready: 'ready',
  backingOff: 'failed, and waits before the next attempt',
  signInNeeded: 'sign-in needed',
  failed: 'failed',
};

export function problemOfState(state: ConnectionState): Problem | undefined {
  return 'problem' in state ? state.problem : undefined;
}

/** Undefined where the sentence's own remedy is right here too. */
function ownRemedy({ code, data, stderr }: Problem): string | undefined {
  if ((code === 'exitedAtStart' || code === 'processExited') && (stderr ?? []).length === 0) {
    return 'It wrote nothing to stderr: run its command in a terminal to see more.';
  }
  if ((code === 'unknownServer' || code === 'unknownTool') && data['near'] !== undefined)
    return 'Did you mean "{near}"?';
  if (code === 'unknownServer' && data['known'] !== undefined) {
    return data['known'] === '' ? 'The file has no servers.' : 'The servers of the file are: {known}.';
  }
  if (code === 'configUnreadable' && data['detail'] === 'there is no such file') return 'Check the path.';
  if (code === 'toolNotConfirmed' && data['unread'] !== undefined) {
    return 'Your own rules could not be read, so every tool asks, and nobody can be asked here: correct {unread}.';
  }
  return variantOf(code, data)?.remedy === undefined ? remedies[code] : undefined;
}

/** Where the remedy of the editor is none here. */
const remedies: Partial<Record<ErrorCode, string>> = {
  configUnreadable: 'Name a file that can be read.',
  configSyntax: 'Correct the file.',
  configInvalid: 'Correct that field.',
  configStructure: 'Correct the file.',
  serverDisabled: 'Set "enabled" to true in the file to use it.',
  blockedRemoteOff: 'Pass --allow-remote to reach it.',
  blockedInput: 'Its value is kept by VS Code: start the server there, or let the entry use ${env:NAME}.',
  signInNeeded: 'Sign in from VS Code; the command line cannot.',
  toolNotConfirmed: 'Its policy is "ask", and nobody can be asked here: call it from VS Code, or change toolPolicies.',
  connectionClosed: 'Run the command again.',
  processExited: 'Read its last lines below, then run the command again.',
  notResponding: 'Run the command again.',
  crashLoop: 'Read its last lines below, mend what they tell of, then run the command again.',
  staleTool: 'Run the command again.',
  connectTimeout: 'Raise timeouts.connect if it only needs longer; run its command in a terminal to see what it does.',
  testSilent: 'If it is only slow, use "mcp-roundhouse list": there its own time-outs hold.',
  testTooLong: 'If it is only slow, use "mcp-roundhouse list": there its own time-outs hold.',
  unknownTool: 'Compare the name with what "mcp-roundhouse list" shows.',
  exitedAtStart: 'Read its last lines below, correct the command, then run this again.',
};

function harmless(value: string | number | boolean | undefined): string | number | boolean | undefined {
  return typeof value === 'string' ? line(value, 1_000) : value;
}
