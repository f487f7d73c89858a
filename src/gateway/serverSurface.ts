// One server as the gateway shows it: its own names, its own results. Lists come from what the manager knows, everything
// else goes to the one live connection; tools only through the router (TOOL-2). Follows the server from connection to
// connection, and tells what changed.
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { ManagerError } from '../core/errors.ts';
import type { LiveServer } from '../core/manager/view.ts';
import type { ServerManager } from '../core/manager/serverManager.ts';
import type { ToolRouter } from '../core/tools/toolRouter.ts';
import { crossing } from './extensions.ts';
import { liveServer } from './liveServer.ts';
import { listMethods, listPage } from './listResults.ts';
import { refuseUnmirrored } from './mirroredArguments.ts';
import { failed, RpcFailure } from './outcomes.ts';
import type { Outcome } from './reply.ts';
import { PendingCalls } from './pendingCalls.ts';
import { sendTool } from './sendTool.ts';
import { RestartNotices } from './restartNotices.ts';
import { serverCall } from './serverCall.ts';
import { ServerFollower } from './serverFollower.ts';
import type { ClientRequest, Hello, Surface, SurfaceEvent } from './surface.ts';

export interface ServerSurfaceDeps {
  readonly manager: Pick<ServerManager, 'use' | 'live' | 'keyOf' | 'onDidChange'>;
  readonly forward: ToolRouter['forward'];
  readonly clock: Clock;
}

export class ServerSurface implements Surface, Disposable {
  readonly #id: string;
  readonly #deps: ServerSurfaceDeps;
  readonly #follower: ServerFollower;
  readonly #pending: PendingCalls;
  readonly #events = new Emitter<SurfaceEvent>();
  readonly #restarts = new RestartNotices();

  constructor(id: string, deps: ServerSurfaceDeps) {
    this.#id = id;
    this.#deps = deps;
    this.#pending = new PendingCalls(deps.clock);
    this.#follower = new ServerFollower({
      onDidChange: (listener) => deps.manager.onDidChange(() => listener()),
      live: () => this.#live(),
      tell: (event) => {
        if (event.kind === 'restarted') this.#restarts.note(event.server);
        this.#events.fire(event);
      },
    });
  }

  readonly onEvent = this.#events.event;

  async hello({ signal }: { readonly signal: AbortSignal }): Promise<Hello> {
    const { client } = await this.#use(signal);
    const { capabilities, serverInfo, negotiated } = client;
    // We have something to log of any server: that it was started again.
    const declared = { logging: {}, ...crossing(capabilities) };
    return { capabilities: declared, serverInfo, instructions: negotiated.instructions };
  }

  async answer(request: ClientRequest): Promise<Outcome> {
    let live: LiveServer | undefined;
    try {
      live = await this.#use(request.signal);
      const kind = Object.hasOwn(listMethods, request.method) ? listMethods[request.method] : undefined;
      if (kind !== undefined) {
        if (kind === 'tools') for (const { name, hash } of live.snapshot.tools) request.client.seen.set(name, hash);
        return listPage(live.snapshot, kind, request.params['cursor'], {});
      }
      if (request.method === 'tools/call') return await this.#call(request, live);
      if (passed.has(request.method)) return await this.#pass(request, live);
      throw new RpcFailure(-32601, 'Method not found');
    } catch (error) {
      return failed(error, live?.client.redactor);
    } finally {
      this.#restarts.tell(request);
    }
  }

  async subscribe(uri: string, options: { readonly signal: AbortSignal }): Promise<void> {
    await this.#follower.subscribe(uri, await this.#use(options.signal), options);
  }

  unsubscribe(uri: string): Promise<void> {
    return this.#follower.unsubscribe(uri);
  }

  setLogLevel(level: string | undefined): Promise<void> {
    return this.#follower.setLogLevel(level);
  }

  dispose(): void {
    this.#pending.dispose();
    this.#follower.dispose();
    this.#events.dispose();
  }

  #live(): LiveServer | undefined {
    const key = this.#deps.manager.keyOf(this.#id);
    return key === undefined ? undefined : this.#deps.manager.live(key);
  }

  async #use(signal: AbortSignal): Promise<LiveServer> {
    const key = this.#deps.manager.keyOf(this.#id);
    if (key === undefined) throw new ManagerError('unknownServer', { server: this.#id });
    return liveServer(this.#deps.manager, key, signal);
  }

  #call(request: ClientRequest, live: LiveServer): Promise<Outcome> {
    const { forward } = this.#deps;
    refuseUnmirrored(request, () => live.snapshot.tools.find(({ name }) => name === request.params['name']));
    return serverCall(request, live, this.#pending, sendTool({ forward, live, client: request.client }));
  }

  #pass(request: ClientRequest, live: LiveServer): Promise<Outcome> {
    return serverCall(request, live, this.#pending, (params, options) =>
      live.client.requestRaw(request.method, params, { kind: 'request', ...options }),
    );
  }
}

/** What goes to the server as it is, besides tool calls. */
const passed = new Set(['resources/read', 'prompts/get', 'completion/complete']);
