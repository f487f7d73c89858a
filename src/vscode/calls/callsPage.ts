// The page of recent calls: one panel a window, which follows the calls of this window as they happen. What the journal
// says besides is read when the page is opened or comes to sight again.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { fromCallsPage, type ToCallsPage } from '../../contract/callsMessages.ts';
import type { ConfiguredServer } from '../../core/config/model.ts';
import { type JournalReading, readJournal } from '../../core/diagnostics/readJournal.ts';
import type { RecentCalls } from '../../core/tools/recentCalls.ts';
import type { JournalSwitch } from '../adapters/journalSwitch.ts';
import { settings } from '../adapters/settings.ts';
import { settingIds } from '../contributions.ts';
import { t } from '../strings.ts';
import { postToPage } from '../surfaces/postToPage.ts';
import { openPage } from '../webview/openPage.ts';
import { callsView, serverLabel } from './callsView.ts';

export interface CallsPageOptions {
  readonly extensionUri: vscode.Uri;
  readonly journal: JournalSwitch;
  readonly recent: RecentCalls;
}

export class CallsPage implements vscode.Disposable {
  readonly #options: CallsPageOptions;
  #panel: vscode.WebviewPanel | undefined;
  #earlier: JournalReading = { calls: [] };
  #readings = 0;
  #choice: ToCallsPage['choice'] = { server: '', number: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CallsPageOptions) {
    this.#options = options;
  }

  /** `server`: the one whose calls are wanted; else all. */
  show(server?: ConfiguredServer): void {
    const label = server === undefined ? '' : serverLabel(server.id, server.scope);
    this.#choice = { server: label, number: this.#choice.number + 1 };
    if (this.#panel === undefined) {
      this.#panel = this.#open();
      return; // A page says when it is there, also one that comes to sight again.
    }
    this.#panel.reveal();
    void this.#refresh();
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #open(): vscode.WebviewPanel {
    const { extensionUri, recent } = this.#options;
    const panel = openPage(extensionUri, 'calls', t('Recent Calls'));
    const own = new DisposableStore();
    own.add(panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
    own.add(recent.onDidChange(() => this.#sendSoon()));
    own.add(settings.onDidChange(settingIds.journalEnabled, () => void this.#refresh()));
    panel.onDidDispose(() => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#panel = undefined;
      own.dispose();
    });
    return panel;
  }

  #receive(message: unknown): void {
    const { data } = fromCallsPage.safeParse(message);
    if (data?.type === 'ready') void this.#refresh();
    if (data?.type !== 'openSetting') return;
    void vscode.commands.executeCommand('workbench.action.openSettings', settingIds.journalEnabled);
  }

  async #refresh(): Promise<void> {
    const { journal } = this.#options;
    const reading = (this.#readings += 1);
    const earlier = journal.isOn() ? await readJournal(journal.folder) : { calls: [] };
    // Of two that run at once the later one knows more, whichever ends first.
    if (reading !== this.#readings) return;
    this.#earlier = earlier;
    this.#send();
  }

  /** A burst of calls is one message. */
  #sendSoon(): void {
    this.#timer ??= setTimeout(() => this.#send(), pause);
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { recent, journal } = this.#options;
    const earlier = journal.isOn() ? { ...this.#earlier, folder: journal.folder } : undefined;
    const message: ToCallsPage = { type: 'show', view: callsView(recent.calls, earlier, t), choice: this.#choice };
    if (this.#panel !== undefined) postToPage(this.#panel.webview, message);
  }
}

/** Milliseconds. */
const pause = 100;
