// What all servers offer at one moment, under the names by which clients of the aggregate know it (GATE-4, TOOL-1). Made of
// data alone and never changed: a list that was begun can be read to its end. Promises: the same names whichever server
// came first; of what still meets in one name, neither is listed or found.
import type { ServerId } from '../contract/serverConfig.ts';
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import type { ServerKey } from '../core/config/model.ts';
import type { KeptOffer } from '../core/discovery/keptLists.ts';
import { aggregateNames, type NameCollision, type NameStyle, type ToolIdentity } from '../core/tools/names.ts';
import { outwardUri } from './aggregateUris.ts';
import type { ListKind } from './listResults.ts';

export interface OfferingServer {
  readonly id: ServerId;
  readonly key: ServerKey;
  readonly offer: KeptOffer;
}

/** One thing that is offered: where it is from, what it is called there, and how clients see it. */
export interface CatalogItem {
  readonly server: OfferingServer;
  /** Outward name, URI or template. */
  readonly name: string;
  /** The same as the server knows it. */
  readonly inner: string;
  readonly raw: JsonObject;
  /** Of a tool: its definition's hash. */
  readonly hash?: string;
}

export type Found = { readonly kind: 'one'; readonly item: CatalogItem } | { readonly kind: 'ambiguous' };

export class AggregateCatalog {
  readonly collisions: readonly NameCollision[];
  readonly #servers: readonly OfferingServer[];
  readonly #tools: Named;
  readonly #prompts: Named;
  readonly #lists = new Map<ListKind, readonly CatalogItem[]>();

  constructor(servers: readonly OfferingServer[], style: NameStyle) {
    this.#servers = servers;
    this.#tools = named(servers, style, ({ tools }) => tools.filter(isForModels), outwardTool);
    this.#prompts = named(servers, style, ({ prompts }) => prompts, outwardPrompt);
    this.collisions = [...this.#tools.collisions, ...this.#prompts.collisions];
  }

  tool(name: string): Found | undefined {
    return this.#tools.find(name);
  }

  prompt(name: string): Found | undefined {
    return this.#prompts.find(name);
  }

  /** In the order of the configuration. */
  list(kind: ListKind): readonly CatalogItem[] {
    const known = this.#lists.get(kind) ?? this.#make(kind);
    this.#lists.set(kind, known);
    return known;
  }

  #make(kind: ListKind): readonly CatalogItem[] {
    if (kind === 'tools') return [...this.#tools.items()];
    if (kind === 'prompts') return [...this.#prompts.items()];
    const field = kind === 'resources' ? 'uri' : 'uriTemplate';
    return this.#servers.flatMap((server) =>
      server.offer[kind].map(({ key, raw }) => {
        const name = outwardUri(server.id, key);
        return { server, name, inner: key, raw: { ...raw, [field]: name } };
      }),
    );
  }
}

interface Named {
  readonly collisions: readonly NameCollision[];
  find(name: string): Found | undefined;
  items(): Iterable<CatalogItem>;
}

interface Source {
  readonly name: string;
  readonly raw: JsonObject;
  readonly hash?: string;
}

function named(
  servers: readonly OfferingServer[],
  style: NameStyle,
  listOf: (offer: KeptOffer) => readonly Source[],
  outward: (raw: JsonObject, name: string) => JsonObject,
): Named {
  const sources = new Map<ToolIdentity, { readonly server: OfferingServer; readonly source: Source }>();
  for (const server of servers) {
    for (const source of listOf(server.offer))
      sources.set({ server: server.id, tool: source.name }, { server, source });
  }
  const names = aggregateNames(sources.keys(), style);
  const itemOf = (name: string, identity: ToolIdentity): readonly CatalogItem[] => {
    const found = sources.get(identity);
    if (found === undefined) return [];
    const { server, source } = found;
    const { hash } = source;
    return [{ server, name, inner: source.name, raw: outward(source.raw, name), ...(hash !== undefined && { hash }) }];
  };
  return {
    collisions: names.collisions,
    find: (name) => {
      const resolved = names.resolve(name);
      if (resolved?.kind !== 'tool') return resolved;
      const [item] = itemOf(name, resolved.tool);
      return item && { kind: 'one', item };
    },
    *items() {
      for (const [name, identity] of names.tools) yield* itemOf(name, identity);
    },
  };
}

/**
 * What a model has no use for stays behind: results are cut to what it can take, so that no output schema would hold, and
 * pages of a server (MCP Apps) are carried on at its own endpoint alone, and tasks nowhere.
 */
function outwardTool(raw: JsonObject, name: string): JsonObject {
  // Most have none of it, and there may be ten thousand.
  if (raw['outputSchema'] === undefined && raw['execution'] === undefined && raw['_meta'] === undefined)
    return { ...raw, name };
  const left = Object.entries(raw).filter(([key]) => key !== 'outputSchema' && key !== 'execution' && key !== '_meta');
  const meta = raw['_meta'];
  const kept = isJsonObject(meta)
    ? Object.entries(meta).filter(([key]) => key !== 'ui' && key !== 'ui/resourceUri')
    : [];
  return { ...Object.fromEntries(left), name, ...(kept.length > 0 && { _meta: Object.fromEntries(kept) }) };
}

function outwardPrompt(raw: JsonObject, name: string): JsonObject {
  return { ...raw, name };
}

/** MCP Apps: some tools are for the pages of their server alone. */
function isForModels({ raw }: Source): boolean {
  const meta = raw['_meta'];
  const ui = isJsonObject(meta) ? meta['ui'] : undefined;
  const visibility: unknown = isJsonObject(ui) ? ui['visibility'] : undefined;
  return !Array.isArray(visibility) || visibility.includes('model');
}
