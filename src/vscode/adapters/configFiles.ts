// The configuration files of this window: the person's own, and one in each workspace folder. Folders come and go
// while the window is open; a change of one file leaves the others as they are.
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import type { ConfigScope, InputDefinition } from '../../contract/serverConfig.ts';
import { homeFolder, projectConfigFile, userConfigFile } from '../../core/config/configPaths.ts';
import type { ConfigStore } from '../../core/config/configStore.ts';
import type { ConfigSnapshot } from '../../core/config/model.ts';

export class ConfigFiles implements vscode.Disposable {
  readonly home = homeFolder(homedir());
  readonly userFile = userConfigFile(this.home);
  readonly #clock: Clock;
  readonly #stores = new Map<string, { readonly store: ConfigStore; readonly scope: ConfigScope }>();
  readonly #changed = new Emitter<ConfigSnapshot>();
  readonly #disposables = new DisposableStore();
  readonly #queue = new SerialQueue();
  #disposed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#disposables.add(this.#changed);
    this.#disposables.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        void this.load();
      }),
    );
  }

  readonly onDidChange = this.#changed.event;

  /** Reads every file of the present folders, drops those of folders that are gone, and announces the whole once. */
  load(): Promise<void> {
    return this.#queue.run(async () => {
      const wanted = wantedFiles(this.userFile);
      for (const [file, { store }] of this.#stores) {
        if (wanted.has(file)) continue;
        store.dispose();
        this.#stores.delete(file);
      }
      const fresh = [...wanted].filter(([file]) => !this.#stores.has(file));
      await Promise.all(fresh.map(([file, scope]) => this.#open(file, scope)));
      this.#changed.fire(this.snapshot());
    });
  }

  snapshot(): ConfigSnapshot {
    const order = [...wantedFiles(this.userFile).keys()];
    const stores = order.map((file) => this.#stores.get(file)).filter((entry) => entry !== undefined);
    return { files: stores.map(({ store }) => store.get()) };
  }

  /** The store of a file; undefined when its folder is gone. */
  store(file: string): ConfigStore | undefined {
    return this.#stores.get(file)?.store;
  }

  /** Where new servers can be written: the person's file, then the folders'. */
  places(): readonly { readonly file: string; readonly scope: ConfigScope }[] {
    const all = [...wantedFiles(this.userFile)].map(([file, scope]) => ({ file, scope }));
    return [...all.slice(-1), ...all.slice(0, -1)];
  }

  /** Of a configuration file of this window; undefined for every other file. */
  scopeOf(uri: vscode.Uri): ConfigScope | undefined {
    return uri.scheme === 'file' ? wantedFiles(this.userFile).get(uri.fsPath) : undefined;
  }

  /** The definition of an input in the file of that scope. */
  input(id: string, scope: ConfigScope): InputDefinition | undefined {
    const file = scope.kind === 'user' ? this.userFile : projectConfigFile(scope.folder);
    return this.store(file)
      ?.get()
      .inputs.find((input) => input.id === id);
  }

  async reload(file: string): Promise<void> {
    await this.store(file)?.reload();
    this.#changed.fire(this.snapshot());
  }

  dispose(): void {
    this.#disposed = true;
    for (const { store } of this.#stores.values()) store.dispose();
    this.#stores.clear();
    this.#disposables.dispose();
  }

  async #open(file: string, scope: ConfigScope): Promise<void> {
    // Reading needs the JSON parser and the schemas: they come after the editor's start, in the background.
    const { ConfigStore } = await import('../../core/config/configStore.ts');
    if (this.#disposed) return; // A store of now would watch its file for ever.
    const store = new ConfigStore({ file, scope, clock: this.#clock, watch: true });
    this.#stores.set(file, { store, scope });
    await store.reload(); // Never fails; what `load` announces holds what was read here.
    store.onDidChange(() => this.#changed.fire(this.snapshot()));
  }
}

/** The folders first, in their order, then the person's own file. */
function wantedFiles(userFile: string): ReadonlyMap<string, ConfigScope> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
  const projects = folders.map(({ uri, name }): [string, ConfigScope] => [
    projectConfigFile(uri.fsPath),
    { kind: 'project', folder: uri.fsPath, name },
  ]);
  return new Map([...projects, [userFile, { kind: 'user' }]]);
}
