// Why a definition may not run, as the state that shows it. Pure; the manager asks, and keeps the answer.
import type { ConfiguredServer } from '../config/model.ts';
import type { ConnectionState } from '../connection/state.ts';
import { ManagerError } from '../errors.ts';
import { approvalProblem, barOf, type Circumstances, type Standing } from '../trust/barOf.ts';

type Blocked = Extract<ConnectionState, { kind: 'blocked' }>;

/** `standing`: as it was found last, where nothing says that it changed since; `changed` as in approvalProblem. */
export function barState(
  server: ConfiguredServer,
  circumstances: Circumstances,
  standing: Standing,
  changed: boolean,
): ConnectionState | undefined {
  if (!server.definition.enabled) return { kind: 'disabled' };
  const bar = barOf(server, circumstances);
  if (bar !== undefined) return { kind: 'blocked', ...bar };
  if (standing === 'approved') return undefined;
  const by = standing === 'refused' ? 'refused' : 'approval';
  return { kind: 'blocked', by, problem: approvalProblem(server, standing, changed) };
}

/** `rival` is the definition that owns the id (CFG-9). */
export function conflictWith(server: ConfiguredServer, rival: ConfiguredServer | undefined): Blocked {
  const data = { server: server.id, other: rival?.file };
  return { kind: 'blocked', by: 'conflict', problem: { code: 'blockedConflict', data } };
}

/** Only the person's approval is missing, whether or not they were asked already. */
export function isUnapproved(state: ConnectionState | undefined): boolean {
  return state?.kind === 'blocked' && (state.by === 'approval' || state.by === 'refused');
}

/** What would run is not what the person approved of this definition. */
export function isOutdated(state: ConnectionState | undefined): boolean {
  return state?.kind === 'blocked' && state.by === 'approval' && state.problem.data['answer'] === 'outdated';
}

/** The error of a request to a server in this state; undefined where the state bars nothing. */
export function barError(server: ConfiguredServer, state: ConnectionState | undefined): ManagerError | undefined {
  if (state === undefined) return undefined;
  if (state.kind === 'disabled') return new ManagerError('serverDisabled', { server: server.id });
  return 'problem' in state ? new ManagerError(state.problem.code, state.problem.data) : undefined;
}
