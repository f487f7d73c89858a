import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { configOf, type EditorSession, useEditorSession } from '../support/editorSession.ts';
import type { EditorWindow } from '../support/editorWindow.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';
import { stillThere } from '../support/processTable.ts';

describe('what may run in the editor', () => {
  let session: EditorSession;
  useEditorSession((started) => (session = started));

  const waitFor = (window: EditorWindow, path: readonly string[], description: string) =>
    window.mcp.waitFor(path, (row) => row.description.includes(description));
  /** The number on the icon of the Explorer; 0 where there is none. */
  const badge = async ({ page }: EditorWindow): Promise<number> => {
    const label = await page.getByRole('tab', { name: /^Explorer/ }).getAttribute('aria-label');
    return Number(/(\d+) MCP servers? to approve/.exec(label ?? '')?.[1] ?? 0);
  };
  const counts = (window: EditorWindow, count: number) =>
    eventually(async () => (await badge(window)) === count, patience, `a badge of ${count}`);
  const toApprove = ({ page }: EditorWindow) => page.getByRole('button', { name: /MCP servers? to approve/ });

  it('starts nothing of an untrusted folder, shows its servers as blocked, and follows trust, then approval, at once [TRUST-1a, TRUST-1b, TRUST-1c, TRUST-1d, TRUST-2a, UI-1k]', async () => {
    const log = fixtureLog();
    const server = { ...fixtureCommand('all-kinds-paged', undefined, log), autostart: true };
    const { window, folder } = await session.openProject({ demo: server });
    const blocked = await window.mcp.waitFor(['demo']);
    assert.equal(blocked.description, 'workspace not trusted');
    assert.ok(!(await window.mcp.actions(['demo'])).includes('Start Server'));
    assert.deepEqual(log.events(), []);

    await window.grantTrust();
    await waitFor(window, ['demo'], 'needs your approval');
    assert.deepEqual(log.events(), []);
    await window.mcp.pressAction(['demo'], 'Review and Approve…');
    const dialog = await window.dialog.waitFor(/Run the server “demo”/);
    for (const part of [server.command, ...server.args, folder]) assert.ok(dialog.detail.includes(part), part);
    assert.equal(dialog.focused, 'Don’t Run');
    assert.deepEqual(log.events(), []);

    await window.dialog.press(/demo/, 'Run Once');
    await waitFor(window, ['demo'], '5 tools');
    const pid = log.events('start')[0]!.pid;
    assert.equal(log.events('start').length, 1);

    await window.close();
    await eventually(() => stillThere([pid]).length === 0, patience, 'the end of the server with its window');
    log.dispose();
  });

  it('shows what waits in row, badge and status bar; takes Escape for "later" and Enter for "no", which is asked about no more, but from its row [TRUST-3e, TRUST-4b, UI-1d]', async () => {
    const log = fixtureLog();
    const { window } = await session.openProject({ demo: fixtureCommand('small-legacy', undefined, log) });
    await window.grantTrust();
    for (const answer of ['Escape', 'Decide Later', 'Enter', 'Don’t Run']) {
      const later = answer === 'Escape' || answer === 'Decide Later';
      await window.mcp.pressAction(['demo'], 'Review and Approve…');
      const { focused } = await window.dialog.waitFor(/demo/);
      assert.equal(focused, 'Don’t Run');
      if (answer.includes(' ')) await window.dialog.press(/demo/, answer);
      else await window.page.keyboard.press(answer);
      await eventually(async () => (await window.dialog.state()) === undefined, patience, 'the end of the dialog');
      await waitFor(window, ['demo'], later ? 'needs your approval' : 'not approved');
      await counts(window, later ? 1 : 0);
      assert.equal(await toApprove(window).count(), later ? 1 : 0, answer);
    }
    assert.deepEqual(log.events(), []);
    await window.mcp.pressAction(['demo'], 'Review and Approve…');
    await window.dialog.press(/demo/, 'Run Once');
    await waitFor(window, ['demo'], 'tools');
    await window.close();
    log.dispose();
  });

  it('asks once for several servers, in one prompt with a line for each that shows each whole launch [TRUST-2a, TRUST-3b, TRUST-3g]', async () => {
    const long = Array.from({ length: 30 }, (_, at) => `--option-${at}`);
    const { window } = await session.openProject({
      one: { ...fixtureCommand('small-legacy'), env: { MODE: 'fast\u202E' } },
      two: { ...fixtureCommand('small-legacy'), args: [...fixtureCommand('small-legacy').args, ...long] },
    });
    await window.grantTrust();
    await waitFor(window, ['two'], 'needs your approval');
    await counts(window, 2);
    await toApprove(window).click();
    // Longer than a dialog shows: a page, with the answers above it.
    const { items } = await window.quickInput.waitFor(/Run these 2 servers/);
    assert.deepEqual(
      items.map(({ label }) => label),
      ['Don’t Run', 'Run All Once', 'Remember All', 'Review Each', 'Decide Later'],
    );
    const text = await window.pageText(/^Run these 2 servers/m);
    assert.match(text, /^one \(folder “[\w-]+”\): .*\ntwo \(folder “[\w-]+”\): /m);
    assert.match(text, /^Variable MODE: fast<U\+202E>$/m);
    for (const option of long) assert.match(text, new RegExp(`^Argument \\d+: ${option}$`, 'm'));
    await window.screenshot('approval-group-page');
    await window.quickInput.pick(/Run these 2 servers/, 'Run All Once');
    for (const id of ['one', 'two']) await waitFor(window, [id], 'tools');
    assert.equal(await toApprove(window).count(), 0);
    assert.deepEqual(await window.editorTitles(), [], 'the page goes with the question');
    await window.close();
  });

  it('shows all of a question whatever a workspace’s settings say of colours, lines and languages, in every theme and a narrow window [TRUST-3a, TRUST-8a]', async () => {
    const many = Array.from({ length: 26 }, (_, at) => `--option-${at}`);
    const args = ['-c', `./serve /* ; touch pwned; : */ ${'x'.repeat(300)} the end`, ...many];
    const white = '#ffffff';
    const settings = {
      'files.associations': { '*': 'javascript' },
      'editor.stopRenderingLineAfter': 20,
      'editor.wordWrap': 'off',
      'editor.fontSize': 1,
      'workbench.colorCustomizations': { 'editor.background': white, 'editor.foreground': white, foreground: white },
      'editor.tokenColorCustomizations': { comments: white },
    };
    const { window } = await session.openProject(
      { demo: { command: '/bin/sh', args } },
      { '.vscode/settings.json': settings },
    );
    await window.grantTrust();
    await waitFor(window, ['demo'], 'needs your approval');
    for (const theme of ['light', 'dark', 'highContrastDark', 'highContrastLight'] as const) {
      await window.setTheme(theme);
      await window.mcp.pressAction(['demo'], 'Review and Approve…');
      await window.quickInput.waitFor(/Run the server/);
      const frame = await window.webview(/touch pwned/);
      for (const width of [1280, 480]) {
        await window.resize(width);
        const hidden = () => frame.evaluate(hiddenLines);
        await eventually(async () => (await hidden()).length === 0, patience, `no hidden line: ${theme}, ${width}`);
        assert.deepEqual(await hidden(), []);
        await window.screenshot(`approval-page-${theme}-${width}`);
      }
      await window.resize(1280);
      await window.quickInput.cancel(/Run the server/);
    }
    await window.close();
  });

  it('asks again after a change on disk, shows the difference, and lets the person’s own server take over when it is refused [TRUST-2g, TRUST-3f, TRUST-4b, CFG-9d]', async () => {
    const [theirs, own] = [fixtureLog(), fixtureLog()];
    const server = {
      command: process.execPath,
      args: [...fixtureCommand('small-legacy', undefined, theirs).args, '--port=1'],
    };
    await session.writeUserServers({ demo: fixtureCommand('small-legacy', undefined, own) });
    const { window, file, folder } = await session.openProject({ demo: server });
    const name = folder.split('/').pop()!;
    await window.grantTrust();
    await waitFor(window, ['User', 'demo'], 'needs your approval');
    await window.approve();
    await waitFor(window, [name, 'demo'], 'tools');
    await waitFor(window, ['User', 'demo'], 'the project’s definition is used');

    await writeFile(file, JSON.stringify(configOf({ demo: { ...server, args: server.args.with(-1, '--port=2') } })));
    await waitFor(window, [name, 'demo'], 'changed, needs your approval');
    await window.mcp.pressAction([name, 'demo'], 'Review and Approve…');
    const { detail, focused } = await window.dialog.waitFor(/Run the server “demo”/);
    const at = server.args.length;
    assert.match(
      detail,
      new RegExp(
        `^It takes the place of your own server “demo”: [^\n]*\nChanged since you approved it:\nBefore: Argument ${at}: --port=1\nNow: Argument ${at}: --port=2\n\nAll of it:`,
      ),
    );
    assert.ok(detail.includes(`Command: ${process.execPath}\n`), 'what did not change is shown too');
    assert.equal(focused, 'Don’t Run');
    await window.screenshot('approval-difference-light');
    await window.dialog.press(/demo/, 'Don’t Run');

    await waitFor(window, [name, 'demo'], 'not approved');
    await waitFor(window, ['User', 'demo'], 'in place of the project’s');
    await waitFor(window, ['User', 'demo'], 'tools'); // It was approved with the other, and is wanted now.
    assert.deepEqual([theirs.events('start').length, own.events('start').length], [1, 1]);
    assert.equal(theirs.events('exit').length, 1);
    await window.close();
    await session.writeUserServers({});
    theirs.dispose();
    own.dispose();
  });

  it('remembers an approval where the person wants that, over a reload of the window, until it is revoked [TRUST-2i, TRUST-2j, TRUST-2k]', async () => {
    const log = fixtureLog();
    const server = { ...fixtureCommand('small-legacy', undefined, log), autostart: true };
    const { window } = await session.openProject({ demo: server, once: fixtureCommand('small-legacy') });
    await window.grantTrust();
    await waitFor(window, ['once'], 'needs your approval');
    await window.mcp.pressAction(['once'], 'Review and Approve…');
    await window.dialog.press(/once/, 'Run Once');
    await waitFor(window, ['once'], 'tools');
    await window.approve('remember');
    await waitFor(window, ['demo'], 'tools');
    await isPutBy(window, /"approval:project:[^"]*:demo":"[0-9a-f]{64}"/);
    await window.reload();
    await window.mcp.open();
    await waitFor(window, ['once'], 'needs your approval');
    await waitFor(window, ['demo'], 'tools');
    assert.equal(log.events('start').length, 2);
    assert.equal(await window.dialog.state(), undefined);

    await window.runCommand('MCP Roundhouse: Manage Approvals…');
    await window.quickInput.waitFor(/Manage Approvals/);
    const listed = async () => (await window.quickInput.state())?.items.map((item) => [item.label, item.description]);
    const items = await eventually(async () => ((await listed())?.length ? listed() : undefined), patience, 'the list');
    assert.deepEqual(items, [['demo', 'remembered for its workspace']]);
    await window.screenshot('approvals-list');
    await window.quickInput.pickMany(/Manage Approvals/, ['demo']);
    await waitFor(window, ['demo'], 'needs your approval');
    await eventually(() => stillThere(log.events('start').map(({ pid }) => pid)).length === 0, patience, 'its end');
    await isPutBy(window, /^(?![^]*approval:project:[^"]*:demo)/);
    await window.reload();
    await window.mcp.open();
    await waitFor(window, ['demo'], 'needs your approval');
    assert.equal(log.events('start').length, 2);
    await window.close();
    log.dispose();
  });

  it('asks once, in one prompt, before servers run that another program wrote into the person’s file: one dialog to a call [TRUST-10a, TRUST-10b, QUAL-26]', async () => {
    const log = fixtureLog();
    const ids = ['one', 'two', 'three', 'four', 'five'];
    const servers = ids.map(
      (id) => [id, { ...fixtureCommand('small-legacy', undefined, log), autostart: true }] as const,
    );
    await session.writeUserServers(Object.fromEntries(servers));
    const { window } = await session.openProject();
    for (const id of ids) await waitFor(window, [id], 'needs your approval');
    await counts(window, 5);
    assert.deepEqual(log.events('start'), []);
    // What interrupts the person from here to a call: this one question.
    await window.approve('remember');
    for (const id of ids) await waitFor(window, [id], 'tools');
    await window.mcp.expand(['five', 'Tools']);
    await window.mcp.pressAction(['five', 'Tools', 'echo'], 'Call Tool…');
    await window.quickInput.enter(/text/, 'the first call');
    await window.webview(/the first call/);
    assert.equal(await window.dialog.state(), undefined);
    await isPutBy(window, /"approval:user:five"/);
    assert.equal(log.events('start').length, 5);

    await window.reload();
    await window.mcp.open();
    for (const id of ids) await waitFor(window, [id], 'tools');
    assert.equal(log.events('start').length, 10);
    await window.close();
    await session.writeUserServers({});
    log.dispose();
  });

  it('shows all of a question, whatever the theme and the width of the window [TRUST-3a]', async () => {
    const env = { MODE: 'fast', API_KEY: 'a-key' };
    const server = { command: 'npx', args: ['-y', '@scope/a-server-of-some-length', '${workspaceFolder}'], env };
    const { window } = await session.openProject({ files: server });
    await window.grantTrust();
    await waitFor(window, ['files'], 'needs your approval');
    for (const theme of ['light', 'highContrastDark', 'highContrastLight'] as const) {
      await window.setTheme(theme);
      await window.mcp.pressAction(['files'], 'Review and Approve…');
      await window.dialog.waitFor(/files/);
      for (const width of [1280, 480]) {
        await window.resize(width);
        await eventually(() => window.page.evaluate(isAllShown), patience, `all of the dialog at ${width} pixels`);
        await window.screenshot(`approval-${theme}-${width}`);
      }
      await window.resize(1280);
      await window.dialog.press(/files/, 'Decide Later');
    }
    await window.close();
  });

  it('welcomes in Restricted Mode with the way to trust, and no process is left in the end [UI-1i]', async () => {
    const { window } = await session.openProject();
    await eventually(
      async () => (await window.mcp.welcome()).includes('Restricted Mode'),
      patience,
      'the welcome of Restricted Mode',
    );
    await window.mcp.pressWelcomeButton('Manage Workspace Trust');
    await window.page.getByRole('dialog', { name: 'Workspace Trust' }).waitFor();
    await window.closeModalEditor();
    await window.grantTrust();
    await eventually(
      async () => (await window.mcp.welcome()).includes('No MCP servers yet'),
      patience,
      'the other welcome text',
    );
    await window.close();
    await eventually(
      () => session.extensionChildren().filter((command) => command.includes('fixtures')).length === 0,
      patience,
      'no server left',
    );
  });
});

async function isPutBy(window: EditorWindow, text: RegExp): Promise<void> {
  await eventually(async () => text.test(await window.keptState()), patience, `${String(text)} in the editor's state`);
}

// The functions below run in the page: they may use nothing from outside of themselves.

/** Lines that are wider than the page, too small, or of a colour too near to that of the paper. */
function hiddenLines(): readonly string[] {
  const light = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const paper = light(getComputedStyle(document.documentElement).backgroundColor);
  const lines = [...document.querySelectorAll<HTMLElement>('h1, .line')];
  const hidden = lines.filter((line) => {
    const { color, fontSize, backgroundColor } = getComputedStyle(line);
    const ink = light(color);
    const contrast = Math.max(ink, paper) / Math.min(ink, paper);
    const own = backgroundColor === 'rgba(0, 0, 0, 0)';
    return contrast < 7 || !own || Number.parseFloat(fontSize) < 12 || line.scrollWidth > line.clientWidth + 1;
  });
  const end = lines.some((line) => line.innerText.endsWith('the end'));
  return [...hidden.map((line) => line.innerText), ...(end ? [] : ['the end of a line'])];
}

function isAllShown(): boolean {
  const box = document.querySelector('.monaco-dialog-box');
  const detail = box?.querySelector('#monaco-dialog-message-detail');
  const buttons = box?.querySelector('.dialog-buttons');
  if (!box || !detail || !buttons) return false;
  const [outer, text, below] = [box, detail, buttons].map((element) => element.getBoundingClientRect());
  return (
    outer!.top >= 0 &&
    outer!.bottom <= innerHeight &&
    text!.bottom <= below!.top + 1 &&
    detail.scrollHeight <= detail.clientHeight + 1 &&
    detail.scrollWidth <= detail.clientWidth + 1
  );
}
