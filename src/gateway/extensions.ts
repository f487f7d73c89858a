// What of the extensions of MCP crosses the gateway (GATE-3). Pages (MCP Apps) are descriptions and resources, which cross
// as they are. Tasks cross where both sides are of the era that has them as an extension: their ids are the server's, and
// whoever got one polls with it. Everything else, the tasks of 2025-11-25 included, has requests or notifications that
// nobody here understands: it is declared to neither side, so neither side uses it.
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import type { Era } from '../core/connection/state.ts';

const pages = 'io.modelcontextprotocol/ui';
const tasks = 'io.modelcontextprotocol/tasks';

/** Requests of the tasks extension (SEP-2663). */
export const taskMethods: ReadonlySet<string> = new Set(['tasks/get', 'tasks/update', 'tasks/cancel']);

/** Whether a server said that it has this extension. */
export function hasTasks({ extensions }: JsonObject): boolean {
  return isJsonObject(extensions) && Object.hasOwn(extensions, tasks);
}

/** The capabilities of one side as the other one is to know them. */
export function crossing(capabilities: JsonObject, eras: { readonly client: Era; readonly server: Era }): JsonObject {
  const passed = eras.client === 'modern' && eras.server === 'modern' ? [pages, tasks] : [pages];
  const { extensions } = capabilities;
  const kept = isJsonObject(extensions) ? Object.entries(extensions).filter(([name]) => passed.includes(name)) : [];
  const rest = withoutExtensions(capabilities);
  return kept.length === 0 ? rest : { ...rest, extensions: Object.fromEntries(kept) };
}

/** The same where a client has all servers as one: neither pages nor tasks of a server are found there. */
export function withoutExtensions(capabilities: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(capabilities).filter(([name]) => name !== 'tasks' && name !== 'extensions'));
}
