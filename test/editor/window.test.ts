import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { repository } from '../../scripts/lib/places.mjs';
import { type EditorSession, useEditorSession } from '../support/editorSession.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { canary, otherValue, settingsOf } from '../support/manifestSettings.ts';
import { patience } from '../support/patience.ts';
import { childrenOf, processesWithEnvironment, stillThere } from '../support/processTable.ts';

describe('a window of the editor', () => {
  let session: EditorSession;
  // Saving is left to the person, as it is on a desktop.
  useEditorSession(
    (started) => (session = started),
    () => ({ settings: { 'files.autoSave': 'off' }, env: { [canary]: 'x' } }),
  );

  it('never says that there are no servers while it reads the configuration [UI-1j]', async () => {
    const ids = Array.from({ length: 400 }, (_, index) => `server-${index}`);
    const mcpServers = Object.fromEntries(ids.map((id) => [id, { command: 'node' }] as const));
    const { window } = await session.openProject(mcpServers);
    await window.mcp.waitFor(['server-0']);
    // The words for an empty view are those of a trusted window only.
    await window.grantTrust();
    await window.mcp.waitFor(['server-0'], ({ description }) => description !== 'workspace not trusted');
    await window.page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { seenTexts: seen });
      const look = (): void => {
        const text = document.documentElement.innerText;
        if (text.includes('No MCP servers')) seen.push('none');
        if (text.includes('server-0')) seen.push('server');
        if (!seen.includes('server')) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await window.reload();
    await window.mcp.waitFor(['server-0']);
    const seen = await window.page.evaluate(() => (globalThis as unknown as { seenTexts: string[] }).seenTexts);
    assert.deepEqual(seen, ['server']);
    await window.close();
  });

  it('runs, reaches and lends no more for a folder that is hostile in its settings and its servers [TRUST-1c, TRUST-7b, TRUST-8a]', async () => {
    const log = fixtureLog();
    const requests: string[] = [];
    const host = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    // Each of our settings says what it does not say by itself.
    const manifest: unknown = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    const settings = Object.fromEntries(settingsOf(manifest).map(([id, property]) => [id, otherValue(property)]));
    const { command, args } = fixtureCommand('small-legacy', undefined, log);
    const { window } = await session.openProject(
      {
        demo: { command, args, env: { TAKEN: '${env:HOME}' }, envFile: '.env', autostart: true },
        near: { url: `${origin}/?home=\${env:HOME}`, headers: { 'X-A': '${env:HOME}' }, autostart: true },
        far: { url: 'https://mcp.invalid/x', autostart: true },
      },
      { '.vscode/settings.json': settings, '.env': 'A=1\n' },
    );
    for (const id of ['demo', 'near', 'far'])
      await window.mcp.waitFor([id], ({ description }) => description === 'workspace not trusted');
    assert.deepEqual([log.events(), requests, fixturesOf(session)], [[], [], []]);

    await window.grantTrust();
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'needs your approval');
    for (const id of ['near', 'far'])
      await window.mcp.waitFor([id], ({ description }) => description === 'remote servers are off');
    assert.deepEqual([log.events(), requests, fixturesOf(session)], [[], [], []]);

    await window.approve();
    await window.mcp.waitFor(['demo'], ({ description }) => description.includes('tools'));
    await window.mcp.expand(['demo', 'Tools']);
    await window.mcp.pressAction(['demo', 'Tools', 'echo'], 'Call Tool…');
    await window.quickInput.enter(/text/, 'the only call');
    await window.webview(/the only call/);
    const [started] = log.events('start');
    assert.equal(log.events('start').length, 1);
    const holders = processesWithEnvironment(canary).map(({ pid }) => pid);
    assert.ok(holders.includes(window.extensionHost));
    assert.ok(!holders.includes(started!.pid), 'a folder lets no variable through to a server');
    assert.ok(!existsSync(join(session.home, '.mcp-roundhouse', 'journal')), 'nor does it turn the journal on');
    assert.deepEqual(requests, []);
    await window.close();
    await new Promise((resolve) => host.close(resolve));
    log.dispose();
  });

  it('comes back without the documents that it kept in memory, and with the arguments that were typed', async () => {
    const log = fixtureLog();
    await session.writeUserServers({ demo: fixtureCommand('small-legacy', undefined, log) });
    const { window } = await session.openProject();
    await window.approve('remember');
    await window.mcp.waitFor(['demo'], ({ description }) => description.includes('tool'));
    await window.mcp.expand(['demo', 'Tools']);
    await window.mcp.pressAction(['demo', 'Tools', 'echo'], 'Call Tool…');
    await window.quickInput.waitFor(/text/);
    await window.page.getByRole('button', { name: 'Edit as JSON' }).click();
    await window.editorText(/echo/);
    await window.page.keyboard.press('Control+a');
    const typed = 'still being typed';
    await window.page.keyboard.type(`{ "text": "${typed}`);
    await window.mcp.chooseFromMenu(['demo', 'Tools', 'add'], 'Show Definition');
    await window.editorText(/add/);
    // A window of the web ends without waiting for what the editor has yet to put by.
    await eventually(() => isPutBy(session.server.userData, typed), patience, 'the backup of what was typed');
    await window.reload();
    await window.mcp.waitFor(['demo']);
    await eventually(
      async () => (await window.editorTitles()).join() === 'echo',
      patience,
      'the typed arguments alone',
    );
    assert.match(await window.editorText(/echo/), /still being typed/);
    const run = window.page.getByRole('button', { name: /Run Tool with These Arguments/ });
    await run.click();
    await window.notifications.waitFor(/echo may have changed/);
    await run.click();
    await window.webview(/still being typed/);
    await window.close();
    log.dispose();
  });

  it('leaves no process 5 s after its extension host was killed, though servers and helpers ignore everything [KEEP-5b]', async () => {
    const log = fixtureLog();
    await session.writeUserServers({ deaf: fixtureCommand('stubborn-with-grandchildren', undefined, log) });
    const { window } = await session.openProject();
    await window.approve();
    await window.mcp.waitFor(['deaf'], ({ description }) => description.includes('tool'));
    const started = (): number[] => [
      ...log.events('start').map(({ pid }) => pid),
      ...log.events('grandchild').map(({ child }) => Number(child)),
    ];
    await eventually(() => started().length === 3, patience, 'the server and its helpers');
    const guard = childrenOf(window.extensionHost).find(({ command }) => command.join(' ').includes('guard.js'));
    assert.equal(guard?.command[0], '/bin/sh');
    const begin = performance.now();
    process.kill(window.extensionHost, 'SIGKILL');
    await eventually(() => stillThere([...started(), guard.pid]).length === 0, patience, 'the end of all');
    assert.equal(performance.now() - begin < 5_000, true);
    assert.deepEqual(readdirSync(join(session.home, '.mcp-roundhouse', 'owners')), []);
    await window.close();
    log.dispose();
  });

  it('ends with itself the process of a diagnosis that is under way', async () => {
    const log = fixtureLog();
    const stubborn = { process: { ignoreStdinEnd: true, ignoreSigterm: true } };
    await session.writeUserServers({ stuck: fixtureCommand('silent', stubborn, log) });
    const { window } = await session.openProject();
    const processes = (count: number): Promise<number[]> => {
      const pids = (): number[] => log.events('start').map(({ pid }) => pid);
      return eventually(() => (pids().length === count ? pids() : undefined), patience, `${count} processes`);
    };
    await window.approve(); // It starts, and never answers.
    await processes(1);
    await window.mcp.chooseFromMenu(['stuck'], 'Test Server');
    const started = await processes(2);
    await window.close();
    await eventually(() => stillThere(started).length === 0, patience, 'their end with the window');
    await session.writeUserServers({});
    log.dispose();
  });

  it('opens what a server sent as JSON without fetching the $schema that it names', async () => {
    const asked: string[] = [];
    const host = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening));
    host.unref();
    const { port } = host.address() as AddressInfo;
    const raw = [{ name: 'bait', $schema: `http://127.0.0.1:${port}/schema`, inputSchema: { type: 'object' } }];
    await session.writeUserServers({ demo: fixtureCommand('small-legacy', { tools: { raw } }) });
    const { window } = await session.openProject();
    await window.approve();
    await window.mcp.waitFor(['demo'], ({ description }) => description.includes('tool'));
    await window.mcp.expand(['demo', 'Tools']);
    await window.mcp.chooseFromMenu(['demo', 'Tools', 'bait'], 'Show Definition');
    assert.match(await window.editorText(/bait/), /"\$schema"/);
    const language = window.page.getByRole('status').getByRole('button', { name: /JSON/ });
    assert.match(await language.first().innerText(), /^JSON Lines$/);
    assert.deepEqual(asked, []);
    await window.close();
    await new Promise((closed) => host.close(closed));
  });
});

/** Whether a backup of the editor's holds this text. */
function isPutBy(userData: string, text: string): boolean {
  const backups = join(userData, 'User', 'Backups');
  if (!existsSync(backups)) return false;
  const files = readdirSync(backups, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.some(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').includes(text));
}

/** Fixtures that the editor's extensions run. */
function fixturesOf(session: EditorSession): string[] {
  return session.extensionChildren().filter((command) => command.includes('fixtures'));
}
