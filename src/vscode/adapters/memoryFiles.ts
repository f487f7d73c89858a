import * as vscode from 'vscode';
import { knownSecrets } from '../surfaces/knownSecrets.ts';

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly changed: number;
}

/** How many documents are kept; the oldest goes first. */
const capacity = 100;

export interface MemoryFilesOptions {
  readonly isReadonly: boolean;
  /** What a document holds that the window before had: the editor puts back over it what was typed and not saved. */
  readonly unknown?: string;
}

/** Documents of ours that live in memory: resources, results, reports (read only) and arguments being edited. */
export class MemoryFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #scheme: string;
  readonly #unknown: MemoryFile | undefined;
  readonly #files = new Map<string, MemoryFile>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registration: vscode.Disposable;

  constructor(scheme: string, options: MemoryFilesOptions) {
    this.#scheme = scheme;
    const { unknown } = options;
    this.#unknown = unknown === undefined ? undefined : { bytes: new TextEncoder().encode(unknown), changed: 0 };
    this.#registration = vscode.workspace.registerFileSystemProvider(scheme, this, {
      isReadonly: options.isReadonly,
      isCaseSensitive: true,
    });
  }

  readonly onDidChangeFile = this.#changed.event;

  /**
   * Puts a document there and answers its address; one of the same path is replaced, also where it is open. No secret
   * that a server was lent is in its text.
   */
  put(path: string, content: string | Uint8Array): vscode.Uri {
    return this.putExact(path, knownSecrets.content(content));
  }

  /** The same for what a person decides by, where nothing may be hidden (TRUST-3). */
  putExact(path: string, content: string | Uint8Array): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: this.#scheme, path });
    this.putAt(uri, content);
    return uri;
  }

  putAt(uri: vscode.Uri, content: string | Uint8Array): void {
    this.#store(uri, typeof content === 'string' ? new TextEncoder().encode(content) : content);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
    this.#files.clear();
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const file = this.#get(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: file.changed, size: file.bytes.length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#get(uri).bytes;
  }

  /** Only for a scheme that is not read only: the editor saves what the person wrote. */
  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.#store(uri, content);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    this.#files.delete(keyOf(uri));
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  #store(uri: vscode.Uri, bytes: Uint8Array): void {
    const known = this.#files.get(keyOf(uri));
    this.#files.delete(keyOf(uri));
    this.#files.set(keyOf(uri), { bytes, changed: Math.max(Date.now(), (known?.changed ?? 0) + 1) });
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= capacity) break;
      this.#files.delete(oldest);
    }
    const type = known === undefined ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed;
    this.#changed.fire([{ type, uri }]);
  }

  #get(uri: vscode.Uri): MemoryFile {
    const file = this.#files.get(keyOf(uri)) ?? this.#unknown;
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }
}

/** Documents of one name for different subjects differ in their query. */
function keyOf(uri: vscode.Uri): string {
  return `${uri.path}?${uri.query}`;
}
