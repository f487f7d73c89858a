// The MCP view in the Explorer: draws what treeModel.ts and treeRow.ts say, and refreshes as little as it can. The
// first look waits for the configuration to be read, never for a person's approval. What rows say is loaded with them.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { ManagerChange } from '../../core/manager/view.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import { commandId, contextKeys, viewId } from '../contributions.ts';
import { lazy } from '../lazy.ts';
import { t } from '../strings.ts';
import { markdown } from '../surfaces/markdown.ts';
import { attentionWords, needsPerson } from './attention.ts';
import type { TreeModel, TreeNode } from './treeModel.ts';
import type { Row } from './treeRow.ts';

/** Changes within this time, in milliseconds, are drawn together. */
const drawAfter = 40;

/** Tells of a change in what stands in the files of other clients. */
export interface FoundEvents {
  readonly onDidChange: (listener: () => void) => vscode.Disposable;
}

export class ServersView implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #manager: ServerManager;
  readonly #model: TreeModel;
  readonly #redraw = new vscode.EventEmitter<TreeNode | undefined>();
  readonly #tree: vscode.TreeView<TreeNode>;
  readonly #disposables = new DisposableStore();
  readonly #loaded: Promise<unknown>;
  readonly #contexts = new Map<string, boolean>();
  readonly #rows = lazy(() => import('./treeRow.ts'));
  #waiting = new Set<TreeNode | undefined>();
  #timer: NodeJS.Timeout | undefined;
  readonly #counted = new Set<TreeNode>();
  #counting: NodeJS.Timeout | undefined;

  constructor(manager: ServerManager, model: TreeModel, loaded: Promise<unknown>, found: FoundEvents) {
    this.#manager = manager;
    this.#model = model;
    this.#loaded = loaded;
    this.#tree = vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: true });
    this.#disposables.add(this.#redraw);
    this.#disposables.add(this.#tree);
    this.#disposables.add(manager.onDidChange((change) => this.#schedule(change)));
    this.#disposables.add(found.onDidChange(() => this.#schedule({ kind: 'all' })));
  }

  get onDidChangeTreeData(): vscode.Event<TreeNode | undefined> {
    return this.#redraw.event;
  }

  async getTreeItem(node: TreeNode): Promise<vscode.TreeItem> {
    const rows = await this.#rows.get();
    const row = rows.rowOf(node, this.#model, t);
    if (row.changesIn !== undefined) this.#redrawIn(node, row.changesIn);
    return itemOf(node, row);
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node !== undefined) return [...this.#model.children(node)];
    await this.#loaded;
    const roots = [...this.#model.roots()];
    // Not before: the editor would say that there are no servers until it has the ones that there are (UI-1).
    if (roots.length === 0) this.#setContext(contextKeys.loaded, true);
    return roots;
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.#model.parent(node);
  }

  /** Tooltips are made when they are looked at. */
  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    const { tooltipOf } = await import('./tooltip.ts');
    const text = tooltipOf(node, this.#model, t);
    if (text !== undefined) item.tooltip = markdown(text);
    return item;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#counting);
    this.#disposables.dispose();
  }

  #schedule(change: ManagerChange): void {
    this.#waiting.add(change.kind === 'all' ? undefined : this.#model.serverNode(change.key));
    this.#timer ??= setTimeout(() => this.#draw(), drawAfter);
  }

  /** One timer for all rows that count down, and only while the editor draws them. */
  #redrawIn(node: TreeNode, ms: number): void {
    this.#counted.add(node);
    this.#counting ??= setTimeout(() => {
      this.#counting = undefined;
      for (const each of this.#counted) this.#redraw.fire(each);
      this.#counted.clear();
    }, ms);
  }

  #draw(): void {
    this.#timer = undefined;
    const nodes = this.#waiting;
    this.#waiting = new Set();
    if (nodes.has(undefined)) this.#redraw.fire(undefined);
    else for (const node of nodes) this.#redraw.fire(node);
    this.#tellAttention();
  }

  #tellAttention(): void {
    const attention = needsPerson(this.#manager);
    const { approvals, total } = attention;
    this.#tree.badge = total === 0 ? undefined : { value: total, tooltip: attentionWords(attention, t).join(', ') };
    this.#setContext(contextKeys.waiting, approvals > 0);
  }

  /** Told only when it changes: each telling makes the editor draw its menus anew. */
  #setContext(key: string, value: boolean): void {
    if (this.#contexts.get(key) === value) return;
    this.#contexts.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}

const states = {
  none: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
} as const satisfies Record<Row['collapsible'], vscode.TreeItemCollapsibleState>;

function itemOf(node: TreeNode, row: Row): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, states[row.collapsible]);
  item.id = node.id;
  item.contextValue = row.flags;
  item.accessibilityInformation = { label: row.spoken };
  if (row.description !== undefined) item.description = row.description;
  if (row.icon !== undefined) item.iconPath = iconOf(row.icon);
  if (row.command !== undefined) {
    item.command = clickOf(row.command, row.label, node);
  }
  return item;
}

function clickOf(command: NonNullable<Row['command']>, title: string, node: TreeNode): vscode.Command {
  if (typeof command === 'string') return { command: commandId(command), title, arguments: [node] };
  return { command: command.id, title, arguments: command.argument === undefined ? [] : [command.argument] };
}

function iconOf({ id, color }: NonNullable<Row['icon']>): vscode.ThemeIcon {
  return color === undefined ? new vscode.ThemeIcon(id) : new vscode.ThemeIcon(id, new vscode.ThemeColor(color));
}
