import { join } from 'node:path';
import { type Disposable } from '../../base/disposable.ts';
import { settingIds } from '../contributions.ts';
import { settings } from './settings.ts';

/** Where the journal of calls is, and whether the person wants it: asked at each call, so the setting is read before. */
export class JournalSwitch implements Disposable {
  readonly folder: string;
  #on = settings.journalEnabled();
  readonly #subscription: Disposable;

  /** @param home the product's folder */
  constructor(home: string) {
    this.folder = join(home, 'journal');
    this.#subscription = settings.onDidChange(settingIds.journalEnabled, () => (this.#on = settings.journalEnabled()));
  }

  readonly isOn = (): boolean => this.#on;

  dispose(): void {
    this.#subscription.dispose();
  }
}
