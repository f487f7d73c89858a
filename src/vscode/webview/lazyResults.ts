import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ServerKey } from '../../core/config/model.ts';
import type { App } from '../app.ts';
import { type Lazy, lazy } from '../lazy.ts';
import type { ResultPanels } from './resultPanels.ts';

/** The result pages, loaded when the first result is shown. */
export class LazyResults implements Disposable {
  readonly #panels: Lazy<ResultPanels>;

  constructor(extensionUri: vscode.Uri, app: () => App) {
    this.#panels = lazy(() => load(extensionUri, app));
  }

  get(): Promise<ResultPanels> {
    return this.#panels.get();
  }

  dispose(): void {
    void this.#panels.made?.then((panels) => panels.dispose());
  }
}

async function load(extensionUri: vscode.Uri, app: () => App): Promise<ResultPanels> {
  const { ResultPanels } = await import('./resultPanels.ts');
  const onRead = (key: ServerKey, uri: string): void => void readLinked(app(), key, uri);
  return new ResultPanels({ extensionUri, documents: app().documents, onRead });
}

/** Opens what a shown result points at. */
async function readLinked(app: App, key: ServerKey, uri: string): Promise<void> {
  const [{ readAndOpen }, { reportFailure }] = await Promise.all([
    import('../commands/readResource.ts'),
    import('../adapters/reportFailure.ts'),
  ]);
  await readAndOpen(app, key, uri).catch((error: unknown) => reportFailure(error, key));
}
