// Decides which check of a diagnosis a failed connect belongs to: the one that told what is wrong. Those behind it were
// not reached; those before it passed where the failure shows that the server answered, and are not known otherwise.
import type { CheckName } from '../../contract/checkNames.ts';
import type { ErrorCode } from '../../contract/errorCodes.ts';

export type ConnectCheck = Extract<CheckName, 'definition' | 'target' | 'transport' | 'signIn' | 'initialise'>;

export const connectChecks: readonly ConnectCheck[] = ['definition', 'target', 'transport', 'signIn', 'initialise'];

export function checkOfFailure(code: ErrorCode): ConnectCheck {
  return places[code] ?? 'initialise';
}

/**
 * Whether the server answered something before this failure, which shows that it is reached and that it wants no
 * sign-in, unless the failure says so.
 */
export function showsAnswer(code: ErrorCode): boolean {
  return answers.has(code);
}

const answers: ReadonlySet<ErrorCode> = new Set([
  'httpUnexpectedContent',
  'signInNeeded',
  'forbidden',
  'eraUnsupported',
  'protocolVersionUnsupported',
  'protocolError',
  'invalidResponse',
  'frameTooLarge',
]);

const places: Partial<Record<ErrorCode, ConnectCheck>> = {
  configInvalid: 'definition',
  variableUnset: 'definition',
  variableUnknown: 'definition',
  variableNotAvailable: 'definition',
  envFileUnreadable: 'definition',
  serverDisabled: 'definition',
  blockedTrust: 'definition',
  blockedApproval: 'definition',
  blockedPolicy: 'definition',
  blockedConflict: 'definition',
  blockedRemoteOff: 'definition',
  blockedEditor: 'definition',
  blockedInput: 'definition',
  commandNotFound: 'target',
  commandIsFolder: 'target',
  commandNotExecutable: 'target',
  workingDirectoryMissing: 'target',
  urlForbidden: 'target',
  spawnFailed: 'transport',
  exitedAtStart: 'transport',
  processExited: 'transport',
  networkFailed: 'transport',
  redirectForbidden: 'transport',
  httpStatus: 'transport',
  transportFallbackFailed: 'transport',
  signInNeeded: 'signIn',
  forbidden: 'signIn',
};
