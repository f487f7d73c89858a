import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { providerId } from '../contributions.ts';
import { lazy } from '../lazy.ts';
import type { PublicationDeps } from './publication.ts';

/** Publishes this window's servers to the editor's own agent, where the editor takes such; the work is loaded when it asks. */
export function publishToEditor(deps: PublicationDeps): Disposable {
  const own = new DisposableStore();
  const changed = own.add(new vscode.EventEmitter<void>());
  const publication = lazy(async () => {
    const { Publication } = await import('./publication.ts');
    return new Publication(deps, () => changed.fire());
  });
  own.add(toDisposable(() => void publication.made?.then((made) => made.dispose())));
  // Editors that are made of VS Code may lack it.
  const register: unknown = vscode.lm.registerMcpServerDefinitionProvider;
  if (typeof register !== 'function') return own;
  try {
    own.add(
      vscode.lm.registerMcpServerDefinitionProvider(providerId, {
        onDidChangeMcpServerDefinitions: changed.event,
        provideMcpServerDefinitions: async () => (await publication.get()).provide(),
        resolveMcpServerDefinition: async (definition) => (await publication.get()).resolve(definition),
      }),
    );
  } catch (error) {
    deps.log.warn(`Nothing is published to the editor: ${error instanceof Error ? error.message : String(error)}`);
  }
  return own;
}
