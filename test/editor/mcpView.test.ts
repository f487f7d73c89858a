import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { configOf, type EditorSession, projectFile, useEditorSession } from '../support/editorSession.ts';
import type { EditorWindow } from '../support/editorWindow.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';

describe('the MCP view', () => {
  let session: EditorSession;
  useEditorSession((started) => (session = started));

  /** A trusted window on a folder whose servers were all approved. */
  async function openApproved(mcpServers: Record<string, unknown>): Promise<{ window: EditorWindow; file: string }> {
    const { window, file } = await session.openProject(mcpServers);
    await window.grantTrust();
    const ids = Object.keys(mcpServers);
    await window.mcp.waitFor([ids[0]!], ({ description }) => description === 'needs your approval');
    await window.approve();
    for (const id of ids) await window.mcp.waitFor([id], ({ description }) => description.includes('tools'));
    return { window, file };
  }

  it('shows everything that a server offers, by kind and with counts, and calls a tool whose result is seen [UI-1a, UI-1b, UI-1f, UI-2d]', async () => {
    const log = fixtureLog();
    const overrides = { tools: { library: ['echo'], generate: [{ count: 3 }] } };
    const { window } = await openApproved({ demo: fixtureCommand('all-kinds-paged', overrides, log) });
    const offered = { Tools: 4, Resources: 5, 'Resource Templates': 5, Prompts: 5 };
    await window.mcp.expand(['demo']);
    for (const [label, count] of Object.entries(offered)) {
      assert.equal((await window.mcp.waitFor(['demo', label])).description, String(count));
      await window.mcp.expand(['demo', label]);
      const children = async (): Promise<number> => (await window.mcp.rows()).filter(({ level }) => level === 3).length;
      await eventually(async () => (await children()) === count, patience, `${count} rows under ${label}`);
      await window.mcp.collapse(['demo', label]);
    }
    assert.equal((await window.mcp.waitFor(['demo'])).description, '4 tools');
    await window.mcp.expand(['demo', 'Tools']);
    await window.mcp.pressAction(['demo', 'Tools', 'echo'], 'Call Tool…');
    await window.quickInput.enter(/text/, 'seen in the editor');
    await window.webview(/seen in the editor/);
    assert.equal(log.runs('echo'), 1);
    await window.close();
    log.dispose();
  });

  it('restarts the edited server only, and its tree follows [CFG-10a, UI-1g]', async () => {
    const [first, second] = [fixtureLog(), fixtureLog()];
    const one = fixtureCommand('small-legacy', undefined, first);
    const two = fixtureCommand('small-legacy', undefined, second);
    const { window, file } = await openApproved({ one, two });
    await window.mcp.expand(['two']);
    await writeFile(file, JSON.stringify(configOf({ one: { ...one, env: { NEW: '1' } }, two })));
    await window.mcp.waitFor(['one'], ({ description }) => description === 'changed, needs your approval');
    await window.mcp.pressAction(['one'], 'Review and Approve…');
    await window.dialog.press(/one/, 'Run Once');
    await eventually(() => first.events('start').length === 2, patience, 'the second start of the edited server');
    await window.mcp.waitFor(['one'], ({ description }) => description.includes('tools'));
    assert.equal(second.events('start').length, 1);
    assert.deepEqual(second.events('exit'), []);
    assert.equal((await window.mcp.waitFor(['two'])).expanded, true);
    await window.close();
    first.dispose();
    second.dispose();
  });

  it('keeps everything running while the file is broken, shows line and column, and opens the place [CFG-4c, CFG-4e, CFG-4f]', async () => {
    const log = fixtureLog();
    const server = fixtureCommand('small-legacy', undefined, log);
    const { window, file } = await openApproved({ demo: server });
    const good = await readFile(file, 'utf8');
    await writeFile(file, '{\n  "version": 3,\n  "mcpServers": { "demo": oops }\n}\n');
    const row = await window.mcp.waitFor(['.roundhouse/mcp.json']);
    assert.match(row.description, /^line 3, column \d+$/);
    assert.match((await window.mcp.waitFor(['demo'])).description, /tools/);
    assert.deepEqual(log.events('exit'), []);
    assert.equal(log.events('start').length, 1);
    await window.page.getByRole('button', { name: '1 broken MCP configuration' }).click();
    assert.match(await window.editorText('mcp.json'), /oops/);
    await window.page.getByRole('button', { name: /Ln 3, Col/ }).waitFor();
    await writeFile(file, good);
    await eventually(
      async () => (await window.mcp.find(['.roundhouse/mcp.json'])) === undefined,
      patience,
      'the end of the problem',
    );
    assert.equal(log.events('start').length, 1);
    await window.close();
    log.dispose();
  });

  it('tells when a server that ended is started again, with what it printed, and starts it at once when asked [UI-1b]', async () => {
    const log = fixtureLog();
    const { window } = await session.openProject({ loops: fixtureCommand('exit-after-initialize', undefined, log) });
    await window.grantTrust();
    await window.mcp.waitFor(['loops'], ({ description }) => description === 'needs your approval');
    await window.approve();
    // The third wait: long enough for any machine to press the button.
    await window.mcp.waitFor(['loops'], ({ description }) => /^restarts in (20|15) s$/.test(description));
    await window.mcp.expand(['loops']);
    const { name } = await window.mcp.waitFor(['loops', 'ended, code 4']);
    assert.match(name, /Server "loops" ended \(code 4\)/);
    await window.mcp.pressAction(['loops'], 'Retry Now');
    // A person's start counts anew: the fourth wait would be 30 s.
    await window.mcp.waitFor(['loops'], ({ description }) => description === 'restarts in 5 s');
    await eventually(() => log.events('start').length >= 4, patience, 'the start that was asked for');
    await window.close();
    log.dispose();
  });

  it('gives each broken server its own reason and remedy while the others work [UI-1b]', async () => {
    const { window, file } = await openApproved({ good: fixtureCommand('small-legacy') });
    const servers = {
      good: fixtureCommand('small-legacy'),
      gone: { command: 'no-such-command-here' },
      dies: fixtureCommand('exit-at-start'),
      policy: { command: 'node', env: { NODE_OPTIONS: '--require ./evil.js' } },
      ruled: { ...fixtureCommand('small-legacy'), toolPolicies: { delte: 'deny' } },
    };
    const text = JSON.stringify(configOf(servers), undefined, 2);
    await writeFile(file, text);
    await window.mcp.waitFor(['dies'], ({ description }) => description === 'needs your approval');
    await window.approve();
    await window.mcp.waitFor(['gone'], ({ description }) => description === 'command not found');
    await window.mcp.waitFor(['dies'], ({ description }) => description === 'ended at its start, code 1');
    await window.mcp.waitFor(['policy'], ({ description }) => description === 'refused: env.NODE_OPTIONS');
    await window.mcp.waitFor(['ruled'], ({ icon }) => icon === 'warning');
    assert.match((await window.mcp.waitFor(['good'])).description, /tools/);
    const reasons: Record<string, readonly [shown: RegExp, spoken: RegExp]> = {
      gone: [/^Install it/, /no-such-command-here .* was not found.*Install it/],
      dies: [/^Read what it printed last/, /ended before it was ready/],
      policy: [/^env sets NODE_OPTIONS/, /^Server "policy" is refused/],
    };
    for (const [id, [shown, spoken]] of Object.entries(reasons)) {
      await window.mcp.expand([id]);
      assert.match((await window.mcp.waitFor([id, shown])).name, spoken);
      await window.mcp.collapse([id]);
    }
    assert.equal((await window.mcp.waitFor(['gone'])).name, 'gone, failed: command not found');
    assert.match(await window.mcp.tooltip(['gone']), /was not found.*Install it, or write its full path/s);
    await window.mcp.expand(['ruled']);
    await window.mcp.click(['ruled', /^No such tool/]);
    assert.match(await window.editorText('mcp.json'), /delte/);
    await window.page
      .getByRole('button', { name: `Ln ${text.split('"delte"')[0]!.split('\n').length}, Col` })
      .waitFor();
    await window.close();
  });

  it('puts servers of the person and of the folder into sections, and says whose definition serves [CFG-9d, UI-1a]', async () => {
    const server = fixtureCommand('small-legacy');
    const { window, folder } = await session.openProject({ both: server });
    await window.mcp.waitFor(['both']);
    await window.runCommand('MCP Roundhouse: Open User Configuration');
    assert.match(await window.editorText('mcp.json'), /"mcpServers": \{\}/);
    await session.writeUserServers({ both: server, mine: server });
    await window.mcp.waitFor(['User', 'both'], ({ description }) => description.includes('in place of the project’s'));
    await window.approve();
    for (const id of ['both', 'mine']) {
      await window.mcp.waitFor(['User', id], ({ description }) => description.includes('tools'));
    }
    await window.grantTrust();
    const name = folder.split('/').pop()!;
    await window.mcp.waitFor([name, 'both'], ({ description }) => description === 'needs your approval');
    await window.mcp.pressAction([name, 'both'], 'Review and Approve…');
    await window.dialog.press(/both/, 'Run Once');
    await window.mcp.waitFor([name, 'both'], ({ description }) => description.includes('tools'));
    await window.mcp.waitFor(['User', 'both'], ({ description }) =>
      description.includes('the project’s definition is used'),
    );
    await session.writeUserServers({});
    await window.close();
  });

  it('leaves hostile names and descriptions inert in rows and tooltips [UI-1h]', async () => {
    const evil = 'x\u202E [a](command:workbench.action.quit) <img src="https://evil.example/x"> $(flame)';
    const raw = [{ name: 'evil', description: evil, inputSchema: { type: 'object' } }];
    const { window } = await openApproved({ demo: fixtureCommand('small-legacy', { tools: { raw } }) });
    await window.mcp.expand(['demo', 'Tools']);
    const row = await window.mcp.waitFor(['demo', 'Tools', 'evil']);
    assert.match(row.description, /\[U\+202E\]/);
    const requests: string[] = [];
    window.page.on('request', (request) => requests.push(request.url()));
    assert.match(await window.mcp.tooltip(['demo', 'Tools', 'evil']), /command:workbench\.action\.quit/);
    assert.equal(await window.page.locator('.monaco-hover a, .monaco-hover img').count(), 0);
    assert.ok(requests.every((url) => !url.includes('evil.example')));
    await window.close();
  });

  it('checks a file while it is edited: by its schema, and by rules of our own [CFG-12a, CFG-12b]', async () => {
    const both = { command: 'node', url: 'https://mcp.invalid', enabled: 'yes' };
    const { window } = await session.openProject({ odd: both });
    await window.mcp.click(['.roundhouse/mcp.json']);
    await window.editorText('mcp.json');
    await window.runCommand('View: Focus Problems (Errors, Warnings, Infos)');
    const problems = window.page.getByRole('tree', { name: /Showing \d+ problems/ });
    await problems.getByText('MCP Roundhouse').first().waitFor();
    await problems.getByText(/Incorrect type\. Expected "boolean"/).waitFor();
    await window.close();
  });

  it('gives each folder of a workspace its own file, and says which of two definitions is in the way [CFG-9e, CFG-9g]', async () => {
    const [one, two] = [fixtureCommand('small-legacy'), fixtureCommand('all-kinds-paged')];
    const folder = await session.makeFolder({
      [`a/${projectFile}`]: configOf({ same: one, only: one }),
      [`b/${projectFile}`]: configOf({ same: two }),
      'both.code-workspace': { folders: [{ path: 'a' }, { path: 'b' }] },
    });
    const window = await session.openWindow({ folder: join(folder, 'both.code-workspace') });
    await window.mcp.open();
    await window.mcp.waitFor(['a', 'only']);
    await window.mcp.waitFor(['b', 'same'], ({ description }) => description === 'defined twice');
    await window.mcp.expand(['b', 'same']);
    await window.mcp.waitFor(['b', 'same', /is defined differently in .*a.*mcp\.json/]);
    await window.close();
  });

  it('shows what a stopped server offered, also after a reload of the window, until its definition changes [DISC-8a, DISC-8c]', async () => {
    const log = fixtureLog();
    const kept = fixtureCommand('small-legacy', undefined, log);
    await session.writeUserServers({ kept });
    const { window } = await session.openProject();
    await window.mcp.waitFor(['kept']);
    await window.approve('remember');
    await window.mcp.waitFor(['kept'], ({ description }) => description.includes('tools'));
    await window.mcp.pressAction(['kept'], 'Stop Server');
    await window.mcp.waitFor(['kept'], ({ description }) => description === 'stopped');
    await window.mcp.expand(['kept', 'Tools']);
    await window.mcp.waitFor(['kept', 'Tools', 'echo']);
    await window.reload();
    await window.mcp.open();
    await window.mcp.waitFor(
      ['kept'],
      ({ description, expanded }) => description === 'stopped' && expanded !== undefined,
    );
    assert.equal(log.events('start').length, 1);
    await session.writeUserServers({ kept: { ...kept, env: { CHANGED: '1' } } });
    await window.mcp.waitFor(['kept'], ({ description }) => description === 'changed, needs your approval');
    const below = await window.mcp.expand(['kept']);
    assert.deepEqual(
      below.filter(({ label }) => label === 'Tools'),
      [],
    );
    await session.writeUserServers({});
    await window.close();
    log.dispose();
  });
});
