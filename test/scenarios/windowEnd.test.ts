import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { anything, indifferentEditor, stubEditor } from '../support/editorStub.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const { activate, deactivate } = await import('../../src/extension.ts');

describe('the end of a window', () => {
  const homes = ['HOME', 'USERPROFILE'] as const;
  const own = homes.map((name) => process.env[name]);
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => {
    folder = await temporaryFolder();
    for (const name of homes) process.env[name] = folder.path;
  });
  after(async () => {
    for (const [index, name] of homes.entries()) {
      if (own[index] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = own[index];
    }
    await folder.remove();
  });

  it('keeps the log open until the servers are gone, though the editor disposes what it was given at once', async () => {
    let closed = 0;
    const channel = anything({ dispose: () => (closed += 1) });
    stubEditor({
      ...indifferentEditor(),
      window: anything({ createOutputChannel: () => channel, tabGroups: anything({ all: [] }) }),
      workspace: anything({
        workspaceFolders: [],
        textDocuments: [],
        isTrusted: true,
        getConfiguration: () => ({ inspect: () => ({}), get: () => undefined }),
      }),
    });
    const subscriptions: vscode.Disposable[] = [];
    const storageUri = { fsPath: folder.path };
    activate({ subscriptions, storageUri, globalStorageUri: storageUri } as unknown as vscode.ExtensionContext);
    // In the order of the editor.
    const ended = deactivate();
    for (const subscription of subscriptions) subscription.dispose();
    assert.equal(closed, 0);
    await ended;
    assert.equal(closed, 1);
  });
});
