import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { RecentCalls } from '../../core/tools/recentCalls.ts';
import type { JournalSwitch } from '../adapters/journalSwitch.ts';
import { type Lazy, lazy } from '../lazy.ts';
import type { CallsPage } from './callsPage.ts';

export interface CallsPageParts {
  readonly extensionUri: vscode.Uri;
  readonly journal: JournalSwitch;
  readonly recent: () => Promise<RecentCalls>;
}

/** The page of recent calls, loaded when it is opened for the first time. */
export class LazyCallsPage implements Disposable {
  readonly #page: Lazy<CallsPage>;

  constructor(parts: CallsPageParts) {
    this.#page = lazy(() => load(parts));
  }

  async show(...server: Parameters<CallsPage['show']>): Promise<void> {
    (await this.#page.get()).show(...server);
  }

  dispose(): void {
    void this.#page.made?.then((page) => page.dispose());
  }
}

async function load(parts: CallsPageParts): Promise<CallsPage> {
  const [{ CallsPage }, recent] = await Promise.all([import('./callsPage.ts'), parts.recent()]);
  return new CallsPage({ ...parts, recent });
}
