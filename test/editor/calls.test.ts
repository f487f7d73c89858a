import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { type EditorSession, useEditorSession } from '../support/editorSession.ts';
import type { EditorWindow } from '../support/editorWindow.ts';
import { eventually } from '../support/eventually.ts';
import { type FixtureLog, fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';

describe('the page of recent calls in the editor', () => {
  let session: EditorSession;
  useEditorSession((started) => (session = started));

  async function openWith(log: FixtureLog, ...ids: readonly string[]): Promise<EditorWindow> {
    const command = fixtureCommand('small-legacy', undefined, log);
    await session.writeUserServers(Object.fromEntries(ids.map((id) => [id, command])));
    const { window } = await session.openProject();
    await window.mcp.waitFor([ids[0]!], ({ description }) => description === 'needs your approval');
    await window.approve();
    for (const id of ids) await window.mcp.waitFor([id], ({ description }) => description.includes('tools'));
    return window;
  }
  const callEcho = async (window: EditorWindow, server: string, text: string): Promise<void> => {
    await window.mcp.expand([server, 'Tools']);
    await window.mcp.pressAction([server, 'Tools', 'echo'], 'Call Tool…');
    await window.quickInput.enter(/text/, text);
    await window.webview(new RegExp(text));
  };
  /** Server, tool and outcome of each row, once the page shows them so. */
  const shows = async (page: Frame, expected: readonly string[]): Promise<void> => {
    const rows = async (): Promise<readonly string[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll('tbody tr')].map((row) =>
          ['server', 'tool', 'outcome'].map((name) => row.querySelector(`.${name}`)?.textContent).join(' '),
        ),
      );
    await eventually(async () => JSON.stringify(await rows()) === JSON.stringify(expected), patience, expected.join());
  };

  it('follows a call from its start to its end, and keeps it in memory only [POL-3a, POL-3e]', async () => {
    const log = fixtureLog();
    const window = await openWith(log, 'demo');
    await window.runCommand('MCP Roundhouse: Show Recent Calls');
    await window.webview(/No tool was called yet/);
    await window.screenshot('calls-empty');
    await window.mcp.expand(['demo', 'Tools']);
    await window.mcp.pressAction(['demo', 'Tools', 'hang'], 'Call Tool…');
    const page = await window.webview(/Kept in memory only/);
    await shows(page, ['demo hang Running']);
    assert.equal(log.runs('hang'), 1);
    await window.notifications.press(/Call of hang/, 'Cancel');
    await shows(page, ['demo hang Unknown: it was cancelled, so it may have run']);
    assert.equal(existsSync(join(dirname(session.userFile), 'journal')), false);
    await window.close();
    log.dispose();
  });

  it('shows the calls of one server from its row, and those of the journal after the window was killed [POL-3b, POL-3d]', async () => {
    const log = fixtureLog();
    await session.writeSettings({ 'roundhouse.journal.enabled': true });
    const window = await openWith(log, 'one', 'two');
    await callEcho(window, 'one', 'said to one');
    await window.mcp.collapse(['one']);
    await callEcho(window, 'two', 'said to two');
    await window.mcp.chooseFromMenu(['two'], 'Show Recent Calls');
    const page = await window.webview(/Written to a journal/);
    await shows(page, ['two echo Done']);
    await page.getByLabel('Server').selectOption('');
    await shows(page, ['two echo Done', 'one echo Done']);
    for (const theme of ['light', 'highContrastDark'] as const) {
      await window.setTheme(theme);
      await window.screenshot(`calls-editor-${theme}`);
    }
    await window.setTheme('dark');

    await window.mcp.pressAction(['two', 'Tools', 'hang'], 'Call Tool…');
    await eventually(() => log.runs('hang') === 1, patience, 'the call');
    const folder = join(dirname(session.userFile), 'journal');
    const [name = ''] = await readdir(folder);
    assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
    assert.doesNotMatch(await readFile(join(folder, name), 'utf8'), /said to/);
    process.kill(window.extensionHost, 'SIGKILL');
    await window.reload();
    await window.mcp.waitFor(['one']);
    await window.runCommand('MCP Roundhouse: Show Recent Calls');
    const again = await window.webview(/Written to a journal/);
    const lost = 'two hang Unknown: its window ended first, so it may have run';
    await shows(again, [lost, 'two echo Done', 'one echo Done']);
    assert.equal(log.runs('hang'), 1);
    await window.screenshot('calls-editor-dark');
    await window.close();
    log.dispose();
  });
});
