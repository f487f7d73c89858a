import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { RecentCalls } from '../../core/tools/recentCalls.ts';
import type { JournalSwitch } from '../adapters/journalSwitch.ts';
import type { CallsPage } from './callsPage.ts';

export interface CallsPageParts {
  readonly extensionUri: vscode.Uri;
  readonly journal: JournalSwitch;
  readonly recent: () => Promise<RecentCalls>;
}

/** The page of recent calls, loaded when it is opened for the first time. */
export class LazyCallsPage implements Disposable {
  readonly #parts: CallsPageParts;
  #page: Promise<CallsPage> | undefined;

  constructor(parts: CallsPageParts) {
    this.#parts = parts;
  }

  async show(...server: Parameters<CallsPage['show']>): Promise<void> {
    this.#page ??= this.#load();
    (await this.#page).show(...server);
  }

  dispose(): void {
    void this.#page?.then((page) => page.dispose());
  }

  async #load(): Promise<CallsPage> {
    const [{ CallsPage }, recent] = await Promise.all([import('./callsPage.ts'), this.#parts.recent()]);
    return new CallsPage({ ...this.#parts, recent });
  }
}
