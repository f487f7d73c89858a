import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ServerKey } from '../../core/config/model.ts';
import type { App } from '../app.ts';
import type { ResultPanels } from './resultPanels.ts';

/** The result pages, loaded when the first result is shown. */
export class LazyResults implements Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #app: () => App;
  #panels: Promise<ResultPanels> | undefined;

  constructor(extensionUri: vscode.Uri, app: () => App) {
    this.#extensionUri = extensionUri;
    this.#app = app;
  }

  get(): Promise<ResultPanels> {
    this.#panels ??= this.#load();
    return this.#panels;
  }

  dispose(): void {
    void this.#panels?.then((panels) => panels.dispose());
  }

  async #load(): Promise<ResultPanels> {
    const { ResultPanels } = await import('./resultPanels.ts');
    const onRead = (key: ServerKey, uri: string): void => void readLinked(this.#app(), key, uri);
    return new ResultPanels({ extensionUri: this.#extensionUri, documents: this.#app().documents, onRead });
  }
}

/** Opens what a shown result points at. */
async function readLinked(app: App, key: ServerKey, uri: string): Promise<void> {
  const [{ readAndOpen }, { reportFailure }] = await Promise.all([
    import('../commands/readResource.ts'),
    import('../adapters/reportFailure.ts'),
  ]);
  await readAndOpen(app, key, uri).catch((error: unknown) => reportFailure(error, key));
}
