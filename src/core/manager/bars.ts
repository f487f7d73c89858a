// Why a definition may not run, as the state that shows it. Pure; the manager asks, and keeps the answer.
import type { ConfiguredServer } from '../config/model.ts';
import type { ConnectionState } from '../connection/state.ts';
import { ManagerError } from '../errors.ts';
import { barOf, type Circumstances, needsApproval } from '../trust/standing.ts';

type Blocked = Extract<ConnectionState, { kind: 'blocked' }>;

/** `approved`: its exact launch was approved at its last start, and nothing says that it changed since. */
export function barState(
  server: ConfiguredServer,
  circumstances: Circumstances,
  approved: boolean,
): ConnectionState | undefined {
  if (!server.definition.enabled) return { kind: 'disabled' };
  const bar = barOf(server, circumstances);
  if (bar !== undefined) return { kind: 'blocked', ...bar };
  return approved || !needsApproval(server) ? undefined : waitingForApproval(server);
}

export function waitingForApproval(server: ConfiguredServer): Blocked {
  return { kind: 'blocked', by: 'approval', problem: { code: 'blockedApproval', data: { server: server.id } } };
}

/** `rival` is the definition that owns the id (CFG-9). */
export function conflictWith(server: ConfiguredServer, rival: ConfiguredServer | undefined): Blocked {
  const data = { server: server.id, other: rival?.file };
  return { kind: 'blocked', by: 'conflict', problem: { code: 'blockedConflict', data } };
}

export function isWaiting(state: ConnectionState | undefined): boolean {
  return state?.kind === 'blocked' && state.by === 'approval';
}

/** The error of a request to a server in this state; undefined where the state bars nothing. */
export function barError(server: ConfiguredServer, state: ConnectionState | undefined): ManagerError | undefined {
  if (state === undefined) return undefined;
  if (state.kind === 'disabled') return new ManagerError('serverDisabled', { server: server.id });
  return 'problem' in state ? new ManagerError(state.problem.code, state.problem.data) : undefined;
}
