// When to look into the files of other clients: once the configuration is there, whenever the person comes back to the
// window, and when they ask. What looks is loaded then, after the tree is on the screen.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { type FoundView, nothingFound } from '../../core/found/foundView.ts';
import { limits } from '../../core/limits.ts';
import { type Lazy, lazy } from '../lazy.ts';
import type { FoundDesk, FoundDeskOptions } from './foundDesk.ts';

export class FoundWatch implements vscode.Disposable {
  readonly #own = new DisposableStore();
  readonly #changed = new Emitter<FoundView>();
  readonly #desk: Lazy<FoundDesk>;
  #view = nothingFound;
  #looked = 0;

  constructor(options: FoundDeskOptions, begin: Promise<unknown>) {
    this.#own.add(this.#changed);
    this.#desk = lazy(async () => {
      const { FoundDesk } = await import('./foundDesk.ts');
      const desk = this.#own.add(new FoundDesk(options));
      this.#own.add(
        desk.found.onDidChange((view) => {
          this.#view = view;
          this.#changed.fire(view);
        }),
      );
      return desk;
    });
    this.#own.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#lookSoon()));
    this.#own.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.look()));
    this.#own.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.look()));
    this.#own.add(options.config.onDidChange(() => void this.#desk.made?.then((desk) => desk.found.compare())));
    void begin.then(() => this.look());
  }

  readonly onDidChange = this.#changed.event;

  /** Nothing until somebody looked. */
  get view(): FoundView {
    return this.#view;
  }

  desk(): Promise<FoundDesk> {
    return this.#desk.get();
  }

  /** Never fails: what cannot be read is in the view. */
  async look(): Promise<void> {
    this.#looked = Date.now();
    const desk = await this.#desk.get().catch(() => undefined);
    await desk?.found.look();
  }

  dispose(): void {
    this.#own.dispose();
  }

  /** Whoever changes windows quickly causes no more reading than one who does not. */
  #lookSoon(): void {
    if (Date.now() - this.#looked >= limits.found.pause) void this.look();
  }
}
