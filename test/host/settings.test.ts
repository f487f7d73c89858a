import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { otherValue, type SettingProperty, settingsOf } from '../support/manifestSettings.ts';
import { patience } from '../support/patience.ts';

describe('what a workspace says of our settings', () => {
  const manifest = packageOf('mcp-roundhouse.mcp-roundhouse');
  const settings = settingsOf(manifest);

  it('is not heard, in a trusted folder either [TRUST-7b, TRUST-8a, TRUST-8b]', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder !== undefined && vscode.workspace.isTrusted);
    assert.ok(settings.length > 0);
    // One that any workspace may set tells when the file was read.
    const control = { 'editor.tabSize': 13 };
    const other = Object.fromEntries(settings.map(([id, property]) => [id, otherValue(property)]));
    const file = join(folder.uri.fsPath, '.vscode', 'settings.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ ...control, ...other }));
    const now = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration(undefined, folder.uri);
    await eventually(() => now().get('editor.tabSize') === 13, patience, 'the settings of the folder');
    for (const [id, property] of settings) assertUnheard(now(), id, property);
    const { untrustedWorkspaces } = manifest['capabilities'] as Capabilities;
    for (const [id, { scope }] of settings) {
      assert.ok(scope === 'application' || scope === 'machine', `${id} may be set by a workspace`);
      assert.ok(untrustedWorkspaces.restrictedConfigurations.includes(id), `${id} is not restricted`);
    }
  });
});

function packageOf(id: string): Record<string, unknown> {
  return vscode.extensions.getExtension(id)?.packageJSON as Record<string, unknown>;
}

function assertUnheard(now: vscode.WorkspaceConfiguration, id: string, property: SettingProperty): void {
  assert.deepEqual(now.get(id), property.default, id);
  const found = now.inspect(id);
  assert.deepEqual([found?.workspaceValue, found?.workspaceFolderValue], [undefined, undefined], id);
}

interface Capabilities {
  readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
}
