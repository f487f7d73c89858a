// What happened to a server, as a line of its own log: codes and plain data, no secrets, the same in every language.
import type { ConnectionState } from '../connection/state.ts';

export function stateLine(state: ConnectionState): string {
  switch (state.kind) {
    case 'connecting':
      return 'starting';
    case 'installing':
      return `installing: ${state.detail}`;
    case 'ready': {
      const { transport, pid, revision } = state.negotiated;
      return `ready: ${transport}, ${pid === undefined ? '' : `process ${pid}, `}protocol ${revision}`;
    }
    case 'blocked':
    case 'failed':
    case 'signInNeeded':
    case 'backingOff': {
      const { code, data } = state.problem;
      const { exit } = data;
      return exit === undefined ? `${state.kind}: ${code}` : `${state.kind}: ${code}, ${exit}`;
    }
    case 'stopped':
    case 'disabled':
      return state.kind;
  }
}
