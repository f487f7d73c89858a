import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { type EditorSession, useEditorSession } from '../support/editorSession.ts';
import type { EditorWindow } from '../support/editorWindow.ts';
import { eventually } from '../support/eventually.ts';

const cursorFile = `{
  // Mine.
  "mcpServers": {
    "browser": { "command": "npx", "args": ["browser-mcp"] }
  }
}
`;

describe('connecting agents in the editor', () => {
  let session: EditorSession;
  useEditorSession((started) => (session = started));

  async function place(path: string, text: string): Promise<string> {
    const file = join(session.home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }

  it('is done and undone by the keyboard alone, with the change in sight before anything is written [GATE-8a, UI-2j]', async () => {
    const file = await place('.cursor/mcp.json', cursorFile);
    const { window } = await session.openProject();
    await command(window, 'Connect an Agent…');
    const { items } = await window.quickInput.waitFor(/Choose the agent/);
    const cursor = items.find(({ label }) => label === 'Cursor');
    assert.equal(cursor?.description, 'not connected');
    assert.equal(items.find(({ label }) => label === 'Zed')?.description, 'not found on this machine');
    await window.screenshot('agents-list');
    await choose(window, /Choose the agent/, 'Cursor');

    const question = await window.quickInput.waitFor(/Connect Cursor by changing ~\/\.cursor\/mcp\.json as below\?/);
    assert.deepEqual(
      question.items.map(({ label }) => label),
      ['Don’t Connect', 'Connect'],
    );
    for (const theme of ['dark', 'light', 'highContrastDark'] as const) {
      await window.quickInput.cancel(/Connect Cursor/);
      await window.setTheme(theme);
      await command(window, 'Connect an Agent…');
      await choose(window, /Choose the agent/, 'Cursor');
      await window.quickInput.waitFor(/Connect Cursor/);
      await window.pageText(/"roundhouse": \{/);
      await window.screenshot(`agents-preview-${theme}`);
    }
    // Enter is the refusal.
    await window.page.keyboard.press('Enter');
    await window.quickInput.waitUntilClosed();
    assert.equal(await readFile(file, 'utf8'), cursorFile);
    await eventually(async () => !(await window.editorTitles()).some((title) => title.startsWith('Connect Cursor')));

    await window.resize(620);
    await command(window, 'Connect an Agent…');
    await choose(window, /Choose the agent/, 'Cursor');
    await window.quickInput.waitFor(/Connect Cursor by changing ~\/\.cursor\/mcp\.json as below\?/);
    assert.match(await window.pageText(/"roundhouse": \{/), /\.mcp-roundhouse\/bin\/mcp-roundhouse"/);
    await window.screenshot('agents-preview-narrow');
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Enter');
    await window.notifications.waitFor(/Cursor is connected\. Its next session has your servers\./);
    const launcher = join(session.home, '.mcp-roundhouse', 'bin', 'mcp-roundhouse');
    const written = await readFile(file, 'utf8');
    assert.equal(written.includes('// Mine.') && written.includes('"browser": { "command": "npx"'), true);
    assert.equal(written.includes(JSON.stringify(launcher)) && written.includes('"proxy"'), true);
    await readFile(launcher);

    await command(window, 'Connect an Agent…');
    await choose(window, /Choose the agent/, 'Cursor');
    await window.notifications.waitFor(/Cursor is connected already\./);
    await command(window, 'Disconnect an Agent…');
    await choose(window, /Choose the agent/, 'Cursor');
    await window.notifications.waitFor(/Cursor is disconnected\./);
    assert.equal(await readFile(file, 'utf8'), cursorFile);
    await window.close();
  });

  it('shows the change of a file of one line to its end, in a narrow window too [GATE-8a]', async () => {
    const servers = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`server-${at}`, { command: 'npx', args: ['-y', `@scope/package-${at}`] }]),
    );
    await place('.cursor/mcp.json', JSON.stringify({ mcpServers: servers, last: true }));
    const { window } = await session.openProject();
    await window.resize(620);
    await command(window, 'Connect an Agent…');
    await choose(window, /Choose the agent/, 'Cursor');
    await window.quickInput.waitFor(/Connect Cursor by changing/);
    const page = await window.webview(/the rest of it stays as it is/);
    const { added, lines, overflow, top } = await page.evaluate(readChange);
    assert.match(added, /^,\s*"roundhouse":.*"proxy".*\}$/);
    assert.deepEqual([lines, overflow], [2, false]);
    const list = await window.page.locator('.quick-input-widget').boundingBox();
    const editor = await window.page.locator('.editor-container').first().boundingBox();
    const room = (list?.y ?? 0) + (list?.height ?? 0) - (editor?.y ?? 0);
    assert.equal(top >= room - 1, true, `${top} from the top, below a list of ${room}`);
    await window.screenshot('agents-preview-one-line');
    await window.quickInput.cancel(/Connect Cursor/);
    await window.close();
  });

  it('refuses a file that changed while it was shown, and one that is broken, and says where [GATE-8a]', async () => {
    const { window } = await session.openProject();
    const file = await place('.codeium/windsurf/mcp_config.json', '{"mcpServers":{}}');
    await command(window, 'Connect an Agent…');
    await choose(window, /Choose the agent/, 'Windsurf');
    await window.quickInput.waitFor(/Connect Windsurf/);
    await writeFile(file, '{"mcpServers":{"new":{"command":"n"}}}');
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Enter');
    await window.notifications.waitFor(/mcp_config\.json changed since its change was prepared\./);
    assert.equal(await readFile(file, 'utf8'), '{"mcpServers":{"new":{"command":"n"}}}');

    await writeFile(file, '{"mcpServers":{\n  "a": }}');
    await command(window, 'Connect an Agent…');
    await choose(window, /Choose the agent/, 'Windsurf');
    await window.notifications.waitFor(/mcp_config\.json is not well-formed: a value is expected at line 2/);
    await window.close();
  });

  it('undoes everything at once, after it said what [GATE-8c]', async () => {
    const codex = await place('.codex/config.toml', 'model = "m" # mine\n');
    const cursor = await place('.cursor/mcp.json', cursorFile);
    const { window } = await session.openProject();
    for (const name of ['Codex', 'Cursor']) {
      await command(window, 'Connect an Agent…');
      await choose(window, /Choose the agent/, name);
      await window.quickInput.waitFor(new RegExp(`Connect ${name} by`));
      await window.page.keyboard.press('ArrowDown');
      await window.page.keyboard.press('Enter');
      await window.notifications.waitFor(new RegExp(`${name} is connected\\.`));
    }
    assert.match(await readFile(codex, 'utf8'), /^model = "m" # mine\n\n\[mcp_servers\.roundhouse\]\ncommand = "/);
    await command(window, 'Disconnect All Agents');
    await window.dialog.waitFor(/Disconnect all agents: Cursor, Codex\?/);
    // What Enter presses.
    assert.equal((await window.dialog.state())?.focused, 'Keep Connected');
    await window.screenshot('agents-disconnect-all');
    await window.dialog.press(/Disconnect all agents/, 'Disconnect All');
    await window.notifications.waitFor(/Disconnected: (?:Cursor, Codex|Codex, Cursor)\./);
    assert.equal(await readFile(codex, 'utf8'), 'model = "m" # mine\n');
    assert.equal(await readFile(cursor, 'utf8'), cursorFile);
    await window.close();
  });
});

/** In the page: what is marked as added, how many lines there are, whether one is cut, and where the first word stands. */
function readChange(): { added: string; lines: number; overflow: boolean; top: number } {
  const lines = [...document.querySelectorAll('.line')];
  return {
    added: document.querySelector('ins')?.textContent ?? '',
    lines: lines.length,
    overflow: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    top: document.querySelector('nav')?.getBoundingClientRect().top ?? 0,
  };
}

/** Writes the entry as the real one does. */
const claude = `#!${process.execPath}
const { writeFileSync } = require('node:fs');
const [, , , , , name, json] = process.argv.slice(1);
writeFileSync(process.env.HOME + '/.claude.json', JSON.stringify({ mcpServers: { [name]: JSON.parse(json) } }, null, 2));
`;

describe('connecting Claude Code in the editor', () => {
  let session: EditorSession;
  useEditorSession((started) => (session = started));

  /** As a person's own programs are found: by the PATH that their shell sets. */
  async function installClaude(): Promise<string> {
    const programs = join(session.home, 'programs');
    await mkdir(programs);
    await writeFile(join(programs, 'claude'), claude);
    await chmod(join(programs, 'claude'), 0o755);
    for (const name of ['.profile', '.bashrc', '.zshenv'])
      await writeFile(join(session.home, name), `PATH="${programs}:$PATH"\n`);
    return programs;
  }

  it('shows the whole command on a page before it runs [GATE-8a]', async () => {
    const programs = await installClaude();
    const { window } = await session.openProject();
    await command(window, 'Connect an Agent…');
    await choose(window, /Choose the agent/, 'Claude Code');
    const question = await window.quickInput.waitFor(/Connect Claude Code to MCP Roundhouse\?/);
    assert.deepEqual(
      question.items.map(({ label }) => label),
      ['Don’t Connect', 'Run the Command'],
    );
    const launcher = join(session.home, '.mcp-roundhouse', 'bin', 'mcp-roundhouse');
    const json = JSON.stringify({ type: 'stdio', command: launcher, args: ['proxy'] });
    const shown = `${join(programs, 'claude')} mcp add-json --scope user roundhouse '${json}'`;
    await eventually(async () => {
      const texts = await Promise.all(
        window.page.frames().map((frame) =>
          frame
            .locator('body')
            .innerText({ timeout: 500 })
            .catch(() => ''),
        ),
      );
      return texts.some((text) => text.replace(/\s+/g, ' ').includes(shown));
    });
    await window.screenshot('agents-command');
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Enter');
    await window.notifications.waitFor(/Claude Code is connected\./);
    const written = JSON.parse(await readFile(join(session.home, '.claude.json'), 'utf8')) as object;
    assert.deepEqual(written, { mcpServers: { roundhouse: JSON.parse(json) as object } });
    await window.close();
  });
});

/** From the palette, without a mouse. */
async function command(window: EditorWindow, title: string): Promise<void> {
  await window.page.keyboard.press('F1');
  await window.quickInput.fill(/Type the name of a command/, `>MCP Roundhouse: ${title}`);
  await eventually(async () => (await window.quickInput.state())?.items[0]?.label === `MCP Roundhouse: ${title}`);
  await window.page.keyboard.press('Enter');
}

async function choose(window: EditorWindow, list: RegExp, name: string): Promise<void> {
  await window.quickInput.waitFor(list);
  await window.page.keyboard.type(name);
  await eventually(async () => (await window.quickInput.state())?.items[0]?.label === name);
  await window.page.keyboard.press('Enter');
}
