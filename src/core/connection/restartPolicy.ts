// Decides whether and when a server that ended by itself is started again (KEEP-3), over data alone. Promises: few tries,
// further and further apart, and none where time heals nothing; what it is told of a server's life is all it knows.
import type { ErrorCode } from '../../contract/errorCodes.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { stateOfProblem } from './failureState.ts';
import type { ConnectionState, Problem } from './state.ts';

type BackingOff = Extract<ConnectionState, { kind: 'backingOff' }>;

/** How often it was started again since a person started it, or since it last was stable. */
export type Restarts = number;

/** After the end of a connection that had lived for `lived` milliseconds: the count that goes on from there. */
export function restartsAfter(restarts: Restarts, lived: number): Restarts {
  return lived >= limits.supervision.stable ? 0 : restarts;
}

/** The state after an end that nobody asked for, or after a restart that failed: a wait, the last state, or one of its own. */
export function stateAfterEnd(problem: Problem, restarts: Restarts, now: number): ConnectionState {
  const own = stateOfProblem(problem);
  if (own.kind !== 'failed' || lasting.has(problem.code)) return own;
  const wait = limits.supervision.delays[restarts];
  return wait === undefined
    ? { kind: 'failed', problem: crashLoop(problem, restarts) }
    : { kind: 'backingOff', nextAttemptAt: now + wait, attempt: restarts + 1, problem };
}

/** What a use of the server is refused with in this state; undefined where it starts it at once. */
export function refusedUse(state: ConnectionState, now: number): ManagerError | undefined {
  // Once, or a caller that tries again and again would make a storm of it.
  if (state.kind === 'backingOff' && state.attempt > 1) return restartPending(state, now);
  if (state.kind !== 'failed' || state.problem.code !== 'crashLoop') return undefined;
  const { code, data, stderr } = state.problem;
  return new ManagerError(code, data, { stderr });
}

function restartPending({ problem, nextAttemptAt }: BackingOff, now: number): ManagerError {
  const wait = Math.max(1, Math.ceil((nextAttemptAt - now) / 1_000));
  const data = { ...problem.data, wait, because: problem.code };
  return new ManagerError('restartPending', data, { stderr: problem.stderr });
}

/** The last problem is told with its own sentence and data. */
function crashLoop({ code, data, stderr }: Problem, restarts: Restarts): Problem {
  return { code: 'crashLoop', data: { ...data, restarts, because: code }, ...(stderr && { stderr }) };
}

/** Failures that stay until somebody changes something. */
const lasting: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'variableUnknown',
  'envFileUnreadable',
  'valueNotStored',
  'commandNotFound',
  'commandIsFolder',
  'commandNotExecutable',
  'workingDirectoryMissing',
  'spawnFailed',
  'eraUnsupported',
  'protocolVersionUnsupported',
  'urlForbidden',
  'redirectForbidden',
  'forbidden',
  // A session that is lost again at once was renewed already (CONN-12).
  'sessionLost',
]);
