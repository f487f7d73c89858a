// Arguments of a tool call that a person edits as JSON in an editor: a document in memory, with a "Run" above it.
import * as vscode from 'vscode';
import { fileName } from '../fileName.ts';
import { shownLine } from '../shownText.ts';
import type { JsonObject } from '../../contract/json.ts';
import { MemoryFiles } from '../adapters/memoryFiles.ts';
import { commandId, schemes } from '../contributions.ts';
import { t } from '../strings.ts';
import { boundDraft, type Draft } from './draft.ts';

export class ArgumentDrafts implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #files = new MemoryFiles(schemes.arguments, { isReadonly: false });
  readonly #drafts = new Map<string, Draft>();
  readonly #lenses = vscode.languages.registerCodeLensProvider({ scheme: schemes.arguments }, this);

  /** Opens the editor; a draft of the same tool that is open already keeps what was typed, and its binding. */
  async open(draft: Draft, server: string, args: JsonObject): Promise<void> {
    const path = `/${server}/${fileName(draft.tool)}.json`;
    const uri = vscode.Uri.from({ scheme: schemes.arguments, path, query: draft.key });
    const open = vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
    if (!open) this.#files.putAt(uri, `${JSON.stringify(args, null, 2)}\n`);
    this.#drafts.set(uri.toString(), boundDraft(draft, this.get(uri), open));
    await vscode.window.showTextDocument(uri, { preview: false });
  }

  get(uri: vscode.Uri): Draft | undefined {
    return this.#drafts.get(uri.toString());
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const draft = this.get(document.uri);
    if (draft === undefined) return [];
    const title = `$(play) ${t('Run {tool}', { tool: shownLine(draft.tool, 100) })}`;
    const command = { title, command: commandId('tool.runArguments'), arguments: [document.uri] };
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
  }

  dispose(): void {
    this.#lenses.dispose();
    this.#files.dispose();
    this.#drafts.clear();
  }
}
