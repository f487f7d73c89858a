// Servers that the editor has in files of its own (GATE-7). Of two with one label it turns off the one of an extension,
// without a word: so somebody has to say it. Reads names alone.
import { parse, type ParseError } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isJsonObject } from '../../contract/json.ts';
import { followFolders } from './followFolders.ts';

export interface NativeServer {
  readonly label: string;
  /** What a person knows the place by. */
  readonly place: string;
  /** Undefined where it is no file. */
  readonly file: vscode.Uri | undefined;
}

/** Of the workspace and of the person; `storage`: ours in the profile. What cannot be read has none. */
export async function nativeServers(storage: vscode.Uri): Promise<readonly NativeServer[]> {
  const files = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    projectFiles.map((name) => vscode.Uri.joinPath(uri, name)),
  );
  const own = [vscode.Uri.joinPath(storage, '..', '..', 'mcp.json'), userFile];
  const found = await Promise.all([
    ...files.map((file) => serversOf(file, vscode.workspace.asRelativePath(file))),
    ...own.map((file) => serversOf(file, 'mcp.json')),
  ]);
  const workspace = Object.keys(objectAt(vscode.workspace.getConfiguration('mcp').get('servers')));
  return [...found.flat(), ...workspace.map((label) => ({ label, place: 'mcp.servers', file: undefined }))];
}

/** Told when one of the files of the workspace changes, and when its folders do. */
export function watchNativeServers(changed: () => void): Disposable {
  return followFolders({
    folders: () => vscode.workspace.workspaceFolders ?? [],
    onDidChangeFolders: (listener) => vscode.workspace.onDidChangeWorkspaceFolders(listener),
    watch: (folder) => vscode.Disposable.from(...projectFiles.map((name) => watchFile(folder, name, changed))),
    changed,
  });
}

function watchFile(folder: vscode.WorkspaceFolder, name: string, changed: () => void): Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(changed),
    watcher.onDidChange(changed),
    watcher.onDidDelete(changed),
  );
}

const projectFiles = ['.vscode/mcp.json', '.mcp.json'];
/** Of the default profile, where the editor keeps it on another machine than ours. */
const userFile = vscode.Uri.from({ scheme: 'vscode-userdata', path: '/User/mcp.json' });
/** Bytes: a larger file is none of these. */
const largest = 1024 * 1024;

async function serversOf(file: vscode.Uri, place: string): Promise<readonly NativeServer[]> {
  try {
    const bytes = await vscode.workspace.fs.readFile(file);
    if (bytes.length > largest) return [];
    const errors: ParseError[] = [];
    const content: unknown = parse(new TextDecoder().decode(bytes), errors, { allowTrailingComma: true });
    const { servers, mcpServers } = objectAt(content);
    return Object.keys({ ...objectAt(servers), ...objectAt(mcpServers) }).map((label) => ({ label, place, file }));
  } catch {
    return [];
  }
}

function objectAt(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}
