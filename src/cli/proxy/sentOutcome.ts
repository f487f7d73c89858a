// What follows from what became of a request that was sent to a window. Pure. Nothing that may have run is sent again: only
// what surely was not looked at, and handshakes and lists, which change nothing however often they are asked.
import { isJsonObject } from '../../contract/json.ts';
import { readObject, type RequestFrame } from './agentFrame.ts';
import type { Sent } from './gatewayLink.ts';

export type NextStep =
  /** It was answered, or nobody waits for it. */
  | 'done'
  /** This window is none for us: another one gets it. */
  | 'elsewhere'
  /** The session is over, or its window is about to be: a new handshake, wherever that is, then once more. */
  | 'anew'
  /** It was not taken: the agent hears so, with what the window said. */
  | 'refused'
  /** The connection broke while it may have run. */
  | 'lost';

/** `answer`: what answered it on an event stream. */
export function nextStep(
  sent: Sent,
  { method, era }: Pick<RequestFrame, 'method' | 'era'>,
  answer: Buffer | undefined,
): NextStep {
  const isHarmless = harmless.has(method);
  if (isHarmless && isEndOfWindow(answer)) return 'anew';
  switch (sent.kind) {
    case 'aborted':
      return 'done';
    case 'broken':
      if (answer !== undefined) return 'done';
      return sent.arrived === 'no' || isHarmless ? 'elsewhere' : 'lost';
    case 'answered': {
      const { status, body } = sent;
      if (isHarmless && isEndOfWindow(body)) return 'anew';
      if (status === 200 && body === undefined && answer === undefined) return isHarmless ? 'elsewhere' : 'lost';
      if (status === 200) return 'done';
      if (status === 404 && era === 'legacy') return 'anew';
      // Its token is not the one that was written down, or it is about to close: nothing was looked at.
      return status === 401 || status === 403 || status === 503 ? 'elsewhere' : 'refused';
    }
  }
}

/** Whether a gateway says that it ended under this request, in order. */
export function isEndOfWindow(answer: Buffer | undefined): boolean {
  // A list may be long: most are never read here.
  if (answer?.includes('"windowClosed"') !== true) return false;
  const error = readObject(answer)?.['error'];
  return isJsonObject(error) && isJsonObject(error['data']) && error['data']['code'] === 'windowClosed';
}

const harmless: ReadonlySet<string> = new Set([
  ...['initialize', 'server/discover', 'ping'],
  ...['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'],
]);
