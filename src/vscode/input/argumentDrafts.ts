// Arguments of a tool call that a person edits as JSON in an editor: a document of ours, with a "Run" above it. We keep
// its text in memory only, as it may hold secrets; what was not saved, the editor itself brings back after a reload.
import * as vscode from 'vscode';
import { fileName } from '../fileName.ts';
import { shownLine } from '../shownText.ts';
import type { JsonObject } from '../../contract/json.ts';
import { MemoryFiles } from '../adapters/memoryFiles.ts';
import { commandId, schemes } from '../contributions.ts';
import { t } from '../strings.ts';
import { boundDraft, type Draft, draftOfQuery, queryOfDraft } from './draft.ts';

export class ArgumentDrafts implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #files = new MemoryFiles(schemes.arguments, { isReadonly: false, unknown: '{}\n' });
  readonly #drafts = new Map<string, Draft>();
  readonly #lenses = vscode.languages.registerCodeLensProvider({ scheme: schemes.arguments }, this);
  readonly #closing = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    for (const { input } of closed) if (input instanceof vscode.TabInputText) this.#forget(input.uri);
  });

  /** Opens the editor; a draft of the same tool that is open already keeps what was typed, and its binding. */
  async open(draft: Draft, server: string, args: JsonObject): Promise<void> {
    const path = `/${server}/${fileName(draft.tool)}.json`;
    const uri = vscode.Uri.from({ scheme: schemes.arguments, path, query: queryOfDraft(draft) });
    const open = vscode.workspace.textDocuments.some((document) => isSame(document.uri, uri));
    if (!open) this.#files.putAt(uri, `${JSON.stringify(args, null, 2)}\n`);
    this.#drafts.set(uri.toString(), boundDraft(draft, this.#drafts.get(uri.toString()), open));
    await vscode.window.showTextDocument(uri, { preview: false });
  }

  get(uri: vscode.Uri): Draft | undefined {
    if (uri.scheme !== schemes.arguments) return undefined;
    return this.#drafts.get(uri.toString()) ?? draftOfQuery(uri.query);
  }

  /** Binds an open editor to a newer definition of its tool, of which the person is told. */
  bind(uri: vscode.Uri, draft: Draft): void {
    this.#drafts.set(uri.toString(), draft);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const draft = this.get(document.uri);
    if (draft === undefined) return [];
    const title = `$(play) ${t('Run {tool}', { tool: shownLine(draft.tool, 100) })}`;
    const command = { title, command: commandId('tool.runArguments'), arguments: [document.uri] };
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
  }

  #forget(uri: vscode.Uri): void {
    const open = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
    const elsewhere = open.some((input) => input instanceof vscode.TabInputText && isSame(input.uri, uri));
    if (uri.scheme === schemes.arguments && !elsewhere) this.#files.delete(uri);
  }

  dispose(): void {
    this.#closing.dispose();
    this.#lenses.dispose();
    this.#files.dispose();
    this.#drafts.clear();
  }
}

function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}
