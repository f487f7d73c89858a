// What stands where in the tree: servers by scope, then notes, then what each server offers. Pure; the words and
// icons are in treeRow.ts. Nodes above the items keep their identity, so a change can refresh its own node only;
// items are made when their parent is opened (QUAL-25).
import type { ConfigScope } from '../../contract/serverConfig.ts';
import type { ConfigProblem, ServerKey } from '../../core/config/model.ts';
import type { Generation } from '../../core/connection/state.ts';
import { offerKinds } from '../../core/discovery/offerKinds.ts';
import type { OfferedItem, OfferedTool, OfferKind } from '../../core/discovery/snapshot.ts';
import { type FoundServer, type FoundView, nothingFound } from '../../core/found/foundView.ts';
import type { ManagerView, ServerView } from '../../core/manager/view.ts';
import { type Decision, explain } from '../../core/policy/decide.ts';
import { type FoundGroup, foundGroups } from '../found/foundGroups.ts';
import { type Note, notesOf } from './notes.ts';

export type TreeNode =
  | { readonly kind: 'problem'; readonly id: string; readonly file: string }
  | { readonly kind: 'section'; readonly id: string; readonly scope: ConfigScope }
  | { readonly kind: 'server'; readonly id: string; readonly key: ServerKey }
  | { readonly kind: 'note'; readonly id: string; readonly key: ServerKey; readonly note: Note }
  | { readonly kind: 'group'; readonly id: string; readonly key: ServerKey; readonly offer: OfferKind }
  | FoundNode
  | RangeNode
  | ItemNode;

/** What stands in the files of other clients (GATE-9): the whole of it, a file, one server of it, what is wrong with it. */
export type FoundNode =
  | { readonly kind: 'found'; readonly id: 'found' }
  | { readonly kind: 'foundGroup' | 'foundProblem'; readonly id: string; readonly group: string }
  | { readonly kind: 'foundServer'; readonly id: string; readonly group: string; readonly found: string };

export type Offered = OfferedTool | OfferedItem;

/** A part of a long list: a person can read 250 names, and the editor can draw them at once. */
export interface RangeNode {
  readonly kind: 'range';
  readonly id: string;
  readonly key: ServerKey;
  readonly offer: OfferKind;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly first: string;
  readonly last: string;
}

export interface ItemNode {
  readonly kind: 'item';
  readonly id: string;
  readonly key: ServerKey;
  readonly offer: OfferKind;
  readonly item: Offered;
  /** The life of the server whose list this row shows; none for a list that was kept (DISC-8). */
  readonly generation?: Generation;
  /** What the policy says of a call; the router decides again when it comes to one. */
  readonly policy: Decision;
}

const rangeSize = 250;

export class TreeModel {
  readonly #view: () => ManagerView;
  readonly #kept = new Map<string, TreeNode>();
  /** What stands in the files of other clients. */
  readonly found: () => FoundView;

  constructor(view: () => ManagerView, found: () => FoundView = () => nothingFound) {
    this.#view = view;
    this.found = found;
  }

  roots(): readonly TreeNode[] {
    const view = this.#view();
    this.#forget(view);
    const problems = view.problems.map((problem) => this.#problem(problem));
    const scopes = scopesOf(view);
    const rest =
      scopes.length > 1
        ? scopes.map((scope) => this.#keep({ kind: 'section', id: `section:${scopeId(scope)}`, scope }))
        : view.servers.map((server) => this.serverNode(server.key));
    const { servers, problems: unread } = this.found();
    const found = servers.length + unread.length === 0 ? [] : [foundRoot];
    return [...problems, ...rest, ...found];
  }

  children(node: TreeNode): readonly TreeNode[] {
    switch (node.kind) {
      case 'section':
        return this.#view()
          .servers.filter(({ server }) => scopeId(server.scope) === scopeId(node.scope))
          .map(({ key }) => this.serverNode(key));
      case 'server':
        return this.#serverChildren(node.key);
      case 'group':
        return groupChildren(node.key, node.offer, this.server(node.key));
      case 'range':
        return itemNodes(node, this.server(node.key), node.from, node.to);
      case 'found':
        return foundGroups(this.found()).map(({ id }) => ({ kind: 'foundGroup', id, group: id }));
      case 'foundGroup':
        return foundChildren(this.foundGroup(node.group));
      case 'foundServer':
      case 'foundProblem':
      case 'problem':
      case 'note':
      case 'item':
        return [];
    }
  }

  parent(node: TreeNode): TreeNode | undefined {
    switch (node.kind) {
      case 'problem':
      case 'section':
      case 'found':
        return undefined;
      case 'foundGroup':
        return foundRoot;
      case 'foundServer':
      case 'foundProblem':
        return { kind: 'foundGroup', id: node.group, group: node.group };
      case 'server': {
        const scope = this.server(node.key)?.server.scope;
        const scopes = scopesOf(this.#view());
        if (scope === undefined || scopes.length < 2) return undefined;
        return this.#keep({ kind: 'section', id: `section:${scopeId(scope)}`, scope });
      }
      case 'note':
      case 'group':
        return this.serverNode(node.key);
      case 'range':
        return this.#groupNode(node.key, node.offer);
      case 'item':
        return this.#parentOfItem(node);
    }
  }

  serverNode(key: ServerKey): TreeNode {
    return this.#keep({ kind: 'server', id: `server:${key}`, key });
  }

  server(key: ServerKey): ServerView | undefined {
    return this.#view().servers.find((server) => server.key === key);
  }

  problem(file: string): ConfigProblem | undefined {
    return this.#view().problems.find((problem) => problem.file === file);
  }

  foundGroup(id: string): FoundGroup | undefined {
    return foundGroups(this.found()).find((group) => group.id === id);
  }

  foundServer(id: string): FoundServer | undefined {
    return this.found().servers.find((server) => server.id === id);
  }

  /** Whether nothing is configured here: what was found is then what there is to see. */
  isBare(): boolean {
    return this.#view().servers.length === 0;
  }

  #problem(problem: ConfigProblem): TreeNode {
    return this.#keep({ kind: 'problem', id: `problem:${problem.file}`, file: problem.file });
  }

  #serverChildren(key: ServerKey): readonly TreeNode[] {
    const server = this.server(key);
    if (server === undefined) return [];
    const notes = notesOf(server).map((note): TreeNode => ({
      kind: 'note',
      id: `${key}/note/${note.kind}`,
      key,
      note,
    }));
    const groups = offerKinds
      .filter((offer) => listOf(server, offer).length > 0)
      .map((offer) => this.#groupNode(key, offer));
    return [...notes, ...groups];
  }

  #groupNode(key: ServerKey, offer: OfferKind): TreeNode {
    return this.#keep({ kind: 'group', id: `${key}/${offer}`, key, offer });
  }

  #parentOfItem(node: ItemNode): TreeNode {
    const list = listOf(this.server(node.key), node.offer);
    if (list.length <= rangeSize) return this.#groupNode(node.key, node.offer);
    const index = list.findIndex((item) => keyOf(item) === keyOf(node.item));
    return rangeNode(node.key, node.offer, list, Math.max(0, index - (index % rangeSize)));
  }

