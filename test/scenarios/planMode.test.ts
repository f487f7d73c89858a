// Plan mode and categories, with a server that calls all of its tools harmless.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ListToolsOptions } from '../../src/core/tools/listTools.ts';
import { apiOf } from '../support/apiOf.ts';
import { fixtureCommand } from '../support/fixtureServer.ts';
import { openServerWindow, userFileIn, writeServers } from '../support/serverWindow.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('the tools of a server that claims to read only', () => {
  it('count as sending over a network, stay out of a plan, and become only stricter by code [TOOL-6a, TOOL-6b, TOOL-6d]', async () => {
    const root = await temporaryFolder();
    await writeServers(userFileIn(root.path), { honest: fixtureCommand('claims-read-only') });
    const window = await openServerWindow(root.path);
    try {
      const { snapshot } = await window.manager.use(window.key('honest'));
      const hints = snapshot.tools.map(({ raw }) => (raw['annotations'] as { readOnlyHint?: boolean }).readOnlyHint);
      assert.deepEqual(hints, [true, true]);

      const api = apiOf(window.manager);
      assert.deepEqual(
        api.listTools().map(({ server, name, category }) => [server, name, category]),
        [
          ['honest', 'look', 'network_send'],
          ['honest', 'delete_all', 'network_send'],
        ],
      );
      assert.deepEqual(api.listTools({ mode: 'plan' }), []);

      const listed = (choose: ListToolsOptions['choose'], mode?: 'plan'): readonly string[] =>
        apiOf(window.manager, choose && { choose })
          .listTools(mode && { mode })
          .map(({ name, category }) => `${name} ${category}`);
      assert.deepEqual(listed(undefined, 'plan'), []);
      assert.deepEqual(
        listed(() => 'read', 'plan'),
        [],
      );
      assert.deepEqual(
        listed((_, { name }) => (name === 'look' ? 'write' : 'execute')),
        ['look network_send', 'delete_all execute'],
      );
    } finally {
      await window.dispose();
      await root.remove();
    }
  });
});
