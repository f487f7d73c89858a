// A client as the one who answers a server's questions (GATE-3): as far as it said that it can.
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import type { Asker } from '../core/connection/liveClient.ts';

export type AskClient = (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;

/** `identity`: questions to it are of one conversation. */
export function clientAsker(identity: object, capabilities: JsonObject, ask: AskClient): Asker {
  const { elicitation, sampling } = capabilities;
  return {
    identity,
    ...(isJsonObject(elicitation) && {
      elicit: (params, signal) =>
        takes(elicitation, params) ? ask('elicitation/create', params, signal) : Promise.resolve({ action: 'decline' }),
    }),
    ...(isJsonObject(sampling) && { sample: (params, signal) => ask('sampling/createMessage', params, signal) }),
  };
}

/** A client that names no mode takes forms, as those did that knew no other (2025-06-18). */
function takes(elicitation: JsonObject, params: JsonObject): boolean {
  const mode = params['mode'] ?? 'form';
  const named = ['form', 'url'].filter((name) => isJsonObject(elicitation[name]));
  return named.length === 0 ? mode === 'form' : typeof mode === 'string' && named.includes(mode);
}
