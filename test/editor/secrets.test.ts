// Secrets in a configuration file, in the real editor: marked, moved out by the quick fix, and lent to one server only.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it } from 'mocha';
import { configOf, type EditorSession, projectFile, useEditorSession } from '../support/editorSession.ts';
import type { EditorWindow } from '../support/editorWindow.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog, startHttpFixture } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';
import { Sinks } from '../support/sinks.ts';

const canary = 'c4nary-Wert-0815-geheim';

describe('secrets in a configuration file', () => {
  let session: EditorSession;
  useEditorSession(
    (started) => (session = started),
    () => ({ settings: { 'roundhouse.remote.enabled': true } }),
  );

  it('are marked in a project and leave it by keyboard, to be sent to that server alone once it is approved [TRUST-6a, TRUST-6b, TRUST-6c]', async () => {
    const http = await startHttpFixture('small-both');
    const text = `{
  "version": 3,
  "mcpServers": {
    // The hub of our team.
    "hub": {
      "url": "${http.url}",
      "headers": {
        "X-Team": "blue", // not secret
        "Authorization": "Bearer ${canary}"
      }
    }
  }
}
`;
    const folder = await session.makeFolder({ [projectFile]: text });
    const window = await session.openWindow({ folder });
    await window.mcp.open();
    await window.grantTrust();
    await window.mcp.waitFor(['hub'], ({ description }) => description.startsWith('refused: headers.'));
    await window.mcp.chooseFromMenu(['hub'], 'Edit Definition');
    await window.editorText('mcp.json');
    const squiggle = window.page.locator('.squiggly-error');
    await squiggle.first().waitFor();
    await window.screenshot('secret-squiggle-light');

    await openFirstFix(window, /does not run/);
    await window.screenshot('secret-fix-project-light');
    await chooseFix(window, 'Move the header Authorization to your own storage');
    await window.notifications.waitFor(/“Authorization” is now in the editor’s secret storage\. It is sent to http:/);
    await eventually(async () => !(await readFile(`${folder}/${projectFile}`, 'utf8')).includes(canary));
    assert.equal(
      await readFile(`${folder}/${projectFile}`, 'utf8'),
      text.replace(`"blue", // not secret\n        "Authorization": "Bearer ${canary}"\n`, '"blue" // not secret\n'),
    );
    await squiggle.first().waitFor({ state: 'detached' });

    await window.mcp.waitFor(['hub'], ({ description }) => description.endsWith('needs your approval'));
    assert.deepEqual(http.log.events('http'), []);
    await window.mcp.pressAction(['hub'], 'Review and Approve…');
    const { detail } = await window.dialog.waitFor(/Run the server “hub”/);
    assert.match(detail, /Header Authorization: \$\{stored:Authorization\}/);
    assert.ok(!detail.includes(canary));
    await window.dialog.press(/hub/, 'Run Once');
    await window.mcp.waitFor(['hub'], ({ description }) => description.includes('tool'));
    const sent = http.log.events('http').map(({ headers }) => (headers as Record<string, string>)['authorization']);
    assert.ok(sent.length > 0 && sent.every((value) => value === `Bearer ${canary}`), JSON.stringify(sent));

    // Another URL is another place: it gets nothing of it.
    const other = await startHttpFixture('small-both');
    const now = await readFile(`${folder}/${projectFile}`, 'utf8');
    await writeFile(`${folder}/${projectFile}`, now.replace(http.url, other.url));
    await window.mcp.waitFor(['hub'], ({ description }) => description.endsWith('needs your approval'));
    await window.mcp.pressAction(['hub'], 'Review and Approve…');
    assert.doesNotMatch((await window.dialog.waitFor(/hub/)).detail, /^Header Authorization/m);
    await window.dialog.press(/hub/, 'Run Once');
    await window.mcp.waitFor(['hub'], ({ description }) => description.includes('tool'));
    assert.doesNotMatch(JSON.stringify(other.log.events('http')), /c4nary|authorization/i);

    await window.runCommand('MCP Roundhouse: Manage Stored Values…');
    const { items } = await window.quickInput.waitFor(/Stored values/);
    assert.deepEqual(
      items.map(({ label, description }) => [label, description]),
      [['Authorization', `header · ${folder.split('/').pop()!} · hub · ${http.url}`]],
    );
    await window.quickInput.pick(/Stored values/, 'Authorization');
    await window.quickInput.pick(/Authorization/, 'Forget');
    await window.quickInput.waitUntilClosed();
    await writeFile(`${folder}/${projectFile}`, now);
    await window.mcp.waitFor(['hub'], ({ description }) => description.endsWith('needs your approval'));
    await window.mcp.pressAction(['hub'], 'Review and Approve…');
    assert.doesNotMatch((await window.dialog.waitFor(/hub/)).detail, /^Header Authorization/m);
    await window.dialog.press(/hub/, 'Don’t Run');
    await window.close();
    await Promise.all([http.stop(), other.stop()]);
  });

  it('become references in the own file, whose values are asked for once and given to the server [CFG-11i]', async () => {
    const log = fixtureLog();
    const server = { ...fixtureCommand('inspects', undefined, log), env: { MY_TOKEN: canary } };
    await mkdir(dirname(session.userFile), { recursive: true });
    await writeFile(session.userFile, JSON.stringify(configOf({ mine: server }), undefined, 2));
    const { window } = await session.openProject();
    await window.mcp.waitFor(['mine']);
    await window.runCommand('MCP Roundhouse: Open User Configuration');
    await window.editorText('mcp.json');
    await window.page.locator('.squiggly-warning').first().waitFor();
    for (const theme of ['light', 'highContrastDark', 'highContrastLight'] as const) {
      await window.setTheme(theme);
      await openFirstFix(window, /looks like a secret/);
      await window.screenshot(`secret-fix-${theme}`);
      await window.page.keyboard.press('Escape');
      await window.page.locator('.action-widget').first().waitFor({ state: 'hidden' });
    }
    await openFirstFix(window, /looks like a secret/);
    await chooseFix(window, 'Move the value of MY_TOKEN to the editor’s secret storage');
    await window.notifications.waitFor(/the file says \$\{secret:mine\.MY_TOKEN\}/);
    const written = async (): Promise<string> => await readFile(session.userFile, 'utf8');
    await eventually(async () => (await written()).includes('${secret:mine.MY_TOKEN}'));
    assert.ok(!(await written()).includes(canary));

    // What it runs is another thing now: it is asked about, with the reference named.
    await window.mcp.waitFor(['mine'], ({ description }) => description.endsWith('needs your approval'));
    await window.mcp.pressAction(['mine'], 'Review and Approve…');
    const { detail } = await window.dialog.waitFor(/Run your server “mine”/);
    assert.match(detail, /^Variable MY_TOKEN: \$\{secret:mine\.MY_TOKEN\}$/m);
    assert.ok(!detail.includes(canary));
    await window.dialog.press(/mine/, 'Run Once');
    await window.mcp.waitFor(['mine'], ({ description }) => description.includes('tool'));
    assert.equal((await environmentOf(log.events('start').at(-1)!.pid))['MY_TOKEN'], canary);
    await window.close();
    log.dispose();
  });

  it('that are typed are in no file, page or message, whatever servers say, and last over a reload [CFG-11i, CONN-10b]', async () => {
    const log = fixtureLog();
    const lent = { env: { API_KEY: '${input:k}' } };
    const mcpServers = {
      repeats: { ...fixtureCommand('repeats-secrets', undefined, log), ...lent },
      ends: { ...fixtureCommand('repeats-secrets-and-exits'), ...lent },
    };
    const inputs = [{ id: 'k', type: 'promptString', description: 'The key of this test', password: true }];
    await mkdir(dirname(session.userFile), { recursive: true });
    await writeFile(session.userFile, JSON.stringify({ version: 3, inputs, mcpServers }));
    const sinks = new Sinks();
    const { window } = await session.openProject();
    const look = async (where: string): Promise<void> => {
      for (const frame of window.page.frames()) {
        sinks.add(where, await frame.evaluate(() => document.documentElement.outerHTML).catch(() => ''));
      }
    };
    await window.mcp.waitFor(['repeats'], ({ description }) => description.endsWith('needs your approval'));
    // Alone: the question for the value follows at once, in the place of a list of what to run.
    await window.mcp.pressAction(['repeats'], 'Review and Approve…');
    await window.dialog.press(/repeats/, 'Run Once');
    await window.quickInput.waitFor(/The key of this test/);
    assert.equal(await window.page.locator('.quick-input-box input').getAttribute('type'), 'password');
    await window.quickInput.enter(/The key of this test/, canary);
    await window.mcp.waitFor(['repeats'], ({ description }) => description.includes('tool'));
    await window.approve();
    await window.mcp.waitFor(['ends'], ({ icon }) => icon === 'error');
    await window.mcp.expand(['repeats', 'Tools']);
    await look('tree');
    sinks.add('tooltip', await window.mcp.tooltip(['repeats']));
    sinks.add('tooltip', await window.mcp.tooltip(['repeats', 'Tools', 'tell']));
    sinks.add('tooltip', await window.mcp.tooltip(['ends']));

    await window.mcp.pressAction(['repeats', 'Tools', 'tell'], 'Call Tool…');
    await window.webview(/\[redacted\]/);
    await look('result page');
    await window.mcp.pressAction(['repeats', 'Tools', 'refuse'], 'Call Tool…');
    await window.notifications.waitFor(/may not: \[redacted\]/);
    await look('notification');
    await window.mcp.chooseFromMenu(['repeats', 'Tools', 'keyed'], 'Show Definition');
    sinks.add('document', await window.editorText(/keyed/));
    await window.mcp.chooseFromMenu(['ends'], 'Diagnose Server');
    await window.webview(/no such key/);
    await look('diagnosis');
    await window.mcp.chooseFromMenu(['repeats'], 'Show Log');
    await window.page.getByText('API key: [redacted]').first().waitFor();
    await look('log');

    await eventually(
      async () => (await filesWith(session.server.userData, 'kept.json')).length > 0,
      patience,
      'the kept lists',
    );
    await window.reload();
    await window.mcp.open();
    await window.mcp.waitFor(['repeats']);
    await window.approve();
    await window.mcp.waitFor(['repeats'], ({ description }) => description.includes('tool'));
    // The last start may still be that of the window before, whose process is gone by now.
    const isLent = async (): Promise<boolean> => {
      const environment = await environmentOf(log.events('start').at(-1)!.pid).catch(() => undefined);
      return environment?.['API_KEY'] === canary;
    };
    await eventually(isLent, patience, 'the value in the environment of the new process');
    await look('tree after a reload');
    await window.close();
    const files = sinks.addFolder('folder of the editor', session.server.userData);
    sinks.addFolder('home', session.home);
    process.stdout.write(sinks.report());
    assert.ok(files > 10);
    assert.deepEqual(sinks.leaks({ canary }), []);
    log.dispose();
  });
});

/** Goes to the next problem and opens the list of its fixes, by keyboard. */
async function openFirstFix(window: EditorWindow, problem: RegExp): Promise<void> {
  const { page } = window;
  await page.getByRole('main').locator('.monaco-editor[role=code]').first().locator('.view-line').first().click();
  await page.keyboard.press('F8');
  const told = page.locator('.zone-widget').filter({ hasText: problem }).first();
  await told.waitFor();
  await page.keyboard.press('Escape');
  await told.waitFor({ state: 'detached' });
  const list = page.locator('.action-widget').first();
  const opened = async (): Promise<boolean> => {
    await page.keyboard.press('Control+.');
    return await list.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
  };
  await eventually(opened, patience, 'the list of fixes');
}

async function chooseFix({ page }: EditorWindow, title: string): Promise<void> {
  const focused = page.locator('.action-widget .monaco-list-row.focused');
  await eventually(async () => (await focused.innerText()).includes(title), patience, title);
  await page.keyboard.press('Enter');
}

/** What a process really got (Linux). */
async function environmentOf(pid: number): Promise<Record<string, string | undefined>> {
  const pairs = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter((pair) => pair.includes('='));
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

async function filesWith(folder: string, name: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(name));
}
