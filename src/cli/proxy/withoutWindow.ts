// What a proxy answers itself while no window is open (GATE-5): the handshake, so that the agent goes on and hears of a
// window that opens later; empty lists; and for all else, in words, that there is no window. Pure. Of servers that need no
// window nothing is known here yet.
import type { JsonObject } from '../../contract/json.ts';
import { clientInfo } from '../../core/connection/clientInfo.ts';
import { ManagerError } from '../../core/errors.ts';
import { modernRevisions } from '../../gateway/inbound.ts';
import { listMethods } from '../../gateway/listResults.ts';
import { modernResult } from '../../gateway/modernResult.ts';
import { failed, RpcFailure } from '../../gateway/outcomes.ts';
import type { Outcome } from '../../gateway/reply.ts';
import type { RequestFrame } from './agentFrame.ts';

export function answerWithoutWindow(frame: RequestFrame): Outcome {
  const outcome = answer(frame);
  return frame.era === 'modern' ? modernResult(frame.method, outcome) : outcome;
}

/** The answer to a request whose window went away under it. */
export function lostUnderWay({ method }: Pick<RequestFrame, 'method'>): Outcome {
  return failed(new ManagerError('windowClosed', { during: method }, { outcome: 'unknown' }));
}

function answer({ method, params, era }: RequestFrame): Outcome {
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
      return failed(new ManagerError('windowClosed', {}, { outcome: 'notSent' }));
  }
}

const hello = {
  capabilities: {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  },
  instructions:
    'No VS Code window with MCP Roundhouse is open, so there are no tools now. They are announced once a window opens.',
} satisfies JsonObject;

const revisions: readonly unknown[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

function revisionOf({ protocolVersion }: JsonObject): JsonObject['protocolVersion'] {
  return revisions.includes(protocolVersion) ? protocolVersion : '2025-11-25';
}
