// All servers as one (GATE-4), as one kind of client sees it: what they offer in one list each, and tools of ours. It answers
// a handshake without waiting for any server. One per kind of client, over what `Aggregate` shares among them.
import type { Event } from '../base/event.ts';
import { truncate, visibleLine } from '../base/sanitise.ts';
import { clientInfo } from '../core/connection/clientInfo.ts';
import type { ConnectionState } from '../core/connection/state.ts';
import { limits } from '../core/limits.ts';
import type { Log } from '../core/ports.ts';
import { isOffered, configuredCategory } from '../core/tools/category.ts';
import { mayBeOf, type NameStyle } from '../core/tools/names.ts';
import type { AggregateEvents } from './aggregateEvents.ts';
import { aggregateCapabilities } from './aggregateCapabilities.ts';
import { AggregateLists } from './aggregateLists.ts';
import type { AggregateRequests, Named } from './aggregateRequests.ts';
import type { AggregateResults } from './aggregateResults.ts';
import type { AggregateServers } from './aggregateServers.ts';
import { type OfferedTools, ownToolDefinition, type OwnToolName, ownToolNames } from './aggregateToolDefinitions.ts';
import { AggregateTools } from './aggregateTools.ts';
import { innerUri } from './aggregateUris.ts';
import { listMethods } from './listResults.ts';
import { failed, RpcFailure } from './outcomes.ts';
import type { Outcome } from './reply.ts';
import type { ClientRequest, GatewayClient, Hello, Surface, SurfaceEvent } from './surface.ts';

export interface AggregateView extends OfferedTools {
  readonly style: NameStyle;
}

export interface AggregateParts {
  readonly servers: AggregateServers;
  readonly events: AggregateEvents;
  readonly requests: AggregateRequests;
  readonly results: AggregateResults;
  readonly log?: Log | undefined;
}

export class AggregateSurface implements Surface {
  readonly onEvent: Event<SurfaceEvent>;
  readonly #parts: AggregateParts;
  readonly #view: AggregateView;
  /** The tools of ours that are offered here. */
  readonly #own: readonly OwnToolName[];
  readonly #lists: AggregateLists;
  readonly #tools: AggregateTools;
  /** Whether servers' tools may be called here at all: none is for a mode that only looks (TOOL-6). */
  readonly #callable: boolean;

  constructor(parts: AggregateParts, view: AggregateView) {
    this.#parts = parts;
    this.#view = view;
    this.onEvent = parts.events.onEvent;
    this.#callable = isOffered(configuredCategory(), view.mode);
    this.#own = ownToolNames(view);
    this.#lists = new AggregateLists({
      servers: parts.servers,
      style: view.style,
      own: this.#own.map(ownToolDefinition),
      listsTools: this.#callable && !view.search,
      log: parts.log,
    });
    this.#tools = new AggregateTools({
      ...parts,
      lists: this.#lists,
      tool: (name) => this.#named(name, 'tool'),
      prompt: (name) => this.#named(name, 'prompt'),
    });
  }

  hello(): Promise<Hello> {
    this.#parts.servers.start();
    return Promise.resolve({
      capabilities: aggregateCapabilities,
      serverInfo: clientInfo,
      instructions: this.#instructions(),
    });
  }

  async answer(request: ClientRequest): Promise<Outcome> {
    const { method, params, client, signal } = request;
    const { servers, requests } = this.#parts;
    try {
      const kind = Object.hasOwn(listMethods, method) ? listMethods[method] : undefined;
      if (kind !== undefined) {
        await servers.known(signal);
        const { cursor } = params;
        if (kind === 'tools' && cursor === undefined) this.#noteSeen(client);
        return this.#lists.page(kind, cursor);
      }
      switch (method) {
        case 'tools/call':
          return await this.#call(request);
        case 'resources/read':
          return await requests.read(request, params['uri']);
        case 'prompts/get': {
          const { name } = params;
          if (typeof name !== 'string') throw new RpcFailure(-32602, 'Invalid params: name is no text.');
          return await requests.getPrompt(request, this.#named(name, 'prompt'), () => undefined);
        }
        case 'completion/complete':
          return await requests.complete(request, (name) => this.#named(name, 'prompt'));
        default:
          throw new RpcFailure(-32601, 'Method not found');
      }
    } catch (error) {
      return failed(error);
    } finally {
      this.#parts.events.restarts.tell(request);
    }
  }

  async subscribe(uri: string, options: { readonly signal: AbortSignal }): Promise<void> {
    const inner = innerUri(uri);
    if (inner?.kind !== 'server') throw new RpcFailure(-32002, 'Resource not found: there is nothing to hear of it.');
    await this.#parts.events.subscribe(inner.server, inner.uri, options);
  }

  async unsubscribe(uri: string): Promise<void> {
    const inner = innerUri(uri);
    if (inner?.kind === 'server') await this.#parts.events.unsubscribe(inner.server, inner.uri);
  }

  setLogLevel(level: string | undefined): Promise<void> {
    this.#parts.events.setLogLevel(this, level);
    return Promise.resolve();
  }

  #call(request: ClientRequest): Promise<Outcome> {
    const { name } = request.params;
    if (typeof name !== 'string') throw new RpcFailure(-32602, 'Invalid params: name is no text.');
    const own = this.#own.find((each) => each === name);
    if (own !== undefined) return this.#parts.servers.known(request.signal).then(() => this.#tools.call(own, request));
    if (!this.#callable) throw new RpcFailure(-32602, 'Invalid params: no tool of this name is offered in plan mode.');
    return this.#parts.requests.callTool(request, this.#named(name, 'tool'));
  }

  #named(name: string, kind: 'tool' | 'prompt'): Named {
    return {
      name,
      find: () => this.#lists.catalog[kind](name),
      isOwner: (server) => mayBeOf(name, server, this.#view.style),
    };
  }

  #noteSeen({ seen }: GatewayClient): void {
    if (!this.#callable || this.#view.search) return;
    for (const { name, hash } of this.#lists.catalog.list('tools')) if (hash !== undefined) seen.set(name, hash);
  }

  #instructions(): string {
    const views = this.#parts.servers.views().filter(({ state }) => state.kind !== 'disabled');
    const lines = views.map(({ server: { id, definition }, state }) => {
      const { description } = definition;
      const about =
        description === undefined ? '' : `: ${truncate(visibleLine(description), limits.aggregate.description)}`;
      return `- ${id}${about}${unavailable.has(state.kind) ? ' (not available now)' : ''}`;
    });
    const how = this.#view.search
      ? 'Find their tools with find_tools and call them with call_tool.'
      : 'The name of a tool or prompt begins with its server.';
    return lines.length === 0
      ? 'No MCP server is set up.'
      : `These MCP servers are set up here. ${how}\n${lines.join('\n')}`;
  }
}

const unavailable: ReadonlySet<ConnectionState['kind']> = new Set(['blocked', 'failed', 'signInNeeded']);
