// One server as the editor's own agent gets it (GATE-7): tools under names that the editor does not cut, with schemas that
// it does not refuse and a description each; the label as the server's title, since the editor names it by that from then
// on. Results are whole, and all else is the server's own, as ServerSurface has it.
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { JsonObject } from '../contract/json.ts';
import type { OfferedTool, ServerSnapshot } from '../core/discovery/snapshot.ts';
import { ManagerError } from '../core/errors.ts';
import type { ServerManager } from '../core/manager/serverManager.ts';
import type { EditorActivity } from './editorActivity.ts';
import { editorLabels, editorTools } from './editorNames.ts';
import { editorSchema } from './editorSchema.ts';
import { cutPages, listPage } from './listResults.ts';
import { failed } from './outcomes.ts';
import type { Outcome } from './reply.ts';
import { ServerSurface, type ServerSurfaceDeps } from './serverSurface.ts';
import type { ClientRequest, Hello, Surface, SurfaceEvent } from './surface.ts';

export interface EditorSurfaceDeps extends ServerSurfaceDeps {
  /** As it is published now. */
  readonly label: (id: string) => string;
  readonly activity: Pick<EditorActivity, 'open'>;
}

export class EditorSurface implements Surface, Disposable {
  readonly onEvent: Event<SurfaceEvent>;
  readonly #id: string;
  readonly #deps: EditorSurfaceDeps;
  readonly #server: ServerSurface;
  #listed: Listed | undefined;

  constructor(id: string, deps: EditorSurfaceDeps) {
    this.#id = id;
    this.#deps = deps;
    this.#server = new ServerSurface(id, deps);
    // Sessions listen from their first request to their end.
    this.onEvent = (listener) => {
      const open = deps.activity.open(id);
      const listening = this.#server.onEvent(listener);
      return toDisposable(() => {
        listening.dispose();
        open.dispose();
      });
    };
  }

  async hello(options: { readonly signal: AbortSignal }): Promise<Hello> {
    const hello = await this.#server.hello(options);
    return { ...hello, serverInfo: { ...hello.serverInfo, title: this.#deps.label(this.#id) } };
  }

  async answer(request: ClientRequest): Promise<Outcome> {
    const open = this.#deps.activity.open(this.#id);
    try {
      if (request.method === 'tools/list') return await this.#list(request);
      return await this.#server.answer(request.method === 'tools/call' ? await this.#named(request) : request);
    } catch (error) {
      return failed(error);
    } finally {
      open.dispose();
    }
  }

  subscribe(uri: string, options: { readonly signal: AbortSignal }): Promise<void> {
    return this.#server.subscribe(uri, options);
  }

  unsubscribe(uri: string): Promise<void> {
    return this.#server.unsubscribe(uri);
  }

  setLogLevel(level: string | undefined): Promise<void> {
    return this.#server.setLogLevel(level);
  }

  dispose(): void {
    this.#server.dispose();
  }

  async #list({ client, params, signal }: ClientRequest): Promise<Outcome> {
    const snapshot = await this.#snapshot(signal);
    const { tools, pages } = this.#listedOf(snapshot);
    // By the server's own names, under which calls go on.
    for (const { name, hash } of tools.values()) client.seen.set(name, hash);
    return listPage(snapshot, 'tools', params['cursor'], {}, pages);
  }

  /** A name that no tool has outwardly is left as it is: the server's pages (MCP Apps) know its own names alone. */
  async #named(request: ClientRequest): Promise<ClientRequest> {
    const { name } = request.params;
    const { tools } = this.#listedOf(await this.#snapshot(request.signal));
    const tool = typeof name === 'string' ? tools.get(name) : undefined;
    return tool === undefined ? request : { ...request, params: { ...request.params, name: tool.name } };
  }

  async #snapshot(signal: AbortSignal): Promise<ServerSnapshot> {
    const { manager } = this.#deps;
    const key = manager.keyOf(this.#id);
    if (key === undefined) throw new ManagerError('unknownServer', { server: this.#id });
    return (await manager.use(key, { signal })).snapshot;
  }

  #listedOf(snapshot: ServerSnapshot): Listed {
    if (this.#listed?.snapshot !== snapshot) {
      const tools = editorTools(this.#id, snapshot.tools);
      const items = [...tools].map(([name, tool]) => ({ raw: outwardTool(name, tool, this.#id) }));
      this.#listed = { snapshot, tools, pages: cutPages('tools', items) };
    }
    return this.#listed;
  }
}

/** Makes the surfaces of a window, each with the label that its server has among all that are configured. */
export function editorSurfaces(
  manager: Pick<ServerManager, 'view'>,
  activity: EditorSurfaceDeps['activity'],
): (id: string, deps: ServerSurfaceDeps) => EditorSurface {
  const label = (id: string): string =>
    editorLabels(manager.view().servers.map(({ server }) => server.id)).get(id) ?? id;
  return (id, deps) => new EditorSurface(id, { ...deps, activity, label });
}

/** The tools of one snapshot by their outward names, and as they are listed. */
interface Listed {
  readonly snapshot: ServerSnapshot;
  readonly tools: ReadonlyMap<string, OfferedTool>;
  readonly pages: readonly Buffer[];
}

function outwardTool(outward: string, { name, raw }: OfferedTool, server: string): JsonObject {
  const { annotations, title, description, inputSchema } = raw;
  const shown = [title, (annotations as JsonObject | undefined)?.['title']].find(isText);
  return {
    ...raw,
    name: outward,
    // A person reads the name that the server gave.
    ...(shown === undefined && outward !== name && { title: name }),
    description: isText(description) ? description : `${shown ?? name}: a tool of the MCP server ${server}.`,
    inputSchema: editorSchema(inputSchema as JsonObject),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
