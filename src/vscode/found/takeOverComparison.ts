// The comparison of every file that a take-over changes, in one editor behind the question. Its texts follow the choice.
import * as vscode from 'vscode';
import type { FoundServer } from '../../core/found/foundView.ts';
import type { FilePreview, TakeOverPreview } from '../../core/found/previewTakeOver.ts';
import type { MemoryFiles } from '../adapters/memoryFiles.ts';
import { schemes } from '../contributions.ts';
import { t } from '../strings.ts';
import { closeTabs } from '../surfaces/closeTabs.ts';
import { knownSecrets } from '../surfaces/knownSecrets.ts';
import { ShownPreview } from './shownPreview.ts';

export interface ComparisonOptions {
  readonly documents: MemoryFiles;
  readonly preview: (chosen: readonly FoundServer[]) => Promise<TakeOverPreview>;
}

export class TakeOverComparison {
  readonly #options: ComparisonOptions;
  readonly #title = t('What taking over changes');
  /** Those of the editor that is open; a file that is out of the choice has two equal texts. */
  readonly #shown = new Map<string, FilePreview>();
  readonly #preview = new ShownPreview((chosen, isLast) => this.#show(chosen, () => isLast() && !this.#closed));
  #opened = false;
  #closed = false;

  constructor(options: ComparisonOptions) {
    this.#options = options;
  }

  /**
   * Opens it with every file that these may change, as it is now: opened at a later choice it would take the keyboard from
   * the list. Fails where it cannot be made.
   */
  async prepare(servers: readonly FoundServer[]): Promise<void> {
    const { files } = await this.#options.preview(servers);
    for (const file of files) this.#put({ ...file, after: file.before });
    await this.#open();
  }

  /** The last one asked for is the one that is shown. Fails where it cannot be made or shown. */
  async update(chosen: readonly FoundServer[]): Promise<void> {
    await this.#preview.update(chosen);
  }

  /** What is shown of this choice, to be done as it is; waits until it is shown, and fails where it could not be. */
  accepted(chosen: readonly FoundServer[]): Promise<TakeOverPreview> {
    return this.#preview.accepted(chosen);
  }

  async #show(chosen: readonly FoundServer[], isLast: () => boolean): Promise<TakeOverPreview> {
    const preview = await this.#options.preview(chosen);
    if (!isLast()) return preview;
    const { files } = preview;
    const isNew = files.some(({ file }) => !this.#shown.has(file));
    for (const [file, last] of this.#shown) {
      if (!files.some((shown) => shown.file === file)) this.#put({ ...last, after: last.before });
    }
    for (const file of files) this.#put(file);
    if (isNew || !this.#opened) await this.#open();
    return preview;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    // The editor puts the number of files behind it.
    const ours = tabs.filter(({ label }) => label.startsWith(this.#title));
    await closeTabs(ours);
    for (const file of this.#shown.keys()) {
      for (const side of ['before', 'after'] as const) this.#options.documents.delete(uriOf(side, file));
    }
  }

  async #open(): Promise<void> {
    this.#opened = true;
    const files = [...this.#shown.keys()].map((file) => [
      vscode.Uri.file(file),
      uriOf('before', file),
      uriOf('after', file),
    ]);
    if (files.length > 0) await vscode.commands.executeCommand('vscode.changes', this.#title, files);
  }

  #put(preview: FilePreview): void {
    this.#shown.set(preview.file, preview);
    for (const side of ['before', 'after'] as const) {
      this.#options.documents.putAt(uriOf(side, preview.file), knownSecrets.content(preview[side]));
    }
  }
}

/** Both sides have the path of the file, so that it is what the comparison shows of them. */
function uriOf(side: 'before' | 'after', file: string): vscode.Uri {
  return vscode.Uri.from({ scheme: schemes.readOnly, path: vscode.Uri.file(file).path, query: `take-over-${side}` });
}
