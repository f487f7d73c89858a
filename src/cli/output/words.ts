// Codes with data become words here: the sentences of the contract, where the command line has no better remedy.
import { stripTerminal, visibleLine, visibleText } from '../../base/sanitise.ts';
import type { ErrorCode } from '../../contract/errorCodes.ts';
import { fillIn, sentences } from '../../contract/sentences.ts';
import { sentencesOf } from '../../contract/sentencesOf.ts';
import type { ConfigProblem } from '../../core/config/model.ts';
import { problemOf } from '../../core/connection/failureState.ts';
import type { ConnectionState, Problem } from '../../core/connection/state.ts';
import type { DiscoveryIssue, Incomplete } from '../../core/discovery/snapshot.ts';

export interface Words {
  readonly message: string;
  readonly remedy: string;
}

export function wordsOf(problem: Problem): Words {
  const { remedy } = sentences[problem.code];
  const data = Object.fromEntries(Object.entries(problem.data).map(([name, value]) => [name, harmless(value)]));
  const message = sentencesOf(problem.code, data)
    .map((sentence) => fillIn(sentence, data))
    .join(' ');
  return { message, remedy: fillIn(remedyOf(problem) ?? remedy, data) };
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

/** `ready`, `blocked(policy)`, …: the name of a state in reports. */
export function stateName(state: ConnectionState): string {
  return state.kind === 'blocked' ? `blocked(${state.by})` : state.kind;
}

export function problemOfState(state: ConnectionState): Problem | undefined {
  return 'problem' in state ? state.problem : undefined;
}

/** Text of servers and files on one line of a terminal, without anything live or hidden. */
export function line(text: string, max = 400): string {
  return visibleLine(stripTerminal(text), max);
}

/** The same with its line ends, whole. */
export function lines(text: string): string {
  return visibleText(stripTerminal(text));
}

/** Undefined where the sentence's own remedy is right here too. */
function remedyOf({ code, data, stderr }: Problem): string | undefined {
  if ((code === 'exitedAtStart' || code === 'processExited') && (stderr ?? []).length === 0) {
    return 'It wrote nothing to stderr: run its command in a terminal to see more.';
  }
  if (code === 'commandNotFound' && /\s/.test(String(data['command'])) && !/[/\\]/.test(String(data['command']))) {
    return 'Write the program alone into "command" and its arguments into "args".';
  }
  if (code === 'configUnreadable' && data['detail'] === 'there is no such file') return 'Check the path.';
  return remedies[code];
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
  protocolError: "The message is the server's own; if it was a call, check its arguments.",
  connectionClosed: 'Run the command again.',
  processExited: 'Read its last lines below, then run the command again.',
  staleTool: 'Run the command again.',
  connectTimeout: 'Raise timeouts.connect if it only needs longer; run its command in a terminal to see what it does.',
  unknownTool: 'Compare the name with what "mcp-roundhouse list" shows.',
  exitedAtStart: 'Read its last lines below, correct the command, then run this again.',
};

function harmless(value: string | number | boolean | undefined): string | number | boolean | undefined {
  return typeof value === 'string' ? line(value, 1_000) : value;
}
