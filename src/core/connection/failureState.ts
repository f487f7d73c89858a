// Turns what ended an attempt to connect into the state that people see.
import type { ErrorCode } from '../../contract/errorCodes.ts';
import { ManagerError } from '../errors.ts';
import type { BlockedBy, ConnectionState, Problem } from './state.ts';

/** The problem behind any thrown value; what is no ManagerError is our own fault and says so. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ManagerError)) {
    return { code: 'internal', data: { detail: error instanceof Error ? error.message : String(error) } };
  }
  return {
    code: error.code,
    data: error.data,
    ...(error.stderr === undefined ? {} : { stderr: error.stderr }),
  };
}

const blockers: Partial<Record<ErrorCode, BlockedBy>> = {
  blockedTrust: 'trust',
  blockedApproval: 'approval',
  blockedPolicy: 'policy',
  blockedConflict: 'conflict',
  blockedRemoteOff: 'remoteOff',
  blockedEditor: 'policy',
  blockedInput: 'input',
  variableUnset: 'input',
  variableNotAvailable: 'input',
};

export function stateOfFailure(error: unknown): ConnectionState {
  return stateOfProblem(problemOf(error));
}

export function stateOfProblem(problem: Problem): ConnectionState {
  const by = isRefusal(problem) ? 'refused' : blockers[problem.code];
  if (by !== undefined) return { kind: 'blocked', by, problem };
  switch (problem.code) {
    case 'serverDisabled':
      return { kind: 'disabled' };
    case 'cancelled':
      return { kind: 'stopped' };
    case 'signInNeeded':
      return { kind: 'signInNeeded', problem };
    default:
      return { kind: 'failed', problem };
  }
}

/** The person was asked about this launch, and said no. */
function isRefusal({ code, data }: Problem): boolean {
  return code === 'blockedApproval' && data['answer'] === 'refused';
}
