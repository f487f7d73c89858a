// Makes an SDK client for one connection. Leaves to it what it is good at (negotiation, subscriptions, dispatch of the
// server's requests) and switches off the rest: no schema is compiled, no list is refreshed, no question is answered
// by anything but our handlers, and what it reports out of band is never fatal.
import {
  Client,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/client';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import type { ProtocolMode } from '../../contract/serverConfig.ts';
import { clientInfo } from './clientInfo.ts';
import type { Questions } from './questions.ts';

export interface SdkClientOptions {
  readonly mode: ProtocolMode;
  readonly questions: Questions;
  /** How long a probe may take, in milliseconds; for a stdio probe only. */
  readonly probeTimeout?: number;
}

export function createSdkClient(options: SdkClientOptions): Client {
  const { mode, questions, probeTimeout } = options;
  const client = new Client(clientInfo, {
    capabilities: questions.capabilities,
    versionNegotiation: {
      mode: mode === 'legacy' || mode === 'auto' ? mode : { pin: mode },
      probe: { ...(probeTimeout === undefined ? {} : { timeoutMs: probeTimeout }) },
    },
    jsonSchemaValidator: {
      getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
    },
  });
  client.fallbackRequestHandler = (request, context) =>
    questions.answer(request.method, request.params, { signal: context.mcpReq.signal, id: context.mcpReq.id });
  // Late progress, answers to unknown ids and broken streams come here; each has its own consequence elsewhere.
  client.onerror = () => undefined;
  return client;
}

/** What every request and notification of the modern era carries in `_meta`. */
export function modernEnvelope(revision: string, questions: Questions): JsonObject {
  return {
    [PROTOCOL_VERSION_META_KEY]: revision,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: questions.capabilities as JsonValue,
  };
}
