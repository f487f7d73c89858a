// What an agent is told in place of the words for a person: who has to do something, and what the agent does meanwhile.
// The other failures are told as they are: what they ask for an agent can do itself. Pure.
import type { ErrorCode } from './errorCodes.ts';
import { fillIn } from './sentences.ts';
import { remedyOf, sentencesOf } from './sentencesOf.ts';
import { fits, type Variant } from './variants.ts';

/** All that is said of a failure, as one English text, remedy included. The data has to be harmless. */
export function agentTextOf(
  code: ErrorCode,
  data: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const own = agentWords.find((words) => words.code === code && fits(words, data));
  const [text, ...more] = sentencesOf(code, data);
  const told = [own?.text ?? text ?? '', ...more, own?.remedy ?? remedyOf(code, data)];
  return told.map((template) => fillIn(template, data)).join(' ');
}

/** The first that fits is taken. */
export const agentWords: readonly Variant[] = [
  {
    code: 'toolNotConfirmed',
    where: { unread: true },
    text: 'The call of {tool} on server "{server}" was not made: the rules of the person could not be read, so every tool asks, and nobody can be asked here.',
    remedy: 'Tell the person to correct {unread}.',
  },
  {
    code: 'toolNotConfirmed',
    where: { nobody: true },
    text: 'The call of {tool} on server "{server}" was not made: it has to be asked about, and nobody can be asked here.',
    remedy: 'Tell the person: it can be called from VS Code, or toolPolicies can allow the tool.',
  },
  {
    code: 'toolNotConfirmed',
    where: {},
    remedy: 'Do not repeat it unasked. Tell the person what you wanted to do, and ask how to go on.',
  },
  {
    code: 'approvalPending',
    where: {},
    remedy: 'Tell the person that a question waits there. Once it is answered, call again with the same arguments.',
  },
  {
    code: 'toolDenied',
    where: {},
    text: 'The policy of the person denies {tool} on server "{server}".',
    remedy: 'Do without it, or tell the person that toolPolicies would have to allow it.',
  },
  {
    code: 'crashLoop',
    where: {},
    remedy:
      'Do without it, or tell the person: only they can start it again, in VS Code, or by a new session where none serves you.',
  },
  { code: 'serverDisabled', where: {}, remedy: 'Do without it, or ask the person to enable it.' },
  {
    code: 'blockedTrust',
    where: {},
    text: 'Server "{server}" does not run until the person trusts this workspace.',
    remedy: 'Ask the person to trust the workspace in VS Code.',
  },
  {
    code: 'blockedApproval',
    where: { answer: ['refused'] },
    text: 'The person chose not to run server "{server}".',
    remedy: 'Do without it, or ask the person to review it again in VS Code.',
  },
  {
    code: 'blockedApproval',
    where: { answer: ['outdated'] },
    text: 'What server "{server}" runs or reaches is no longer what the person approved.',
    remedy: 'Ask the person to review the difference in VS Code, then try again.',
  },
  {
    code: 'blockedApproval',
    where: {},
    text: 'Server "{server}" waits until the person approves its exact command or URL.',
    remedy: 'Ask the person to review and approve it in VS Code, then try again.',
  },
  {
    code: 'blockedRemoteOff',
    where: {},
    remedy:
      'Ask the person to turn on roundhouse.remote.enabled in the user settings of VS Code; without VS Code, to pass --allow-remote.',
  },
  {
    code: 'blockedEditor',
    where: {},
    remedy: 'Do without it, or tell the person: the setting is theirs, or of whoever manages their editor.',
  },
  {
    code: 'blockedInput',
    where: {},
    remedy:
      'Ask the person to start the server in VS Code, which asks them for the value, then try again. Without VS Code its entry has to use ${env:NAME}.',
  },
  {
    code: 'variableUnset',
    where: { variable: /^\$\{env:/ },
    remedy: 'Tell the person to set it where VS Code, or what serves you, is started, or to give it a default with :-.',
  },
  {
    code: 'variableNotAvailable',
    where: {},
    remedy: 'Ask the person to start the server from VS Code, which can ask them for it.',
  },
  {
    code: 'signInNeeded',
    where: {},
    text: 'Server "{server}" wants the person to sign in.',
    remedy: 'Ask the person to sign in to it in VS Code, then try again.',
  },
  { code: 'forbidden', where: {}, remedy: 'Tell the person to check the rights of their account.' },
  {
    code: 'journalFailed',
    where: {},
    remedy: 'Ask the person to free space or check that folder, or to turn the journal off in the settings.',
  },
  { code: 'inputRequired', where: {}, remedy: 'Tell the person that it can be called from VS Code.' },
  {
    code: 'windowClosed',
    where: { during: true },
    remedy: 'Look at what it did before you repeat it, or ask the person.',
  },
  {
    code: 'windowClosed',
    where: { why: ['restricted'] },
    remedy: 'Ask the person to trust the folder in VS Code, then try again.',
  },
  { code: 'windowClosed', where: {}, remedy: 'Ask the person to open a folder in VS Code, then try again.' },
];
