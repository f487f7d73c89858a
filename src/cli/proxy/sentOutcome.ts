// What follows from what became of a request that was sent to a window. Pure. Nothing that may have run is sent again: only
// what surely was not looked at, and handshakes and lists, which change nothing however often they are asked.
import type { RequestFrame } from './agentFrame.ts';
import type { Sent } from './gatewayLink.ts';

export type NextStep =
  /** It was answered, or nobody waits for it. */
  | 'done'
  /** This window is none for us: another one gets it. */
  | 'elsewhere'
  /** The window does not know the session any more: a new handshake, then once more. */
  | 'anew'
  /** It was not taken: the agent hears so, with what the window said. */
  | 'refused'
  /** The connection broke while it may have run. */
  | 'lost';

export function nextStep(
  sent: Sent,
  { method, era }: Pick<RequestFrame, 'method' | 'era'>,
  answered: boolean,
): NextStep {
  switch (sent.kind) {
    case 'aborted':
      return 'done';
    case 'broken':
      if (answered) return 'done';
      return sent.arrived === 'no' || isHarmless.has(method) ? 'elsewhere' : 'lost';
    case 'answered': {
      const { status } = sent;
      if (status === 200) return sent.body === undefined && !answered ? 'lost' : 'done';
      if (status === 404 && era === 'legacy') return 'anew';
      // Its token is not the one that was written down, or it is about to close: nothing was looked at.
      return status === 401 || status === 403 || status === 503 ? 'elsewhere' : 'refused';
    }
  }
}

const isHarmless: ReadonlySet<string> = new Set([
  ...['initialize', 'server/discover', 'ping'],
  ...['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'],
]);
