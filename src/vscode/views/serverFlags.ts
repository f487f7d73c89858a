// The `viewItem` flags of a server: which actions make sense on it now.
import type { ConnectionState } from '../../core/connection/state.ts';
import type { ServerView } from '../../core/manager/view.ts';

export function serverFlags({ server, state, role, policies }: ServerView): string {
  const action = actionOn({ state, role });
  return [
    'server',
    state.kind,
    server.scope.kind,
    server.definition.kind,
    ...(server.definition.enabled ? ['enabled'] : []),
    ...(state.kind === 'blocked' ? [state.by] : []),
    ...(action === undefined ? [] : [action]),
    ...(action !== undefined && isRetried(state) ? ['retry'] : []),
    ...((policies.changed?.size ?? 0) > 0 ? ['changed'] : []),
  ].join('+');
}

/** It is started again by itself, or was so often that it no longer is (KEEP-3). */
export function isRetried(state: ConnectionState): boolean {
  return state.kind === 'backingOff' || (state.kind === 'failed' && state.problem.code === 'crashLoop');
}

/** Whether there is something to stop, or something to start; neither where another definition serves the id. */
export function actionOn({ state, role }: Pick<ServerView, 'state' | 'role'>): 'running' | 'startable' | undefined {
  if (role === 'overridden' || role === 'conflict') return undefined;
  switch (state.kind) {
    case 'stopped':
    case 'failed':
    case 'signInNeeded':
      return 'startable';
    case 'ready':
    case 'connecting':
    case 'installing':
    case 'backingOff':
      return 'running';
    case 'blocked':
      return state.by === 'input' ? 'startable' : undefined; // Starting it asks for the value.
    case 'disabled':
      return undefined;
  }
}
