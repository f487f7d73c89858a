import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { configOf, type EditorSession, useEditorSession } from '../support/editorSession.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { stillThere } from '../support/processTable.ts';

describe('what may run in the editor', function () {
  this.timeout(180_000);
  let session: EditorSession;
  useEditorSession((started) => (session = started));

  it('starts nothing of an untrusted folder, shows its servers as blocked, and follows trust, then approval, at once [TRUST-1a, TRUST-1b, TRUST-1c, TRUST-1d, TRUST-2a, UI-1k]', async () => {
    const log = fixtureLog();
    const server = { ...fixtureCommand('all-kinds-paged', undefined, log), autostart: true };
    const { window, folder } = await session.openProject({ demo: server });
    const blocked = await window.mcp.waitFor(['demo']);
    assert.equal(blocked.description, 'workspace not trusted');
    assert.ok(!(await window.mcp.actions(['demo'])).includes('Start Server'));
    assert.deepEqual(log.events(), []);

    await window.grantTrust();
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'needs your approval');
    assert.deepEqual(log.events(), []);
    await window.mcp.pressAction(['demo'], 'Review and Approve…');
    const dialog = await window.dialog.waitFor(/Run the server “demo”/);
    for (const part of [server.command, ...server.args, folder]) assert.ok(dialog.detail.includes(part), part);
    assert.equal(dialog.focused, 'Don’t Run');
    assert.deepEqual(log.events(), []);

    await window.dialog.press(/demo/, 'Run');
    await window.mcp.waitFor(['demo'], ({ description }) => description.startsWith('5 tools'));
    const pid = log.events('start')[0]!.pid;
    assert.equal(log.events('start').length, 1);

    await window.close();
    await eventually(() => stillThere([pid]).length === 0, 15_000, 'the end of the server with its window');
    log.dispose();
  });

  it('takes Escape, Enter and "Don’t Run" for a no, and asks again when asked to [TRUST-4b]', async () => {
    const log = fixtureLog();
    const server = fixtureCommand('small-legacy', undefined, log);
    const { window } = await session.openProject({ demo: server });
    await window.grantTrust();
    for (const answer of ['Escape', 'Enter', 'Don’t Run']) {
      await window.mcp.waitFor(['demo'], ({ description }) => description === 'needs your approval');
      await window.mcp.pressAction(['demo'], 'Review and Approve…');
      await window.dialog.waitFor(/demo/);
      if (answer === 'Don’t Run') await window.dialog.press(/demo/, answer);
      else await window.page.keyboard.press(answer);
      await eventually(async () => (await window.dialog.state()) === undefined, 10_000, 'the end of the dialog');
      assert.equal((await window.mcp.waitFor(['demo'])).description, 'needs your approval', answer);
    }
    assert.deepEqual(log.events(), []);
    await window.close();
    log.dispose();
  });

  it('asks once for several servers, in one prompt that shows each whole launch [TRUST-2a]', async () => {
    const { window } = await session.openProject({
      one: { ...fixtureCommand('small-legacy'), env: { MODE: 'fast\u202E' } },
      two: fixtureCommand('small-legacy'),
    });
    await window.grantTrust();
    await window.mcp.waitFor(['two'], ({ description }) => description === 'needs your approval');
    await window.page.getByRole('button', { name: '2 MCP servers to approve' }).click();
    const { detail } = await window.dialog.waitFor(/Run these 2 servers/);
    assert.match(detail, /Variable MODE: fast<U\+202E>/);
    await window.dialog.press(/2 servers/, 'Run All');
    for (const id of ['one', 'two']) await window.mcp.waitFor([id], ({ description }) => description.includes('tools'));
    assert.equal(await window.page.getByRole('button', { name: /MCP servers? to approve/ }).count(), 0);
    await window.close();
  });

  it('asks again after any change of what was approved [TRUST-2g]', async () => {
    const log = fixtureLog();
    const server = fixtureCommand('small-legacy', undefined, log);
    const { window, file } = await session.openProject({ demo: server });
    await window.grantTrust();
    await window.mcp.pressAction(['demo'], 'Review and Approve…');
    await window.dialog.press(/demo/, 'Run');
    await window.mcp.waitFor(['demo'], ({ description }) => description.includes('tools'));
    const changed = { ...server, args: [...server.args, '--more'] };
    await writeFile(file, JSON.stringify(configOf({ demo: changed })));
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'needs your approval');
    assert.equal(log.events('start').length, 1);
    await window.close();
    log.dispose();
  });

  it('welcomes in Restricted Mode with the way to trust, and no process is left in the end [UI-1i]', async () => {
    const { window } = await session.openProject();
    await eventually(
      async () => (await window.mcp.welcome()).includes('Restricted Mode'),
      20_000,
      'the welcome of Restricted Mode',
    );
    await window.mcp.pressWelcomeButton('Manage Workspace Trust');
    await window.page.getByRole('dialog', { name: 'Workspace Trust' }).waitFor();
    await window.closeModalEditor();
    await window.grantTrust();
    await eventually(
      async () => (await window.mcp.welcome()).includes('No MCP servers yet'),
      10_000,
      'the other welcome text',
    );
    await window.close();
    await eventually(
      () => session.extensionChildren().filter((command) => command.includes('fixtures')).length === 0,
      15_000,
      'no server left',
    );
  });
});
