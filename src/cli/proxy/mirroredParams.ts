// The headers that repeat arguments of a call (2026-07-28, SEP-2243), for agents on a wire that has none. Which arguments
// a tool wants repeated is learned where a gateway misses them: it refuses such a call before it is looked at, so the lists
// are read then, and the call goes once more. Most tools want nothing, and their lists go through unread.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { headerDefinitions, type MirroredArgument } from '../../core/discovery/headerDefinitions.ts';
import { limits } from '../../core/limits.ts';
import { mirroredHeaders } from '../../core/tools/mirroredHeaders.ts';
import { readObject, type RequestFrame } from './agentFrame.ts';
import type { Sent } from './gatewayLink.ts';

type Headers = Readonly<Record<string, string>>;

/** Sends a request for a list; answers that come on a stream go to `onPage`. */
export type SendList = (list: RequestFrame, onPage: (page: Buffer) => void) => Promise<Sent>;

export class MirroredParams {
  readonly #known = new Map<string, readonly MirroredArgument[]>();

  /** The headers of this request, as far as they are known. */
  of({ method, params, era }: RequestFrame): Headers {
    const { name } = params;
    if (method !== 'tools/call' || era === 'legacy' || typeof name !== 'string') return {};
    const mirrored = this.#known.get(name);
    if (mirrored === undefined) return {};
    const args = isJsonObject(params['arguments']) ? params['arguments'] : {};
    try {
      return mirroredHeaders(mirrored, { server: '', tool: name, args });
    } catch {
      return {}; // What no header can say is refused by the gateway, in its own words.
    }
  }

  /** Whether this answer says that headers are missing or wrong. */
  isWanted({ method }: RequestFrame, sent: Sent): boolean {
    if (method !== 'tools/call' || sent.kind !== 'answered' || sent.body === undefined) return false;
    const error = readObject(sent.body)?.['error'];
    return isJsonObject(error) && error['code'] === -32020;
  }

  /** Reads the tools anew, in the name of `frame`, and answers its headers. Never fails. */
  async learn(frame: RequestFrame, send: SendList): Promise<Headers> {
    this.#known.clear();
    let cursor: unknown;
    for (let page = 0; page < limits.discovery.pages; page += 1) {
      const result = await readPage(frame, cursor, send);
      for (const tool of listOf(result)) this.#note(tool);
      cursor = result?.['nextCursor'];
      if (typeof cursor !== 'string') break;
    }
    return this.of(frame);
  }

  forget(): void {
    this.#known.clear();
  }

  #note(tool: JsonObject): void {
    const { name, inputSchema } = tool;
    if (typeof name !== 'string' || !isJsonObject(inputSchema)) return;
    const definitions = headerDefinitions(inputSchema);
    if (definitions.kind === 'legal' && definitions.mirrored.length > 0) this.#known.set(name, definitions.mirrored);
  }
}

async function readPage({ params }: RequestFrame, cursor: unknown, send: SendList): Promise<JsonObject | undefined> {
  const id = 'roundhouse-proxy';
  const asked: JsonObject = {
    ...(typeof cursor === 'string' && { cursor }),
    ...(params['_meta'] !== undefined && { _meta: params['_meta'] }),
  };
  const message = { jsonrpc: '2.0', id, method: 'tools/list', params: asked };
  const bytes = Buffer.from(JSON.stringify(message));
  let last: Buffer | undefined;
  const sent = await send(
    { kind: 'request', id, method: 'tools/list', params: asked, era: 'modern', bytes },
    (part) => (last = part),
  );
  if (sent.kind !== 'answered') return undefined;
  const body = sent.body ?? last;
  const result = body === undefined ? undefined : readObject(body)?.['result'];
  return isJsonObject(result) ? result : undefined;
}

function listOf(result: JsonObject | undefined): readonly JsonObject[] {
  const tools: unknown = result?.['tools'];
  return Array.isArray(tools) ? tools.filter(isJsonObject) : [];
}
