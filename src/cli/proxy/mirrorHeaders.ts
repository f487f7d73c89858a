// The headers that repeat what a frame of the modern era says (2026-07-28, SEP-2243), and the version of a legacy one.
// The arguments that a tool wants repeated are the gateway's to repeat: it knows the tools.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';

const versionKey = 'io.modelcontextprotocol/protocolVersion';

const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

export function mirrorHeaders({ method, params }: JsonObject): Readonly<Record<string, string>> {
  const meta = isJsonObject(params) && isJsonObject(params['_meta']) ? params['_meta'] : {};
  const version = meta[versionKey];
  if (typeof version !== 'string' || typeof method !== 'string') return {};
  const field = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined;
  const name = field === undefined || !isJsonObject(params) ? undefined : params[field];
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  };
}

/** Plain ASCII as it is; everything else as `=?base64?…?=`. */
function headerText(text: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
