// One request of a client to the gateway, without a wire: what it is told and asked is kept.
import type { JsonObject } from '../../src/contract/json.ts';
import type { ClientRequest, GatewayClient } from '../../src/gateway/surface.ts';

export interface RequestParts {
  readonly method?: string;
  readonly params?: JsonObject;
  readonly client?: Partial<GatewayClient>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly ask?: ClientRequest['ask'];
}

export interface KeptRequest extends ClientRequest {
  readonly told: { readonly method: string; readonly params: JsonObject }[];
}

export function clientRequest(parts: RequestParts = {}): KeptRequest {
  const { method = 'tools/call', params = { name: 'a', arguments: {} }, client, headers, ask } = parts;
  const told: KeptRequest['told'] = [];
  return {
    method,
    params,
    client: {
      era: 'legacy',
      caller: { kind: 'gateway', name: 'test' },
      capabilities: {},
      logLevel: undefined,
      seen: new Map(),
      ...client,
    },
    signal: parts.signal ?? new AbortController().signal,
    tell: (of, about) => told.push({ method: of, params: about }),
    told,
    ...(headers && { header: (name) => headers[name] }),
    ...(ask && { ask }),
  };
}
