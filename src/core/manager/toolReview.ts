// What the person knows of each server's tools and what they allowed for this window, kept at the server that it
// concerns (POL-1, POL-2). Promises: a list is looked at before anybody can call what it offers, and what is accepted or
// allowed are definitions that the person saw, whatever the server offers by now.
import type { JsonObject } from '../../contract/json.ts';
import type { ServerKey } from '../config/model.ts';
import type { OfferedTool } from '../discovery/snapshot.ts';
import type { ToolChange } from '../policy/decide.ts';
import type { KnownTools, ToolOffer } from '../policy/knownTools.ts';
import type { ManagedServer } from './managedServer.ts';

export interface ChangedTool {
  readonly tool: OfferedTool;
  readonly change: ToolChange;
  /** The definition that the person knows; absent for a new tool, and where it was too much to keep. */
  readonly known?: JsonObject;
}

export interface ToolReviewDeps {
  readonly known: KnownTools;
  /** Fails with unknownServer. */
  readonly find: (key: ServerKey) => ManagedServer;
  readonly changed: (managed: ManagedServer) => void;
}

export class ToolReview {
  readonly #deps: ToolReviewDeps;

  constructor(deps: ToolReviewDeps) {
    this.#deps = deps;
  }

  /** To be awaited before a server's first list of this process. */
  load(managed: ManagedServer): Promise<void> {
    return this.#deps.known.load(managed.server.key);
  }

  /** Compares what a server offers, or offered when it last ran, with what the person knows. */
  look(managed: ManagedServer, offer: ToolOffer): void {
    const { key } = managed.server;
    this.#deps.known.acceptFirst(key, offer);
    managed.changedTools = this.#deps.known.changes(key, offer);
    managed.grantedTools = grantsOf(managed, offer);
  }

  /** What differs now, also from what another window accepted meanwhile. */
  async changes(key: ServerKey): Promise<readonly ChangedTool[]> {
    const managed = this.#deps.find(key);
    await this.load(managed);
    this.#lookAgain(managed);
    const tools = offerOf(managed)?.tools ?? [];
    return tools.flatMap((tool) => {
      const change = managed.changedTools.get(tool.name);
      if (change === undefined) return [];
      const known = this.#deps.known.definition(managed.server.key, tool.name);
      return [{ tool, change, ...(known && { known }) }];
    });
  }

  /** These definitions are known from now on. */
  accept(key: ServerKey, tools: readonly OfferedTool[]): void {
    const managed = this.#deps.find(key);
    this.#deps.known.accept(managed.server.key, tools);
    this.#lookAgain(managed);
  }

  /** Allows a tool, as it is defined here, for as long as this process lives and the server's own definition stays. */
  grant(key: ServerKey, tool: OfferedTool): void {
    const managed = this.#deps.find(key);
    managed.grants.set(tool.name, definitionHash(tool));
    this.#lookAgain(managed);
  }

  /** Takes back what was allowed for this window: of one tool, or of all. */
  revoke(key: ServerKey, tool: string): void {
    const managed = this.#deps.find(key);
    if (tool === '*') managed.grants.clear();
    else managed.grants.delete(tool);
    this.#lookAgain(managed);
  }

  #lookAgain(managed: ManagedServer): void {
    const offer = offerOf(managed);
    if (offer !== undefined) this.look(managed, offer);
    this.#deps.changed(managed);
  }
}

function offerOf({ snapshot, kept }: ManagedServer): ToolOffer | undefined {
  return snapshot ?? kept;
}

function grantsOf({ grants }: ManagedServer, { tools }: ToolOffer): ReadonlySet<string> {
  if (grants.size === 0) return new Set();
  const same = tools.filter((tool) => grants.get(tool.name) === definitionHash(tool));
  return new Set(same.map(({ name }) => name));
}

function definitionHash({ hash, annotationsHash }: OfferedTool): string {
  return `${hash} ${annotationsHash}`;
}
