import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { SecretMarkersOptions } from './secretMarkers.ts';

/** Looks for secrets in configuration files; loaded when the first one of them is open. */
export class LazySecretMarkers implements Disposable {
  readonly #options: SecretMarkersOptions;
  readonly #own = new DisposableStore();
  #loaded = false;

  constructor(options: SecretMarkersOptions) {
    this.#options = options;
    this.#own.add(vscode.workspace.onDidOpenTextDocument((document) => this.#look(document)));
    for (const document of vscode.workspace.textDocuments) this.#look(document);
  }

  dispose(): void {
    this.#own.dispose();
  }

  #look(document: vscode.TextDocument): void {
    if (this.#loaded || this.#options.scopeOf(document) === undefined) return;
    this.#loaded = true;
    void import('./secretMarkers.ts').then(({ SecretMarkers }) => this.#own.add(new SecretMarkers(this.#options)));
  }
}
