// What a proxy answers itself while no window serves it (GATE-5): the handshake, so that the agent goes on and hears of a
// window that opens later; empty lists; and for all else, in words, that there is no window, or that it is in Restricted
// Mode. Pure. Of servers that need no window nothing is known here yet.
import type { JsonObject } from '../../contract/json.ts';
import { clientInfo } from '../../core/connection/clientInfo.ts';
import { ManagerError } from '../../core/errors.ts';
import { aggregateCapabilities } from '../../gateway/aggregateCapabilities.ts';
import { legacyRevisions, modernRevisions } from '../../gateway/inbound.ts';
import { listMethods } from '../../gateway/listResults.ts';
import { modernResult } from '../../gateway/modernResult.ts';
import { failed, RpcFailure } from '../../gateway/outcomes.ts';
import type { Outcome } from '../../gateway/reply.ts';
import type { RequestFrame } from './agentFrame.ts';

/** `none`: nobody is there; `restricted`: the window of the agent's folder may serve nobody. */
export type WithoutWindow = 'none' | 'restricted';

export function answerWithoutWindow(frame: RequestFrame, why: WithoutWindow): Outcome {
  const outcome = answer(frame, why);
  return frame.era === 'modern' ? modernResult(frame.method, outcome) : outcome;
}

/** The answer to a request whose window went away under it. */
export function lostUnderWay({ method }: Pick<RequestFrame, 'method'>): Outcome {
  return failed(new ManagerError('windowClosed', { during: method }, { outcome: 'unknown' }));
}

function answer({ method, params, era }: RequestFrame, why: WithoutWindow): Outcome {
  const hello = { capabilities: aggregateCapabilities, instructions: instructions[why] };
  const list = Object.hasOwn(listMethods, method) ? listMethods[method] : undefined;
  if (list !== undefined) return { kind: 'value', result: { [list]: [] } };
  switch (method) {
    case 'initialize':
      if (era === 'modern') return failed(new RpcFailure(-32601, 'Method not found'));
      return { kind: 'value', result: { protocolVersion: revisionOf(params), ...hello, serverInfo: clientInfo } };
    case 'server/discover': {
      const _meta = { 'io.modelcontextprotocol/serverInfo': clientInfo };
      return { kind: 'value', result: { supportedVersions: modernRevisions, ...hello, _meta } };
    }
    case 'ping':
    case 'logging/setLevel':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return { kind: 'value', result: {} };
    default:
      return failed(new ManagerError('windowClosed', why === 'none' ? {} : { why }, { outcome: 'notSent' }));
  }
}

const instructions: Readonly<Record<WithoutWindow, string>> = {
  none: 'No VS Code window with MCP Roundhouse is open, so there are no tools now. They are announced once a window opens.',
  restricted:
    'The VS Code window of this folder is in Restricted Mode, so there are no tools now. They are announced once the person trusts the folder there.',
};

function revisionOf({ protocolVersion }: JsonObject): JsonObject['protocolVersion'] {
  return legacyRevisions.find((revision) => revision === protocolVersion) ?? legacyRevisions[0];
}
