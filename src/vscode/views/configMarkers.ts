import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import { t } from '../strings.ts';

/** Shows what is wrong with a configuration file in that file, at its line and column. */
export class ConfigMarkers implements vscode.Disposable {
  readonly #markers = vscode.languages.createDiagnosticCollection('roundhouse');
  readonly #subscription: { dispose(): void };
  #disposed = false;

  constructor(manager: ServerManager) {
    this.#subscription = manager.onDidChange((change) => {
      if (change.kind === 'all') void this.#update(manager);
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#subscription.dispose();
    this.#markers.dispose();
  }

  async #update(manager: ServerManager): Promise<void> {
    this.#markers.clear();
    if (manager.view().problems.length === 0) return;
    // The words are loaded with the first problem.
    const { problemText } = await import('../problemText.ts');
    if (this.#disposed) return;
    this.#markers.clear();
    for (const problem of manager.view().problems) {
      const start = new vscode.Position((problem.position?.line ?? 1) - 1, (problem.position?.column ?? 1) - 1);
      // The marker stands in the file: its name is enough.
      const { text, remedy } = problemText({ ...problem, data: { ...problem.data, file: basename(problem.file) } }, t);
      const marker = new vscode.Diagnostic(
        new vscode.Range(start, start.translate(0, 1)),
        `${text} ${remedy}`,
        vscode.DiagnosticSeverity.Error,
      );
      marker.source = 'MCP Roundhouse';
      this.#markers.set(vscode.Uri.file(problem.file), [marker]);
    }
  }
}
