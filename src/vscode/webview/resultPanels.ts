// Result pages: one panel per tool, showing its latest result. The page gets data only.
import * as vscode from 'vscode';
import type { JsonObject } from '../../contract/json.ts';
import type { ResultView, ToResultPage } from '../../contract/pageMessages.ts';
import type { ServerKey } from '../../core/config/model.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { reportFailure } from '../adapters/reportFailure.ts';
import { fileName } from '../fileName.ts';
import { openDocument } from '../results/openDocument.ts';
import { serverJsonEnding } from '../results/resourceDocument.ts';
import { t } from '../strings.ts';
import { knownSecrets } from '../surfaces/knownSecrets.ts';
import { copyText } from '../surfaces/copyText.ts';
import { postToPage } from '../surfaces/postToPage.ts';
import { openPage } from './openPage.ts';
import { receiveFromPage } from './resultMessages.ts';

interface Shown {
  readonly key: ServerKey;
  readonly view: ResultView;
  readonly raw: JsonObject;
}

export interface ResultPanelsOptions {
  readonly extensionUri: vscode.Uri;
  readonly documents: MemoryFiles;
  /** Reads a resource that a shown result points at. */
  readonly onRead: (key: ServerKey, uri: string) => void;
}

export class ResultPanels implements vscode.Disposable {
  readonly #options: ResultPanelsOptions;
  readonly #panels = new Map<string, { readonly panel: vscode.WebviewPanel; shown: Shown }>();

  constructor(options: ResultPanelsOptions) {
    this.#options = options;
  }

  show(key: ServerKey, name: string, view: ResultView, raw: JsonObject): void {
    const id = `${key}\n${name}`;
    // The page, what is copied from it and its JSON show the same.
    const shown = { key, ...knownSecrets.content({ view, raw }) };
    const known = this.#panels.get(id);
    if (known !== undefined) {
      known.shown = shown;
      known.panel.reveal(undefined, true);
      this.#send(known.panel, shown);
      return;
    }
    const panel = this.#open(view);
    const entry = { panel, shown };
    this.#panels.set(id, entry);
    panel.webview.onDidReceiveMessage((message: unknown) => {
      const { shown: now } = entry;
      void receiveFromPage(message, now.view, {
        send: () => this.#send(panel, now),
        openAsJson: () => this.#openAsJson(now),
        copy: copyText,
        read: (uri) => this.#options.onRead(now.key, uri),
        report: (error) => void reportFailure(error, now.key),
      });
    });
    panel.onDidDispose(() => this.#panels.delete(id));
  }

  dispose(): void {
    for (const { panel } of [...this.#panels.values()]) panel.dispose();
  }

  #open(view: ResultView): vscode.WebviewPanel {
    const title = t('{tool} · {server}', { tool: view.tool, server: view.server });
    return openPage(this.#options.extensionUri, 'result', title);
  }

  #send(panel: vscode.WebviewPanel, { view }: Shown): void {
    const message: ToResultPage = { type: 'show', result: view };
    postToPage(panel.webview, message);
  }

  async #openAsJson({ view, raw }: Shown): Promise<void> {
    const path = `/result/${view.server}/${fileName(view.tool)}.${serverJsonEnding}`;
    const place = { preview: true, viewColumn: vscode.ViewColumn.Beside };
    await openDocument(this.#options.documents, path, `${JSON.stringify(raw, null, 2)}\n`, place);
  }
}
