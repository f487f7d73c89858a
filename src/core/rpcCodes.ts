// What each failure is called on the wire: a JSON-RPC error number for every code. Standard numbers where JSON-RPC or
// MCP has one; else numbers of -32000 to -32019, the range that both leave to implementations. Agents tell failures
// apart by `data.code`; the number only has to be of the right kind.
import type { ErrorCode } from '../contract/errorCodes.ts';

const invalidRequest = -32600;
const invalidParams = -32602;
const internalError = -32603;
/** MCP: a resource that does not exist. */
const resourceNotFound = -32002;
/** Used by the official SDKs for a connection that ended and for a request that took too long. */
const connectionClosed = -32000;
const requestTimeout = -32001;
/** Ours. */
const notConfigured = -32010;
const mayNotRun = -32011;
const notReachable = -32012;
const refusedByPolicy = -32013;
const badAnswer = -32014;
const cancelled = -32015;

export const rpcCodes: Readonly<Record<ErrorCode, number>> = {
  configUnreadable: notConfigured,
  configSyntax: notConfigured,
  configVersion: notConfigured,
  configInvalid: notConfigured,
  configStructure: notConfigured,
  configSymlinkOutside: notConfigured,
  configWriteFailed: internalError,
  configLocked: internalError,
  variableUnset: notConfigured,
  variableUnknown: notConfigured,
  variableNotAvailable: notConfigured,
  envFileUnreadable: notConfigured,
  serverDisabled: mayNotRun,
  blockedTrust: mayNotRun,
  blockedApproval: mayNotRun,
  blockedPolicy: mayNotRun,
  blockedConflict: mayNotRun,
  blockedRemoteOff: mayNotRun,
  blockedEditor: mayNotRun,
  blockedInput: mayNotRun,
  valueNotStored: internalError,
  commandNotFound: notReachable,
  commandIsFolder: notReachable,
  commandNotExecutable: notReachable,
  workingDirectoryMissing: notReachable,
  spawnFailed: notReachable,
  exitedAtStart: notReachable,
  processExited: connectionClosed,
  notResponding: connectionClosed,
  restartPending: notReachable,
  crashLoop: notReachable,
  stateLost: connectionClosed,
  connectTimeout: requestTimeout,
  testSilent: requestTimeout,
  testTooLong: requestTimeout,
  eraUnsupported: notReachable,
  eraProbeSilent: requestTimeout,
  protocolVersionUnsupported: notReachable,
  urlForbidden: mayNotRun,
  redirectForbidden: mayNotRun,
  networkFailed: notReachable,
  httpStatus: notReachable,
  httpUnexpectedContent: badAnswer,
  transportFallbackFailed: notReachable,
  signInNeeded: mayNotRun,
  forbidden: mayNotRun,
  sessionLost: connectionClosed,
  connectionClosed,
  windowClosed: notReachable,
  keeperFailed: notReachable,
  keeperDiffers: notReachable,
  cancelled,
  requestTimeout,
  callTimeout: requestTimeout,
  frameTooLarge: badAnswer,
  protocolError: badAnswer,
  invalidResponse: badAnswer,
  unknownServer: invalidParams,
  unknownTool: invalidParams,
  toolLeftOut: invalidParams,
  unknownResource: resourceNotFound,
  unknownPrompt: invalidParams,
  staleTool: invalidRequest,
  ambiguousName: invalidParams,
  argumentsInvalid: invalidParams,
  resultInvalid: badAnswer,
  unsafeInteger: invalidParams,
  toolDenied: refusedByPolicy,
  toolNotConfirmed: refusedByPolicy,
  approvalPending: refusedByPolicy,
  journalFailed: internalError,
  toolFailed: badAnswer,
  inputRequired: invalidRequest,
  listFailed: badAnswer,
  listNotImplemented: badAnswer,
  subscriptionMissing: badAnswer,
  subscriptionRejected: badAnswer,
  subscriptionNotHonoured: badAnswer,
  subscriptionClosed: badAnswer,
  agentFileMalformed: notConfigured,
  agentFileNotEditable: notConfigured,
  agentFileChanged: internalError,
  agentEntryTaken: notConfigured,
  agentEntryChanged: notConfigured,
  agentCommandFailed: internalError,
  agentRecordsUnreadable: internalError,
  internal: internalError,
};