  #keep(node: TreeNode): TreeNode {
    const known = this.#kept.get(node.id);
    if (known !== undefined) return known;
    this.#kept.set(node.id, node);
    return node;
  }

  /** Drops the nodes of servers and files that are gone. */
  #forget(view: ManagerView): void {
    const keys = new Set(view.servers.map((server) => server.key));
    for (const [id, node] of this.#kept) if ('key' in node && !keys.has(node.key)) this.#kept.delete(id);
  }
}

const foundRoot: FoundNode = { kind: 'found', id: 'found' };

function foundChildren(group: FoundGroup | undefined): readonly FoundNode[] {
  if (group === undefined) return [];
  const { id } = group;
  const problem =
    group.problem === undefined ? [] : [{ kind: 'foundProblem', id: `${id}/problem`, group: id } as const];
  const servers = group.servers.map((server) => ({
    ...{ kind: 'foundServer' as const, id: `${id}/=${server.id}` },
    ...{ group: id, found: server.id },
  }));
  return [...problem, ...servers];
}

/** The name of a tool, resource template or prompt as the server knows it, or the URI of a resource. */
export function keyOf(item: Offered): string {
  return 'key' in item ? item.key : item.name;
}

/** What a server offers now, or offered when it last ran (DISC-8). */
export function listOf(server: ServerView | undefined, offer: OfferKind): readonly Offered[] {
  return (server?.snapshot ?? server?.kept)?.[offer] ?? [];
}

function scopeId(scope: ConfigScope): string {
  return scope.kind === 'user' ? 'user' : `project:${scope.folder}`;
}

/** Every scope that has servers: the folders in their order, then the person's own. */
function scopesOf(view: ManagerView): readonly ConfigScope[] {
  const byId = new Map(view.servers.map(({ server }) => [scopeId(server.scope), server.scope]));
  return [...byId.values()].sort((a, b) => Number(a.kind === 'user') - Number(b.kind === 'user'));
}

function groupChildren(key: ServerKey, offer: OfferKind, server: ServerView | undefined): readonly TreeNode[] {
  const list = listOf(server, offer);
  if (list.length <= rangeSize) return itemNodes({ key, offer }, server, 0, list.length);
  const starts = Array.from({ length: Math.ceil(list.length / rangeSize) }, (_, index) => index * rangeSize);
  return starts.map((from) => rangeNode(key, offer, list, from));
}

function rangeNode(key: ServerKey, offer: OfferKind, list: readonly Offered[], from: number): RangeNode {
  const to = Math.min(from + rangeSize, list.length);
  const [first, last] = [list[from]?.name ?? '', list[to - 1]?.name ?? ''];
  return { kind: 'range', id: `${key}/${offer}/${from}`, key, offer, from, to, first, last };
}

function itemNodes(
  { key, offer }: { key: ServerKey; offer: OfferKind },
  server: ServerView | undefined,
  from: number,
  to: number,
): readonly ItemNode[] {
  const generation = server?.snapshot?.generation;
  const rules = offer === 'tools' ? server?.policies : undefined;
  return listOf(server, offer)
    .slice(from, to)
    .map((item) => {
      const policy = explain(item.name, rules ?? {});
      const id = `${key}/${offer}/=${keyOf(item)}`;
      return { kind: 'item', id, key, offer, item, policy, ...(generation === undefined ? {} : { generation }) };
    });
}
