// The HTTP headers of one call (SEP-2243, DISC-6): on modern HTTP only. A tool's declarations are read once.
import { isJsonObject } from '../../contract/json.ts';
import { type HeaderDefinitions, headerDefinitions } from '../discovery/headerDefinitions.ts';
import type { OfferedTool } from '../discovery/snapshot.ts';
import { ManagerError } from '../errors.ts';
import type { LiveServer } from '../manager/view.ts';
import type { ToolCall } from './callTypes.ts';
import { mirroredHeaders } from './mirroredHeaders.ts';

/** Undefined where there are none. Fails with a ManagerError where an argument cannot be sent so, or the tool's declarations are illegal. */
export function headersOf(
  { view, client }: Pick<LiveServer, 'view' | 'client'>,
  tool: OfferedTool,
  { args }: ToolCall,
): Readonly<Record<string, string>> | undefined {
  const server = view.server.id;
  const { era, transport } = client.negotiated;
  if (era !== 'modern' || transport !== 'streamable-http') return undefined;
  const definitions = definitionsOf(tool);
  if (definitions === undefined) return undefined;
  if (definitions.kind === 'illegal') throw new ManagerError('unknownTool', { server, tool: tool.name });
  const headers = mirroredHeaders(definitions.mirrored, { server, tool: tool.name, args });
  return Object.keys(headers).length === 0 ? undefined : headers;
}

/** Undefined where the tool has no schema. */
export function definitionsOf(tool: OfferedTool): HeaderDefinitions | undefined {
  const schema = tool.raw['inputSchema'];
  if (!isJsonObject(schema)) return undefined;
  const definitions = definitionsByTool.get(tool) ?? headerDefinitions(schema);
  definitionsByTool.set(tool, definitions);
  return definitions;
}

const definitionsByTool = new WeakMap<OfferedTool, HeaderDefinitions>();
