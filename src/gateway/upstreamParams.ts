// The params of a request of a client's, as the server behind is to get them: what belongs to the client's own wire is
// taken out, what the server's era wants is put in (GATE-3).
import { isJsonObject, type JsonObject, type JsonValue } from '../contract/json.ts';
import type { Era } from '../core/connection/state.ts';
import { crossing } from './extensions.ts';
import type { ClientRequest, GatewayClient } from './surface.ts';

const prefix = 'io.modelcontextprotocol/';
const ofTheWire = ['protocolVersion', 'clientInfo', 'clientCapabilities'].map((name) => `${prefix}${name}`);

export function upstreamParams({ params, client, declared }: ClientRequest, era: Era): JsonObject {
  const { _meta: meta, ...rest } = params;
  const kept = isJsonObject(meta) ? Object.entries(meta).filter(([name]) => isPassed(name, era)) : [];
  const entries = [...kept, ...(era === 'modern' ? said(client, declared) : [])];
  return entries.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(entries) };
}

/** Each request of the newer era says what may be asked of whoever sent it, and which log lines it wants. */
function said(
  { era, capabilities, logLevel }: GatewayClient,
  declared: JsonObject = capabilities,
): readonly (readonly [string, JsonValue])[] {
  return [
    [`${prefix}clientCapabilities`, crossing(declared)],
    ...(era === 'legacy' && logLevel !== undefined ? [[`${prefix}logLevel`, logLevel] as const] : []),
  ];
}

function isPassed(name: string, era: Era): boolean {
  if (name === 'progressToken' || ofTheWire.includes(name)) return false;
  return era === 'modern' || name !== `${prefix}logLevel`;
}
