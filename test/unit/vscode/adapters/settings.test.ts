import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { stubEditor } from '../../../support/editorStub.ts';

const { settings } = await import('../../../../src/vscode/adapters/settings.ts');

describe('the settings of the editor', () => {
  it('are taken from every place where they are set, the organisation’s in the place of the default', () => {
    const found: Record<string, object | undefined> = {
      'chat.mcp.access': { defaultValue: 'registry', globalValue: 'all', workspaceValue: 'none' },
      'chat.mcp.deniedServers': { defaultValue: null, workspaceFolderValue: [] },
      'chat.mcp.allowedServers': {},
    };
    stubEditor({
      workspace: {
        getConfiguration: () => ({ inspect: (id: string) => found[id], get: (id: string) => `effective ${id}` }),
      },
    });
    assert.deepEqual(settings.editor(), {
      access: { effective: 'effective chat.mcp.access', managed: 'registry', others: ['all', 'none'] },
      denied: { effective: 'effective chat.mcp.deniedServers', managed: null, others: [[]] },
      allowed: { effective: 'effective chat.mcp.allowedServers', managed: undefined, others: [] },
    });
  });
});
