// What the paths of a window's gateway show: all servers as one, each server by itself, and each for the editor's own agent.
// A surface is made at the first request for it, whoever defines the server then, and ends with its last definition.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../core/ports.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import type { Endpoint } from '../../gateway/admission.ts';
import { Aggregate } from '../../gateway/aggregate.ts';
import { ServerSurface, type ServerSurfaceDeps } from '../../gateway/serverSurface.ts';
import type { Surface } from '../../gateway/surface.ts';

export interface WindowSurfacesDeps extends ServerSurfaceDeps {
  readonly manager: ServerSurfaceDeps['manager'] & Pick<ServerManager, 'view'>;
  /** What `/vscode/<id>` shows; absent where nothing is published to the editor's agent. */
  readonly editor?: EditorSurfaceFactory | undefined;
  /** Whether `/mcp` shows a search in place of all tools to whoever connects now. */
  readonly toolSearch: () => boolean;
  /** There is nothing behind this surface any more: what clients have open there has to end. */
  readonly onGone: (surface: Surface) => void;
  readonly log?: Log;
}

export type EditorSurfaceFactory = (id: string, deps: ServerSurfaceDeps) => Surface & Disposable;

type OneServer = Exclude<Endpoint, { kind: 'all' }>;

export class WindowSurfaces implements Disposable {
  readonly #deps: WindowSurfacesDeps;
  readonly #aggregate: Aggregate;
  readonly #made = new Map<string, { readonly id: string; readonly surface: Surface & Disposable }>();
  readonly #disposables = new DisposableStore();

  constructor(deps: WindowSurfacesDeps) {
    this.#deps = deps;
    this.#aggregate = this.#disposables.add(new Aggregate(deps));
    this.#disposables.add(deps.manager.onDidChange(({ kind }) => kind === 'all' && this.#dropGone()));
  }

  /** Undefined where no server has this id now. The same surface for as long as one has. */
  at(endpoint: Endpoint): Surface | undefined {
    if (endpoint.kind !== 'all') return this.#one(endpoint);
    return this.#aggregate.at({ ...endpoint, ...(this.#deps.toolSearch() && { search: true }) });
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const { surface } of this.#made.values()) surface.dispose();
    this.#made.clear();
  }

  #one({ kind, id }: OneServer): Surface | undefined {
    if (this.#deps.manager.keyOf(id) === undefined) return undefined;
    const name = `${kind} ${id}`;
    const made = this.#made.get(name)?.surface;
    if (made !== undefined) return made;
    const surface = kind === 'server' ? new ServerSurface(id, this.#deps) : this.#deps.editor?.(id, this.#deps);
    if (surface !== undefined) this.#made.set(name, { id, surface });
    return surface;
  }

  #dropGone(): void {
    for (const [name, { id, surface }] of this.#made) {
      if (this.#deps.manager.keyOf(id) !== undefined) continue;
      this.#made.delete(name);
      this.#deps.onGone(surface);
      surface.dispose();
    }
  }
}
