// What each failure is called in words, with a remedy: plain English templates with `{name}` places for data.
// The extension localises them by the English text; the command line prints them as they are.
import type { ErrorCode } from './errorCodes.ts';

export interface Sentence {
  readonly text: string;
  readonly remedy: string;
}

export const sentences: Record<ErrorCode, Sentence> = {
  configUnreadable: {
    text: '{file} cannot be read: {detail}.',
    remedy: 'Check that the file exists and that you may read it.',
  },
  configSyntax: {
    text: '{file} is not valid JSON: {detail} at line {line}, column {column}.',
    remedy: 'Correct the file; the servers that ran before keep running.',
  },
  configVersion: {
    text: '{file} has version {found}, which this build does not know.',
    remedy: 'Update MCP Roundhouse, or set "version" to 3.',
  },
  configInvalid: {
    text: '{file}: {field} of server "{server}" is not allowed: {detail}.',
    remedy: 'Correct that field; the servers that ran before keep running.',
  },
  configStructure: {
    text: '{file}: {field} is not allowed: {detail}.',
    remedy: 'Correct the file; the servers that ran before keep running.',
  },
  configSymlinkOutside: {
    text: '{file} is a link that leads out of the workspace.',
    remedy: 'Replace the link by a file inside the workspace.',
  },
  configWriteFailed: {
    text: '{file} could not be written: {detail}.',
    remedy: 'Check the free space and your rights on the folder.',
  },
  configLocked: {
    text: '{file} is being changed by another process: its lock file {lock} is there.',
    remedy: 'Try again in a moment. If it stays and no other program changes the file, delete the lock file.',
  },
  variableUnset: {
    text: '{field} of server "{server}" uses {variable}, which is not set.',
    remedy: 'Set the variable in your system or shell and start this program again, or give it a default with :-.',
  },
  variableUnknown: {
    text: '{field} of server "{server}" uses {variable}, which is not a known variable.',
    remedy: 'Use workspaceFolder, userHome, env:, input: or secret:.',
  },
  variableNotAvailable: {
    text: '{field} of server "{server}" needs {variable}, which cannot be answered here.',
    remedy: 'Start the server from VS Code, which can ask for it.',
  },
  envFileUnreadable: {
    text: 'The envFile {path} of server "{server}" cannot be read: {detail}.',
    remedy: 'Check the path and your rights on the file.',
  },
  serverDisabled: { text: 'Server "{server}" is disabled.', remedy: 'Enable it to use it.' },
  blockedTrust: {
    text: 'Server "{server}" does not run until you trust this workspace.',
    remedy: 'Trust the workspace to use it.',
  },
  blockedApproval: {
    text: 'Server "{server}" waits for your approval of its exact command or URL.',
    remedy: 'Review and approve it.',
  },
  blockedPolicy: { text: 'Server "{server}" is refused: {detail}.', remedy: 'Change the entry as described.' },
  blockedConflict: { text: 'Server "{server}" is defined differently in {other}.', remedy: 'Rename one of the two.' },
  blockedRemoteOff: {
    text: 'Server "{server}" is remote, and remote servers are turned off.',
    remedy: 'Turn on roundhouse.remote.enabled in your user settings.',
  },
  blockedEditor: {
    text: 'Server "{server}" may not run: it is not among the servers that {setting} allows.',
    remedy: 'Ask whoever manages your editor, or change the setting if it is yours.',
  },
  blockedInput: { text: 'Server "{server}" needs {variable}.', remedy: 'Provide the value, then start the server.' },
  valueNotStored: {
    text: 'The secret storage of the editor could not be changed for {variable}.',
    remedy: 'Unlock the keyring of your system, then try again.',
  },
  commandNotFound: {
    text: 'The command {command} of server "{server}" was not found. Looked in: {path}.',
    remedy: 'Install it, or write its full path.',
  },
  commandIsFolder: {
    text: 'The command of server "{server}" is a folder: {path}.',
    remedy: 'Name the program itself; the folder that it works in belongs into cwd.',
  },
  commandNotExecutable: {
    text: 'The command of server "{server}" is a file that cannot be run: {path}.',
    remedy:
      'Make it executable, or put the program that runs it, such as node or python, into command and the file into args.',
  },
  workingDirectoryMissing: {
    text: 'The working directory {cwd} of server "{server}" is not an existing folder.',
    remedy: 'Create the folder or correct cwd.',
  },
  spawnFailed: { text: 'Server "{server}" could not be started: {detail}.', remedy: 'Check command, rights and cwd.' },
  exitedAtStart: {
    text: 'Server "{server}" ended before it was ready ({exit}).',
    remedy: 'Read what it printed last, in its log, and correct the command; then restart it.',
  },
  processExited: { text: 'Server "{server}" ended ({exit}).', remedy: 'Restart it; its last lines are in its log.' },
  notResponding: {
    text: 'Server "{server}" did not answer any more, for {seconds} s, and was ended.',
    remedy: 'Its last lines are in its log.',
  },
  restartPending: {
    text: 'Server "{server}" is started again in {wait} s; nothing was sent to it.',
    remedy: 'Try again after that.',
  },
  crashLoop: {
    text: 'Server "{server}" was started again {restarts} times and ended or failed each time.',
    remedy: 'Read its last lines, mend what they tell of, then start it.',
  },
  stateLost: {
    text: 'Server "{server}" ended by itself and was started again; what it kept in memory is lost.',
    remedy: 'Do again what it has to know, such as opening a page. Restarting it yourself clears this.',
  },
  connectTimeout: {
    text: 'Server "{server}" was not ready after {seconds} s.',
    remedy: 'Check its log, or raise timeouts.connect.',
  },
  testSilent: {
    text: 'The test of server "{server}" was ended after {seconds} s without a sign of life.',
    remedy: 'If it is only slow, start it: outside of a test its own time-outs hold.',
  },
  testTooLong: {
    text: 'The test of server "{server}" was ended after {seconds} s, the most that one may take.',
    remedy: 'If it is only slow, start it: outside of a test its own time-outs hold.',
  },
  eraUnsupported: {
    text: 'Server "{server}" does not speak protocol {wanted}.',
    remedy: 'Give protocol another value, or update the server.',
  },
  eraProbeSilent: {
    text: 'Server "{server}" did not answer the probe for protocol {wanted} within {seconds} s.',
    remedy: 'If it is only slow to start, set protocol to auto; if it is an older one, to legacy.',
  },
  protocolVersionUnsupported: {
    text: 'Server "{server}" speaks protocol {found}, which is not supported.',
    remedy: 'Update the server.',
  },
  urlForbidden: {
    text: 'The URL {url} is not allowed: {detail}.',
    remedy: 'Correct the URL: https, or http on this machine only.',
  },
  redirectForbidden: {
    text: 'Server "{server}" redirects to {url}, which is not allowed: {detail}.',
    remedy: 'Write the final URL into the configuration if you trust it.',
  },
  networkFailed: {
    text: 'Server "{server}" cannot be reached: {detail}.',
    remedy: 'Check the URL, the network and your proxy.',
  },
  httpStatus: {
    text: 'Server "{server}" answered with HTTP status {status}.',
    remedy: 'Check the URL and the server.',
  },
  httpUnexpectedContent: {
    text: 'Server "{server}" answered with something that is not MCP: {detail}.',
    remedy: 'Check that the URL is the MCP endpoint.',
  },
  transportFallbackFailed: {
    text: 'Server "{server}" answered Streamable HTTP with status {first}, and SSE, which was tried next, failed too:',
    remedy: 'Check the URL, or name the transport.',
  },
  signInNeeded: { text: 'Server "{server}" wants you to sign in.', remedy: 'Sign in to it.' },
  forbidden: { text: 'Server "{server}" refused access.', remedy: "Check your account's rights." },
  sessionLost: {
    text: 'Server "{server}" forgot the session; what it kept for it is lost.',
    remedy: 'Repeat what you did last if it had no effect.',
  },
  connectionClosed: { text: 'The connection to server "{server}" was closed.', remedy: 'Start the server again.' },
  keeperFailed: {
    text: 'The program that keeps persistent servers cannot be used: {detail}.',
    remedy: 'Mend that, then try again.',
  },
  keeperDiffers: {
    text: 'Persistent servers are kept by another version of MCP Roundhouse ({build}).',
    remedy: 'Update the other one, or close what uses it and wait until it has ended.',
  },
  windowClosed: {
    text: 'No VS Code window with MCP Roundhouse is open.',
    remedy: 'Open a folder in VS Code, then try again.',
  },
  cancelled: { text: 'Cancelled.', remedy: 'Nothing needs to be done.' },
  requestTimeout: {
    text: 'Server "{server}" did not answer {method} within {seconds} s.',
    remedy: 'Try again, or raise its time-out.',
  },
  callTimeout: {
    text: 'Tool {tool} of server "{server}" did not end within {seconds} s.',
    remedy: 'Raise timeouts.call if it needs longer.',
  },
  frameTooLarge: {
    text: 'Server "{server}" sent a message of more than {limit} MiB.',
    remedy: 'Ask for less at once.',
  },
  protocolError: {
    text: 'Server "{server}" answered {method} with error {number}: {detail}.',
    remedy: "The message is the server's own: check what it needs, or report it to its authors.",
  },
  invalidResponse: {
    text: 'Server "{server}" answered {method} with something that is not a result: {detail}.',
    remedy: "Report it to the server's authors.",
  },
  unknownServer: { text: 'There is no server "{server}".', remedy: 'Check the name against the list of servers.' },
  toolLeftOut: {
    text: 'Tool {tool} of server "{server}" was left out when its tools were listed: {detail}.',
    remedy: "Report it to the server's authors.",
  },
  unknownTool: { text: 'Server "{server}" has no tool {tool}.', remedy: 'Refresh the server and check the name.' },
  unknownResource: {
    text: 'Server "{server}" has no resource {uri}.',
    remedy: 'Refresh the server and check the URI.',
  },
  unknownPrompt: {
    text: 'Server "{server}" has no prompt {prompt}.',
    remedy: 'Refresh the server and check the name.',
  },
  staleTool: {
    text: 'Tool {tool} of server "{server}" changed since it was listed.',
    remedy: 'List the tools again and repeat the call.',
  },
  ambiguousName: { text: 'The name {name} stands for more than one tool.', remedy: 'Rename one of the servers.' },
  argumentsInvalid: {
    text: 'The arguments of {tool} on server "{server}" do not fit its schema: {detail}.',
    remedy: 'Correct the arguments.',
  },
  resultInvalid: {
    text: 'The result of {tool} on server "{server}" does not fit its schema: {detail}.',
    remedy: "Report it to the server's authors.",
  },
  unsafeInteger: {
    text: 'Argument {field} of {tool} on server "{server}" is too large a number to be sent exactly.',
    remedy: 'Use a smaller number.',
  },
  toolDenied: {
    text: 'Your policy denies {tool} on server "{server}".',
    remedy: 'Change toolPolicies if you want to allow it.',
  },
  toolNotConfirmed: {
    text: 'The call of {tool} on server "{server}" was not confirmed.',
    remedy: 'Confirm the call when you are asked.',
  },
  approvalPending: {
    text: 'The call of {tool} on server "{server}" is waiting for approval in VS Code.',
    remedy: 'Have the question answered there, then call again with the same arguments.',
  },
  journalFailed: {
    text: 'The call was not sent, since the journal of calls in {folder} cannot be written: {detail}.',
    remedy: 'Free space or check that folder, or turn the journal off in the settings.',
  },
  toolFailed: {
    text: 'Tool {tool} of server "{server}" reported an error: {detail}.',
    remedy: "The message is the tool's own.",
  },
  inputRequired: {
    text: 'Tool {tool} of server "{server}" asks for more input than can be given here.',
    remedy: 'Call it from VS Code.',
  },
  listFailed: {
    text: 'Server "{server}" did not give its {kind}: {detail}.',
    remedy: 'Refresh the server; the last good list stays.',
  },
  listNotImplemented: {
    text: 'Server "{server}" advertises {kind} but does not answer the request for them.',
    remedy: "Report it to the server's authors.",
  },
  subscriptionMissing: {
    text: 'Server "{server}" did not acknowledge the subscription to changes.',
    remedy: 'Refresh the server to see what changed.',
  },
  subscriptionRejected: {
    text: 'Server "{server}" refused the subscription to changes: {detail}.',
    remedy: 'Refresh the server to see what changed.',
  },
  subscriptionNotHonoured: {
    text: 'Server "{server}" announces fewer kinds of changes than were asked for.',
    remedy: 'Refresh the server to see what changed.',
  },
  subscriptionClosed: {
    text: 'Server "{server}" ended the subscription to changes.',
    remedy: 'Refresh the server, or restart it.',
  },
  agentFileMalformed: {
    text: '{file} is not well-formed: {detail} at line {line}, column {column}.',
    remedy: 'Correct the file, then try again. Nothing was changed.',
  },
  agentFileNotEditable: {
    text: '{file} cannot be edited safely: {detail}.',
    remedy: 'Change it by hand. Nothing was changed.',
  },
  agentFileChanged: {
    text: '{file} changed since its change was prepared.',
    remedy: 'Try again: the change is prepared anew. Nothing was changed.',
  },
  agentEntryTaken: {
    text: '{agent} has a server "{name}" of its own, which MCP Roundhouse did not add.',
    remedy: 'Rename or remove it in {file}, then connect again.',
  },
  agentEntryChanged: {
    text: '"{name}" in {file} was changed since MCP Roundhouse wrote it.',
    remedy: 'It was left as it is. Remove it in the file where it is not needed.',
  },
  agentCommandFailed: {
    text: '{command} failed: {detail}.',
    remedy: 'Run the command in a terminal to see why.',
  },
  agentRecordsUnreadable: {
    text: '{file}, the list of changes to the files of other programs, cannot be read: {detail}.',
    remedy: 'Correct or remove the file. Nothing was changed.',
  },
  internal: { text: 'Something went wrong inside MCP Roundhouse: {detail}.', remedy: 'Please report it.' },
};

/**
 * Puts data into the places of a template; an absent value shows as `?`. A variable, `${name}`, is no place. Where a place ends its sentence, the value's
 * own full stop goes: there is one already.
 */
export function fillIn(
  template: string,
  data: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  return template.replace(/(?<!\$)\{(\w+)\}([.。]?)/g, (_, name: string, stop: string) => {
    const value = String(data[name] ?? '?');
    return `${stop === '' ? value : value.replace(/[.。]$/, '')}${stop}`;
  });
}
