import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { type EditorSession, useEditorSession } from '../support/editorSession.ts';
import type { EditorWindow } from '../support/editorWindow.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';

describe('the commands of the MCP view', () => {
  let session: EditorSession;
  useEditorSession((started) => (session = started));

  /** A window whose person has these servers. The test wrote them, not we: they are approved, and start. */
  async function openWith(mcpServers: Record<string, unknown>): Promise<EditorWindow> {
    await session.writeUserServers(mcpServers);
    const { window } = await session.openProject();
    for (const id of Object.keys(mcpServers)) {
      await window.mcp.waitFor([id], ({ description }) => description === 'needs your approval');
    }
    await window.approve();
    return window;
  }

  async function started(window: EditorWindow, id: string): Promise<void> {
    await window.mcp.waitFor([id], ({ description }) => description.includes('tool'));
  }

  it('add a server from a typed command line: it is written with its protocol named, and starts [UI-2a, UI-2h]', async () => {
    const { window } = await session.openProject();
    await eventually(async () => (await window.mcp.welcome()) !== '', patience, 'the view');
    const { command, args } = fixtureCommand('small-legacy');
    await window.runCommand('MCP Roundhouse: Add Server…');
    await window.quickInput.enter(/command line/, [command, ...args].join(' '));
    await window.quickInput.pick(/Where is it kept/, /User/);
    await window.quickInput.enter(/short name/, 'added');
    await window.mcp.waitFor(['added'], ({ description }) => description.startsWith('6 tools'));
    const written = JSON.parse(await readFile(session.userFile, 'utf8')) as unknown;
    assert.deepEqual(written, { version: 3, mcpServers: { added: { command, args, protocol: 'legacy' } } });
    await window.close();
  });

  it('stop, start, restart, disable, enable and remove it, each at once [UI-2b]', async () => {
    const log = fixtureLog();
    const window = await openWith({ demo: fixtureCommand('small-legacy', undefined, log) });
    await started(window, 'demo');
    await window.mcp.pressAction(['demo'], 'Stop Server');
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'stopped');
    await window.mcp.pressAction(['demo'], 'Start Server');
    await started(window, 'demo');
    await window.mcp.pressAction(['demo'], 'Restart Server');
    await eventually(() => log.events('start').length === 3, patience, 'the third start');
    await started(window, 'demo');
    await window.mcp.chooseFromMenu(['demo'], 'Disable Server');
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'disabled');
    assert.match(await readFile(session.userFile, 'utf8'), /"enabled": ?false/);
    await window.mcp.pressAction(['demo'], 'Enable Server');
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'stopped');
    await window.runCommand('MCP Roundhouse: Remove Server…');
    await window.quickInput.pick(/Choose a server/, 'demo');
    await window.dialog.press(/Remove the server/, 'Remove');
    await eventually(async () => (await window.mcp.find(['demo'])) === undefined, patience, 'the end of its row');
    assert.equal(log.events('start').length, 3);
    await window.close();
    log.dispose();
  });

  it('read a resource and one from a template, fetch a prompt, and show the log [UI-2e, UI-2f, UI-2g]', async () => {
    const window = await openWith({
      demo: fixtureCommand('basic-legacy', { process: { stderr: ['said on stderr'] } }),
    });
    await started(window, 'demo');
    await window.mcp.expand(['demo', 'Resources']);
    const resource = (await window.mcp.rows()).find(({ level }) => level === 3)!;
    await window.mcp.click(['demo', 'Resources', resource.label]);
    await eventually(async () => (await window.editorTitles()).length === 1, patience, 'the resource');
    await window.mcp.collapse(['demo', 'Resources']);
    await window.mcp.expand(['demo', 'Prompts']);
    const prompt = (await window.mcp.rows()).find(({ level }) => level === 3)!;
    await window.mcp.pressAction(['demo', 'Prompts', prompt.label], 'Get Prompt…');
    while ((await window.editorTitles()).length < 2) {
      const state = await window.quickInput.state();
      if (state !== undefined) await window.quickInput.enter(/./, 'x');
    }
    await window.webview(/User|Assistant/);
    await window.mcp.chooseFromMenu(['demo'], 'Show Log');
    await window.page.getByText('said on stderr').first().waitFor();
    await window.close();
  });

  it('fill in a template with values that the server suggests, and show what takes long, a prompt too [UI-2e, UI-5a]', async () => {
    const log = fixtureLog();
    // Long enough to be seen; the prompt comes after its cancellation only.
    const rules = [
      { on: 'resources/read', delay: 10_000 },
      { on: 'prompts/get', delay: 300_000 },
    ];
    const window = await openWith({ demo: fixtureCommand('basic-legacy', { rules }, log) });
    await started(window, 'demo');
    await window.mcp.expand(['demo', 'Resource Templates']);
    await window.mcp.pressAction(['demo', 'Resource Templates', 'city'], 'Read Resource…');
    await window.quickInput.fill(/name of fixture:\/\/city/, 'Ber');
    const suggested = async () => {
      const labels = (await window.quickInput.state())?.items.map(({ label }) => label);
      return labels?.toSorted().join();
    };
    await eventually(async () => (await suggested()) === 'Ber,Berlin,Bern', patience, 'the suggestions of the server');
    await window.quickInput.pick(/name of fixture:\/\/city/, 'Bern');
    await window.notifications.waitFor(/Reading fixture:\/\/city\/Bern/);
    assert.match(await window.editorText(/Bern/), /Bern/);
    await window.mcp.collapse(['demo', 'Resource Templates']);

    await window.mcp.expand(['demo', 'Prompts']);
    await window.mcp.pressAction(['demo', 'Prompts', 'greet'], 'Get Prompt…');
    await window.notifications.waitFor(/Getting greet/);
    await window.notifications.press(/Getting greet/, 'Cancel');
    await eventually(() => log.asked('notifications/cancelled') === 1, patience, 'the cancellation at the server');
    await window.close();
    log.dispose();
  });

  it('diagnose and test a server in a process of its own, check by check with the remedy [UI-2c, UI-2i, UI-4a]', async () => {
    const log = fixtureLog();
    const window = await openWith({
      good: fixtureCommand('small-legacy', undefined, log),
      dies: fixtureCommand('exit-at-start'),
    });
    await started(window, 'good');
    await window.mcp.chooseFromMenu(['good'], 'Test Server');
    const told = await window.notifications.waitFor(/every check passed/, 60_000);
    assert.deepEqual(told.buttons, ['Show Report']);
    await eventually(() => log.events('exit').length === 1, patience, 'the end of the process of the test');
    assert.equal(log.events('start').length, 2);
    await window.mcp.chooseFromMenu(['dies'], 'Diagnose Server');
    const report = await window.webview(/It fails at/, 60_000);
    const text = await report.evaluate(() => document.body.innerText);
    for (const part of ['✓ Command or URL', 'ended before it was ready', 'correct the command', '– List tools']) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    await window.close();
    log.dispose();
  });

  it('never run a denied tool, and ask with server, tool, caller and arguments where the policy says so [POL-1f, POL-1g]', async () => {
    const log = fixtureLog();
    const server = {
      ...fixtureCommand('small-legacy', undefined, log),
      toolPolicies: { echo: 'ask', add: 'deny' },
    };
    const window = await openWith({ demo: server });
    await started(window, 'demo');
    await window.mcp.expand(['demo', 'Tools']);
    assert.deepEqual(await window.mcp.actions(['demo', 'Tools', 'add']), []);
    for (const [answer, runs] of [
      ['Deny', 0],
      ['Allow Once', 1],
    ] as const) {
      await window.mcp.pressAction(['demo', 'Tools', 'echo'], 'Call Tool…');
      await window.quickInput.enter(/text/, 'asked first');
      const question = await window.quickInput.waitFor(/Call echo on “demo”/);
      assert.match(question.placeholder, /you, from the MCP view/);
      assert.match(question.items[1]!.detail, /"asked first"/);
      assert.equal(question.items[0]!.label, 'Deny');
      await window.quickInput.pick(/Call echo/, answer);
      if (answer === 'Allow Once') await window.webview(/asked first/);
      assert.equal(log.runs('echo'), runs);
    }
    const told = await window.notifications.all();
    assert.deepEqual(told, [], 'who refuses a call needs not be told that it was refused');
    await window.close();
    log.dispose();
  });

  it('take arguments as JSON in an editor, keep what is wrong there, and run what is right [UI-2d]', async () => {
    const log = fixtureLog();
    const window = await openWith({ demo: fixtureCommand('small-legacy', undefined, log) });
    await started(window, 'demo');
    await window.mcp.expand(['demo', 'Tools']);
    await window.mcp.pressAction(['demo', 'Tools', 'echo'], 'Call Tool…');
    await window.quickInput.waitFor(/text/);
    await window.page.getByRole('button', { name: 'Edit as JSON' }).click();
    assert.match(await window.editorText(/echo/), /"text": ""/);
    await replaceText(window, '["no object"]');
    await window.page.getByRole('button', { name: /Run Tool with These Arguments/ }).click();
    await window.notifications.waitFor(/have to be a JSON object/);
    await replaceText(window, '{ "text": "typed as JSON" }');
    await window.page.getByRole('button', { name: /Run Tool with These Arguments/ }).click();
    await window.webview(/typed as JSON/);
    assert.equal(log.runs('echo'), 1);
    await window.close();
    log.dispose();
  });

  it('run arguments of a tool that changed only when they were looked at again', async () => {
    const log = fixtureLog();
    const window = await openWith({ demo: fixtureCommand('changes-description', undefined, log) });
    await started(window, 'demo');
    await window.mcp.expand(['demo', 'Tools']);
    await window.mcp.pressAction(['demo', 'Tools', 'echo'], 'Call Tool…');
    await window.quickInput.waitFor(/text/);
    await window.page.getByRole('button', { name: 'Edit as JSON' }).click();
    await window.editorText(/echo/);
    await replaceText(window, '{ "text": "typed before" }');
    await window.mcp.chooseFromMenu(['demo'], 'Refresh Lists');
    await eventually(() => log.asked('tools/list') === 2, patience, 'the second list');
    const run = window.page.getByRole('button', { name: /Run Tool with These Arguments/ });
    await run.click();
    const told = await window.notifications.waitFor(/echo may have changed/);
    assert.deepEqual(told.buttons, ['Show Definition']);
    assert.equal(log.runs('echo'), 0);
    await run.click();
    await window.quickInput.pick(/Call echo on “demo”/, 'Allow Once'); // Its definition changed.
    await window.webview(/typed before/);
    assert.equal(log.runs('echo'), 1);
    await window.close();
    log.dispose();
  });

  it('show what a long call does, and end it at once when the person cancels [UI-5a]', async () => {
    const log = fixtureLog();
    const window = await openWith({ demo: fixtureCommand('small-legacy', undefined, log) });
    await started(window, 'demo');
    await window.mcp.expand(['demo', 'Tools']);
    await window.mcp.pressAction(['demo', 'Tools', 'hang'], 'Call Tool…');
    await eventually(() => log.runs('hang') === 1, patience, 'the call');
    await window.notifications.waitFor(/Call of hang on “demo”/);
    await window.notifications.press(/Call of hang/, 'Cancel');
    await eventually(() => log.events('cancelled').length === 1, patience, 'the cancellation at the server');
    assert.equal((await window.mcp.waitFor(['demo'])).description, '6 tools');
    await window.close();
    log.dispose();
  });

  it('ask from the palette for a tool at once where one server is all there is, and withdraw a question that is over [POL-1h]', async () => {
    const log = fixtureLog();
    const server = { ...fixtureCommand('small-legacy', undefined, log), toolPolicies: { echo: 'ask' } };
    const window = await openWith({ demo: server });
    await started(window, 'demo');
    await window.runCommand('MCP Roundhouse: Call Tool…');
    await window.quickInput.pick(/demo/, 'echo');
    // Longer than a dialog shows, so that it is asked in a list above a document.
    await window.quickInput.enter(/text/, 'long '.repeat(600));
    await window.quickInput.waitFor(/Call echo on “demo”/);
    await window.notifications.press(/Call of echo/, 'Cancel');
    await eventually(async () => (await window.quickInput.state()) === undefined, patience, 'the end of the question');
    assert.equal(log.runs('echo'), 0);
    await window.close();
    log.dispose();
  });

  it('ask once for a value that a definition leaves to the person, keep it, and forget it on request [CFG-11c]', async () => {
    const log = fixtureLog();
    const server = fixtureCommand('small-legacy', undefined, log);
    await mkdir(dirname(session.userFile), { recursive: true });
    const inputs = [{ id: 'who', type: 'promptString', description: 'Whom to greet', password: true }];
    const demo = { ...server, env: { WHO: '${input:who}' } };
    await writeFile(session.userFile, JSON.stringify({ version: 3, inputs, mcpServers: { demo } }));
    const { window } = await session.openProject();
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'needs your approval');
    await window.approve();
    await window.quickInput.cancel(/Whom to greet/);
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'needs ${input:who}');
    assert.deepEqual(log.events('start'), []);
    await window.mcp.pressAction(['demo'], 'Start Server');
    await window.quickInput.enter(/Whom to greet/, 'canary-7f3a');
    await window.mcp.waitFor(['demo'], ({ description }) => description.includes('tool'));
    await window.mcp.pressAction(['demo'], 'Restart Server');
    await eventually(() => log.events('start').length === 2, patience, 'the restart without a question');
    await window.mcp.waitFor(['demo'], ({ description }) => description.includes('tool'));
    await window.runCommand('MCP Roundhouse: Manage Stored Values…');
    await window.quickInput.pick(/Stored values/, 'who');
    await window.quickInput.pick(/who/, 'Forget');
    await window.mcp.pressAction(['demo'], 'Restart Server');
    await window.quickInput.cancel(/Whom to greet/);
    await window.close();
    log.dispose();
  });

  it('keep remote servers off until the person turns them on, knowing the host, and off again at once [TRUST-7a, TRUST-7c, TRUST-7d]', async () => {
    await session.writeUserServers({ far: { url: 'https://mcp.invalid/x' } });
    const { window } = await session.openProject();
    await window.mcp.waitFor(['far'], ({ description }) => description === 'remote servers are off');
    await window.mcp.chooseFromMenu(['far'], 'Turn On Remote Servers…');
    const asked = await window.dialog.waitFor(/Use a remote server/);
    assert.match(asked.detail, /hosts:\s+• mcp\.invalid: far \(run by whoever owns mcp\.invalid\)\s+Others/);
    await window.dialog.press(/remote server/, 'Keep Off');
    await window.runCommand('MCP Roundhouse: Add Server…');
    await window.quickInput.enter(/command line/, 'https://other.invalid/mcp');
    const dialog = await window.dialog.waitFor(/Use a remote server/);
    assert.match(dialog.detail, /is sent to these hosts:/);
    assert.match(dialog.detail, /• other\.invalid: the new server \(run by whoever owns other\.invalid\)/);
    assert.match(dialog.detail, /• mcp\.invalid: far \(run by whoever owns mcp\.invalid\)/);
    assert.equal(dialog.focused, 'Keep Off');
    await window.dialog.press(/remote server/, 'Turn On Remote Servers');
    await window.quickInput.cancel(/Where is it kept/);
    await window.mcp.waitFor(['far'], ({ description }) => description === 'needs your approval');
    await window.runCommand('Preferences: Open User Settings (JSON)');
    const on = await readFile(join(session.server.userData, 'User', 'settings.json'), 'utf8');
    assert.match(on, /"roundhouse\.remote\.enabled": true/);
    await window.editorText('settings.json');
    await replaceText(window, on.replace('"roundhouse.remote.enabled": true', '"roundhouse.remote.enabled": false'));
    await window.page.keyboard.press('Control+s');
    await window.mcp.waitFor(['far'], ({ description }) => description === 'remote servers are off');
    await window.close();
  });
});

/** Replaces what the active text editor holds. The clipboard, unlike typing, leaves brackets as they are. */
async function replaceText({ page }: EditorWindow, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((content) => navigator.clipboard.writeText(content), text);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+v');
}
