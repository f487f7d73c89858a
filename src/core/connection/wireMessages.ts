// The wire's view of a message: small readings of it, and the one thing that is added to a request.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { RpcError } from './rpcError.ts';

export function withProgressToken(params: JsonObject | undefined, id: number): JsonObject {
  const meta = params?.['_meta'];
  return { ...params, _meta: { ...(isJsonObject(meta) ? meta : {}), progressToken: id } };
}

/** Some servers send the ids of our requests, which are numbers, back as text; the SDK takes them too. */
export function numericId(id: unknown): unknown {
  return typeof id === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id;
}

export function errorOf(raw: unknown): RpcError {
  const error = isJsonObject(raw) ? raw : {};
  const code = typeof error['code'] === 'number' ? error['code'] : -32603;
  const message = typeof error['message'] === 'string' ? error['message'] : '';
  return new RpcError(code, message, error['data']);
}
