// What of the extensions of MCP crosses the gateway (GATE-3). Pages (MCP Apps) are descriptions and resources, which cross
// as they are. Everything else has requests or notifications that nobody here understands: it is declared to neither side,
// so neither side uses it. Tasks, of either era, do not cross for another reason: all clients of a server share one
// connection, on which whoever knows the id of a task could poll, answer or end it.
import { isJsonObject, type JsonObject } from '../contract/json.ts';

const pages = 'io.modelcontextprotocol/ui';

/** The capabilities of one side as the other one is to know them. */
export function crossing(capabilities: JsonObject): JsonObject {
  const { extensions } = capabilities;
  const rest = withoutExtensions(capabilities);
  if (!isJsonObject(extensions) || !Object.hasOwn(extensions, pages)) return rest;
  return { ...rest, extensions: { [pages]: extensions[pages] ?? null } };
}

/** The same where a client has all servers as one: no pages of a server are found there. */
export function withoutExtensions(capabilities: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(capabilities).filter(([name]) => name !== 'tasks' && name !== 'extensions'));
}
