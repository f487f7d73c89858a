// The editor's own server files, over an editor that only has folders and watchers.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { stubEditor } from '../../../support/editorStub.ts';

const { watchNativeServers } = await import('../../../../src/vscode/provider/nativeServers.ts');

describe('the files in which the editor has servers of its own', () => {
  let folders: readonly string[] | undefined;
  const listeners = new Set<() => void>();
  const watched = new Map<string, () => void>();
  let told = 0;

  beforeEach(() => {
    folders = ['one'];
    told = 0;
    stubEditor({
      workspace: {
        get workspaceFolders() {
          return folders;
        },
        onDidChangeWorkspaceFolders: (listener: () => void) => {
          listeners.add(listener);
          return { dispose: () => listeners.delete(listener) };
        },
        createFileSystemWatcher: ({ name }: { name: string }) => {
          const event = (listener: () => void): { dispose: () => void } => {
            watched.set(name, listener);
            return { dispose: () => undefined };
          };
          const dispose = (): void => void watched.delete(name);
          return { onDidCreate: event, onDidChange: event, onDidDelete: event, dispose };
        },
      },
      RelativePattern: function (this: { name: string }, folder: string, file: string) {
        this.name = `${folder}/${file}`;
      },
      Disposable: {
        from: (...all: { dispose: () => void }[]) => ({ dispose: () => all.forEach(({ dispose }) => dispose()) }),
      },
    });
  });

  it('are watched in folders that come later too, and in none that went', () => {
    const watch = watchNativeServers(() => (told += 1));
    assert.deepEqual([...watched.keys()], ['one/.vscode/mcp.json', 'one/.mcp.json']);
    folders = ['two', 'three'];
    for (const listener of listeners) listener();
    assert.equal(told, 1, 'they are looked at at once');
    const names = ['two/.vscode/mcp.json', 'two/.mcp.json', 'three/.vscode/mcp.json', 'three/.mcp.json'];
    assert.deepEqual([...watched.keys()], names);
    watched.get('three/.mcp.json')?.();
    assert.equal(told, 2);
    folders = undefined;
    for (const listener of listeners) listener();
    assert.equal(watched.size, 0);
    folders = ['four'];
    for (const listener of listeners) listener();
    watch.dispose();
    assert.deepEqual([watched.size, listeners.size], [0, 0]);
  });
});
