// Marks secrets in the configuration files that are open, as they are typed, and offers the way out (product TRUST-6).
import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ConfigScope } from '../../contract/serverConfig.ts';
import { limits } from '../../core/limits.ts';
import { findSecrets } from '../../core/secrets/findSecrets.ts';
import type { StoredValues } from '../adapters/personalValues.ts';
import { reportFailure } from '../adapters/reportFailure.ts';
import { t } from '../strings.ts';
import { moveSecret, pathOf } from './moveSecret.ts';
import { secretText } from './secretText.ts';

export interface SecretMarkersOptions {
  readonly clock: Clock;
  readonly values: StoredValues;
  /** Of a document that is one of our configuration files. */
  readonly scopeOf: (document: vscode.TextDocument) => ConfigScope | undefined;
}

export class SecretMarkers implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #options: SecretMarkersOptions;
  readonly #markers = vscode.languages.createDiagnosticCollection('roundhouse-secrets');
  readonly #waiting = new Map<string, Disposable>();
  readonly #own = new DisposableStore();

  constructor(options: SecretMarkersOptions) {
    this.#options = options;
    const own = this.#own;
    own.add(this.#markers);
    own.add(vscode.workspace.onDidOpenTextDocument((document) => this.#mark(document)));
    own.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#markSoon(document)));
    own.add(vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document)));
    own.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#markAll()));
    own.add(vscode.commands.registerCommand(moveCommand, (uri: unknown, path: unknown) => this.#move(uri, path)));
    const files = { scheme: 'file', pattern: '**/mcp.json' };
    const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
    own.add(vscode.languages.registerCodeActionsProvider(files, this, kinds));
    this.#markAll();
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const scope = this.#options.scopeOf(document);
    if (scope === undefined) return [];
    return findSecrets(document.getText(), scope.kind).flatMap((found) => {
      const { fix } = secretText(found, t);
      const place = rangeIn(document, found.range);
      if (fix === undefined || place.intersection(range) === undefined) return [];
      const action = new vscode.CodeAction(fix, vscode.CodeActionKind.QuickFix);
      action.diagnostics = (this.#markers.get(document.uri) ?? []).filter((marker) => marker.range.isEqual(place));
      action.isPreferred = true;
      action.command = { command: moveCommand, title: fix, arguments: [document.uri.toString(), pathOf(found)] };
      return [action];
    });
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) timer.dispose();
    this.#own.dispose();
  }

  #markAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#mark(document);
  }

  #markSoon(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    this.#waiting.get(key)?.dispose();
    this.#waiting.set(
      key,
      this.#options.clock.after(limits.config.settle, () => {
        this.#waiting.delete(key);
        this.#mark(document);
      }),
    );
  }

  #mark(document: vscode.TextDocument): void {
    const scope = document.isClosed ? undefined : this.#options.scopeOf(document);
    if (scope === undefined) {
      this.#markers.delete(document.uri);
      return;
    }
    const markers = findSecrets(document.getText(), scope.kind).map((found) => {
      const severity = found.refused ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
      const marker = new vscode.Diagnostic(rangeIn(document, found.range), secretText(found, t).message, severity);
      marker.source = 'MCP Roundhouse';
      return marker;
    });
    this.#markers.set(document.uri, markers);
  }

  #forget(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    this.#waiting.get(key)?.dispose();
    this.#waiting.delete(key);
    this.#markers.delete(document.uri);
  }

  /** Anybody can run a command: what it names has to be an open file of ours, and a secret in it. */
  async #move(uri: unknown, path: unknown): Promise<void> {
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri);
    const scope = document === undefined ? undefined : this.#options.scopeOf(document);
    if (document === undefined || scope === undefined || typeof path !== 'string') return;
    try {
      await moveSecret(document, scope, path, this.#options.values);
    } catch (error) {
      void reportFailure(error);
    }
  }
}

/** No entry of the palette: it means nothing without the place in a file. */
const moveCommand = 'roundhouse.secret.move';

function rangeIn(document: vscode.TextDocument, { start, end }: { start: number; end: number }): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
