// A live server as reading and asking need it: `{ id: view.server.id, client, snapshot }` of a LiveServer.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import type { LiveClient } from '../connection/liveClient.ts';
import { ManagerError } from '../errors.ts';
import type { ServerSnapshot } from './snapshot.ts';

export interface OfferSource {
  /** The server's id, for errors. */
  readonly id: string;
  readonly client: LiveClient;
  readonly snapshot: ServerSnapshot;
}

/** Sends one request that is neither a list nor a call. A question in place of an answer is a failure here. */
export async function ask(
  { id, client }: OfferSource,
  method: string,
  params: JsonObject,
  options: { readonly signal?: AbortSignal | undefined },
): Promise<JsonObject> {
  const { signal } = options;
  const result = await client.request(method, params, { kind: 'request', ...(signal && { signal }) });
  if (result['resultType'] !== 'input_required') return result;
  throw new ManagerError('inputRequired', { server: id, tool: method }, { outcome: 'completed' });
}

/** The list of objects in a result's field; invalidResponse where there is none. */
export function objectsIn(
  source: OfferSource,
  method: string,
  result: JsonObject,
  field: string,
): readonly JsonObject[] {
  const list: unknown = result[field];
  if (Array.isArray(list) && list.every(isJsonObject)) return list;
  const detail = `${field} is not a list of objects`;
  throw new ManagerError('invalidResponse', { server: source.id, method, detail }, { outcome: 'completed' });
}
