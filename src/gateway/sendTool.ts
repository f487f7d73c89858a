// A tool call of a client on its way to the router, the one way to call (TOOL-2): held to the definition that this client
// listed, where it listed one.
import { isJsonObject } from '../contract/json.ts';
import type { LiveServer } from '../core/manager/view.ts';
import type { ToolRouter } from '../core/tools/toolRouter.ts';
import { RpcFailure } from './outcomes.ts';
import type { Send } from './serverCall.ts';
import type { GatewayClient } from './surface.ts';

export interface SendToolOptions {
  readonly forward: ToolRouter['forward'];
  readonly live: LiveServer;
  readonly client: GatewayClient;
  /** The server's own name of the tool, where the params have the outward one. */
  readonly tool?: string;
}

export function sendTool({ forward, live, client, tool }: SendToolOptions): Send {
  // Not async: what is wrong with the params is told before anything waits.
  return (params, options) => {
    const { name, arguments: args = {}, ...extra } = params;
    if (typeof name !== 'string') throw new RpcFailure(-32602, 'Invalid params: name is no text.');
    if (!isJsonObject(args)) throw new RpcFailure(-32602, 'Invalid params: arguments is no object.');
    const hash = client.seen.get(name);
    const binding = hash === undefined ? {} : { binding: { generation: live.snapshot.generation, hash } };
    const { caller } = client;
    return forward({ server: live.view.key, tool: tool ?? name, args, caller, extra, ...binding }, options);
  };
}
