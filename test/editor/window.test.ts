import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { captureFailures, type EditorSession, startEditorSession } from '../support/editorSession.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { stillThere } from '../support/processTable.ts';

const config = '.roundhouse/mcp.json';

describe('a window of the editor', function () {
  this.timeout(180_000);
  let session: EditorSession;
  before(async () => {
    session = await startEditorSession();
  });
  after(() => session.stop());
  captureFailures(() => session);

  async function writeUserFile(mcpServers: Record<string, unknown>): Promise<void> {
    const file = join(session.home, '.mcp-roundhouse', 'mcp.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ version: 3, mcpServers }));
  }

  it('never says that there are no servers while it reads the configuration [UI-1j]', async () => {
    const ids = Array.from({ length: 400 }, (_, index) => `server-${index}`);
    const mcpServers = Object.fromEntries(ids.map((id) => [id, { command: 'node' }] as const));
    const folder = await session.makeFolder({ [config]: { version: 3, mcpServers } });
    const window = await session.openWindow({ folder });
    await window.mcp.open();
    await window.mcp.waitFor(['server-0']);
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

  it('keeps remote servers off whatever a folder’s settings and files say [TRUST-7b]', async () => {
    const folder = await session.makeFolder({
      '.vscode/settings.json': { 'roundhouse.remote.enabled': true },
      [config]: { version: 3, mcpServers: { far: { url: 'https://mcp.invalid/x' } } },
    });
    const window = await session.openWindow({ folder });
    await window.mcp.open();
    await window.mcp.waitFor(['far'], ({ description }) => description === 'workspace not trusted');
    await window.grantTrust();
    await window.mcp.waitFor(['far'], ({ description }) => description === 'remote servers are off');
    assert.equal((await window.mcp.waitFor(['far'])).description, 'remote servers are off');
    await window.close();
  });

  it('ends with itself the process of a diagnosis that is under way', async () => {
    const log = fixtureLog();
    const stubborn = { process: { ignoreStdinEnd: true, ignoreSigterm: true } };
    await writeUserFile({ stuck: fixtureCommand('silent', stubborn, log) });
    const window = await session.openWindow({ folder: await session.makeFolder({}) });
    await window.mcp.open();
    await window.mcp.chooseFromMenu(['stuck'], 'Test Server');
    const [started] = await eventually(
      () => (log.events('start').length > 0 ? log.events('start') : undefined),
      30_000,
      'the process of the test',
    );
    await window.close();
    await eventually(() => stillThere([started!.pid]).length === 0, 15_000, 'its end with the window');
    await writeUserFile({});
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
    await writeUserFile({ demo: fixtureCommand('small-legacy', { tools: { raw } }) });
    const window = await session.openWindow({ folder: await session.makeFolder({}) });
    await window.mcp.open();
    await window.mcp.pressAction(['demo'], 'Start Server');
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
