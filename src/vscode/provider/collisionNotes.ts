// Says that the editor has a server of its own under the label of one that is published: it runs that one, and turns the
// published one off without a word (GATE-7). Each pair is said once a window.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../core/ports.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import { type NativeServer, nativeServers, watchNativeServers } from './nativeServers.ts';

export class CollisionNotes implements Disposable {
  readonly #log: Log;
  readonly #storage: vscode.Uri;
  readonly #said = new Set<string>();
  readonly #disposables = new DisposableStore();
  #labels: readonly string[] = [];

  /** @param storage ours in the person's profile */
  constructor(log: Log, storage: vscode.Uri) {
    this.#log = log;
    this.#storage = storage;
    this.#disposables.add(watchNativeServers(() => void this.#compare()));
  }

  /** These are published now. */
  look(labels: readonly string[]): void {
    this.#labels = labels;
    if (labels.length > 0) void this.#compare();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #compare(): Promise<void> {
    const own = new Map(this.#labels.map((label) => [label.toLowerCase(), label]));
    for (const native of await nativeServers(this.#storage)) {
      const label = own.get(native.label.toLowerCase());
      if (label !== undefined) this.#say(label, native);
    }
  }

  #say(label: string, { place, file }: NativeServer): void {
    const pair = `${label} ${place}`;
    if (this.#said.has(pair)) return;
    this.#said.add(pair);
    this.#log.warn(
      `The editor has a server ${label} of its own in ${place}: its agent does not use the published one.`,
    );
    const text = t(
      'The editor has a server “{server}” of its own, in {place}. Its agent uses that one, and not the one of MCP Roundhouse.',
      { server: label, place },
    );
    const open = t('Open File');
    const buttons = file === undefined ? [] : [open];
    void tell.warn(text, ...buttons).then((pressed) => {
      if (pressed === open && file !== undefined) void vscode.window.showTextDocument(file);
    });
  }
}
