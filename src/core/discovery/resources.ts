// Reads resources (DISC-7). Whether a URI exists is the server's to say: templates offer more than the list holds.
import type { JsonObject } from '../../contract/json.ts';
import { ManagerError } from '../errors.ts';
import { ask, objectsIn, type OfferSource } from './offerSource.ts';

/** The raw result, `contents` checked to be a list of objects. Fails with unknownResource where the server has none. */
export async function readResource(
  source: OfferSource,
  uri: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<JsonObject> {
  try {
    const result = await ask(source, 'resources/read', { uri }, options);
    objectsIn(source, 'resources/read', result, 'contents');
    return result;
  } catch (error) {
    if (!(error instanceof ManagerError) || !saysNotFound(error)) throw error;
    throw new ManagerError('unknownResource', { server: source.id, uri }, { cause: error, outcome: error.outcome });
  }
}

/** -32002 up to 2025-11-25; 2026-07-28 uses invalid params, which can mean other things too. */
function saysNotFound({ code, data }: ManagerError): boolean {
  if (code !== 'protocolError') return false;
  return (
    data['number'] === -32002 ||
    (data['number'] === -32602 && /not found|unknown resource/i.test(String(data['detail'])))
  );
}
