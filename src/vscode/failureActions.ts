// What a person can do about each failure with one click, most useful first. One table for the message that reports it
// and for the row under the server; a new code does not compile until it has its line here.
import type { ErrorCode } from '../contract/errorCodes.ts';
import type { CommandName } from './contributions.ts';

/** A command on the failed server, or one of the editor's own places. */
export type FailureAction =
  | Extract<
      CommandName,
      | 'server.edit'
      | 'server.diagnose'
      | 'server.showLog'
      | 'server.restart'
      | 'server.retry'
      | 'server.refresh'
      | 'server.start'
      | 'server.enable'
      | 'server.approve'
    >
  | 'manageTrust'
  | 'remoteSetting'
  | 'journalSetting';

const edit: readonly FailureAction[] = ['server.edit'];
const target: readonly FailureAction[] = ['server.edit', 'server.diagnose'];
const ended: readonly FailureAction[] = ['server.showLog', 'server.restart', 'server.diagnose'];
const settings: readonly FailureAction[] = ['server.showLog', 'server.edit', 'server.diagnose'];
const diagnose: readonly FailureAction[] = ['server.diagnose'];
const log: readonly FailureAction[] = ['server.showLog'];
const refresh: readonly FailureAction[] = ['server.refresh'];
const nothing: readonly FailureAction[] = [];

export const failureActions: Readonly<Record<ErrorCode, readonly FailureAction[]>> = {
  configUnreadable: edit,
  configSyntax: edit,
  configVersion: edit,
  configInvalid: edit,
  configStructure: edit,
  configSymlinkOutside: edit,
  configWriteFailed: nothing,
  configLocked: nothing,
  variableUnset: edit,
  variableUnknown: edit,
  variableNotAvailable: edit,
  envFileUnreadable: target,
  serverDisabled: ['server.enable'],
  blockedTrust: ['manageTrust'],
  blockedApproval: ['server.approve'],
  blockedPolicy: edit,
  blockedConflict: edit,
  blockedRemoteOff: ['remoteSetting'],
  blockedEditor: nothing,
  blockedInput: ['server.start'],
  valueNotStored: nothing,
  commandNotFound: target,
  commandIsFolder: target,
  commandNotExecutable: target,
  workingDirectoryMissing: target,
  spawnFailed: settings,
  exitedAtStart: ended,
  processExited: ended,
  notResponding: ended,
  restartPending: ['server.retry', 'server.showLog'],
  crashLoop: ['server.retry', 'server.showLog', 'server.diagnose'],
  stateLost: ended,
  connectTimeout: settings,
  testSilent: ['server.showLog', 'server.start'],
  testTooLong: ['server.showLog', 'server.start'],
  eraUnsupported: target,
  eraProbeSilent: target,
  protocolVersionUnsupported: diagnose,
  urlForbidden: edit,
  redirectForbidden: edit,
  networkFailed: diagnose,
  httpStatus: diagnose,
  httpUnexpectedContent: diagnose,
  transportFallbackFailed: diagnose,
  signInNeeded: diagnose,
  forbidden: diagnose,
  sessionLost: ended,
  connectionClosed: ended,
  windowClosed: nothing,
  keeperFailed: ['server.start', 'server.showLog'],
  keeperDiffers: nothing,
  cancelled: nothing,
  requestTimeout: settings,
  callTimeout: ['server.showLog', 'server.edit'],
  frameTooLarge: nothing,
  protocolError: log,
  invalidResponse: log,
  unknownServer: nothing,
  unknownTool: refresh,
  toolLeftOut: nothing,
  unknownResource: refresh,
  unknownPrompt: refresh,
  staleTool: refresh,
  ambiguousName: nothing,
  argumentsInvalid: nothing,
  resultInvalid: nothing,
  unsafeInteger: nothing,
  toolDenied: edit,
  toolNotConfirmed: nothing,
  approvalPending: nothing,
  journalFailed: ['journalSetting'],
  toolFailed: nothing,
  inputRequired: nothing,
  listFailed: refresh,
  listNotImplemented: nothing,
  subscriptionMissing: refresh,
  subscriptionRejected: refresh,
  subscriptionNotHonoured: refresh,
  subscriptionClosed: ['server.refresh', 'server.restart'],
  agentFileMalformed: nothing,
  agentFileNotEditable: nothing,
  agentFileChanged: nothing,
  agentEntryTaken: nothing,
  agentEntryChanged: nothing,
  agentCommandFailed: nothing,
  agentRecordsUnreadable: nothing,
  internal: log,
};
