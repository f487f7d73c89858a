import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { RoundhouseApi } from '../../src/contract/publicApi.ts';

describe('the extension in its host', () => {
  it('activates and answers its interface', async () => {
    const extension = vscode.extensions.getExtension<RoundhouseApi>('mcp-roundhouse.mcp-roundhouse');
    assert.ok(extension);
    const api = await extension.activate();
    assert.match(api.version, /^\d+\.\d+\.\d+$/);
    assert.deepEqual(await api.servers(), []);
    assert.deepEqual([api.listTools(), api.listTools({ mode: 'plan' })], [[], []]);
  });

  it('registers every command that it contributes', async () => {
    const extension = vscode.extensions.getExtension('mcp-roundhouse.mcp-roundhouse')!;
    const { contributes } = extension.packageJSON as { contributes: { commands: { command: string }[] } };
    const known = new Set(await vscode.commands.getCommands(true));
    const missing = contributes.commands.map(({ command }) => command).filter((command) => !known.has(command));
    assert.ok(contributes.commands.length > 0);
    assert.deepEqual(missing, []);
  });
});
