// The `viewItem` flags of a server: which actions make sense on it now.
import type { ServerView } from '../../core/manager/view.ts';

export function serverFlags({ server, state, role }: ServerView): string {
  const served = role !== 'overridden' && role !== 'conflict';
  return [
    'server',
    state.kind,
    server.scope.kind,
    server.definition.kind,
    ...(server.definition.enabled ? ['enabled'] : []),
    ...(state.kind === 'blocked' ? [state.by] : []),
    ...(served ? actionFlags(state) : []),
  ].join('+');
}

function actionFlags(state: ServerView['state']): readonly string[] {
  switch (state.kind) {
    case 'stopped':
    case 'failed':
    case 'signInNeeded':
      return ['startable'];
    case 'ready':
    case 'connecting':
    case 'installing':
    case 'backingOff':
      return ['running'];
    case 'blocked':
      return state.by === 'input' ? ['startable'] : []; // Starting it asks for the value.
    case 'disabled':
      return [];
  }
}
