// Reads one list of a server page by page (DISC-1), through raw requests. Promises: it ends, whatever the server
// answers; what came before a trouble is kept, with the reason why it is not all. A first page that fails is thrown.
import { ownText } from '../../base/ownText.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import type { LiveClient } from '../connection/liveClient.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Incomplete } from './snapshot.ts';

export interface PagingOptions {
  /** Such as `tools/list`. */
  readonly method: string;
  /** The result's field that holds the items. */
  readonly field: string;
  readonly signal: AbortSignal;
  /** Takes one item; false where there is no room for it, nor for any more. */
  readonly onItem: (raw: JsonValue) => boolean;
  /** Asked after each item; awaited where it answers a promise. */
  readonly pause: () => Promise<void> | undefined;
}

type Shortfall = Omit<Incomplete, 'kind'>;

/** @returns why the list is not whole, or undefined */
export async function readPages(client: LiveClient, options: PagingOptions): Promise<Shortfall | undefined> {
  const { method, signal } = options;
  const { total, cursor: longest } = limits.discovery;
  const seen = new Set<string>();
  let cursor: string | undefined;
  let items = 0;
  for (let page = 1; ; page++) {
    let result: JsonObject;
    let list: readonly JsonValue[];
    try {
      const params = cursor === undefined ? undefined : { cursor };
      result = await client.request(method, params, { kind: 'list', signal });
      list = listOf(result, options);
    } catch (error) {
      if (page === 1 || signal.aborted) throw error;
      return { reason: 'pageFailed', detail: `page ${page}: ${describe(error)}` };
    }
    for (const raw of list) {
      if (items === limits.discovery.items) return { reason: 'itemLimit', detail: `more than ${items} items` };
      items += 1;
      if (!options.onItem(raw))
        return { reason: 'sizeLimit', detail: `all lists together above ${total / 2 ** 20} MiB` };
      await options.pause();
      signal.throwIfAborted();
    }
    const next = result['nextCursor'];
    if (next === undefined || next === null) return undefined;
    if (typeof next !== 'string') return { reason: 'pageFailed', detail: `page ${page}: nextCursor is not a string` };
    if (next.length > longest) {
      return { reason: 'pageFailed', detail: `page ${page}: nextCursor is longer than ${longest} characters` };
    }
    // An empty cursor is a cursor like any other: followed once, and seen when it comes again.
    if (seen.has(next)) return { reason: 'repeatedCursor', detail: `page ${page} names a cursor that came before` };
    if (page === limits.discovery.pages) return { reason: 'pageLimit', detail: `more than ${page} pages` };
    seen.add(next);
    cursor = next;
  }
}

function listOf(result: JsonObject, { method, field }: PagingOptions): readonly JsonValue[] {
  const list: unknown = isJsonObject(result) ? result[field] : undefined;
  if (Array.isArray(list)) return list as readonly JsonValue[];
  throw new ManagerError('invalidResponse', { method, detail: `${field} is not a list` }, { outcome: 'completed' });
}

/** A failure in few words for a diagnostic: what the server said or did, in no sentence of its own. */
export function describe(error: unknown): string {
  if (!(error instanceof ManagerError)) return 'it failed here';
  const { number, detail, seconds, status } = error.data;
  const said = detail === undefined ? undefined : ownText(String(detail), 200);
  switch (error.code) {
    case 'protocolError':
      return [`error ${number ?? 'without a number'}`, said].filter((part) => part !== undefined).join(': ');
    case 'requestTimeout':
      return seconds === undefined ? 'no answer in time' : `no answer within ${seconds} s`;
    case 'httpStatus':
      return `HTTP status ${status ?? 'unknown'}`;
    case 'frameTooLarge':
      return 'the answer is too large';
    case 'connectionClosed':
    case 'processExited':
    case 'notResponding':
      return 'the connection was closed';
    case 'sessionLost':
      return 'it forgot the session';
    case 'signInNeeded':
      return 'it wants you to sign in';
    case 'forbidden':
      return 'it refused access';
    case 'cancelled':
      return 'the request was given up';
    default:
      return said ?? 'it failed';
  }
}
