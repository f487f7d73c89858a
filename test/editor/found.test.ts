// Servers in the files of other clients, in the real editor: shown, taken over with one choice and one approval, given back.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { WindowDescriptor } from '../../src/contract/windowDescriptor.ts';
import { type EditorSession, useEditorSession } from '../support/editorSession.ts';
import type { EditorWindow } from '../support/editorWindow.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';

const canary = 'c4nary-Wert-0815-geheim';

describe('servers found in other clients’ files', () => {
  let session: EditorSession;
  useEditorSession((started) => (session = started));

  beforeEach(async () => {
    await rm(join(session.home, '.mcp-roundhouse', 'mcp.json'), { force: true });
    await rm(join(session.home, '.mcp-roundhouse', 'agents'), { recursive: true, force: true });
  });

  const cursorFile = (): string => join(session.home, '.cursor', 'mcp.json');
  const codexFile = (): string => join(session.home, '.codex', 'config.toml');
  const small = (): { command: string; args: string[] } => fixtureCommand('small-both');

  async function write(path: string, text: string): Promise<string> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return text;
  }

  const toml = (name: string, { command, args }: { command: string; args: readonly string[] }): string =>
    `[mcp_servers.${name}] # kept\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;

  it('are read only until they are chosen, run here once approved, and go back byte by byte [GATE-9a, GATE-9b]', async () => {
    const alpha = { ...small(), env: { HUB_TOKEN: canary } };
    const servers = { alpha, odd: { url: 'http://elsewhere.example/mcp' } };
    const cursor = await write(cursorFile(), `// mine\n${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`);
    const codex = await write(
      codexFile(),
      `model = "x"\n\n${toml('beta', fixtureCommand('basic-both'))}\n${toml('gamma', small())}`,
    );
    await write(join(session.home, '.gemini', 'settings.json'), '{\n  "mcpServers": {\n');
    const { window } = await session.openProject();
    await window.mcp.waitFor(['Found Servers'], ({ description }) => description === '3 to take over, 1 cannot be');
    await window.mcp.expand(['Found Servers', 'Cursor']);
    await window.mcp.expand(['Found Servers', 'Codex']);
    await window.mcp.expand(['Found Servers', 'Gemini CLI']);
    const { name } = await window.mcp.waitFor(['Found Servers', 'Cursor', 'odd']);
    assert.match(name, /cannot be taken over: not allowed here/);
    await window.mcp.waitFor(['Found Servers', 'Gemini CLI', 'Cannot be read']);
    assert.ok(!(await window.mcp.text()).includes(canary));
    assert.match(await window.mcp.tooltip(['Found Servers', 'Codex', 'beta']), /switched off in/);
    assert.deepEqual(session.extensionChildren(), []);
    await window.screenshot('found-tree-light');

    await window.mcp.pressAction(['Found Servers', 'Codex', 'beta'], 'Take Over Servers…');
    await window.quickInput.waitFor(/Take Over Servers/);
    await window.screenshot('found-choice-one-light');
    await window.quickInput.cancel(/Take Over Servers/);
    await closed(window);
    assert.deepEqual([await readFile(cursorFile(), 'utf8'), await readFile(codexFile(), 'utf8')], [cursor, codex]);

    // From the palette nobody said which: none is chosen, and OK does nothing.
    await window.runCommand('MCP Roundhouse: Take Over Servers…');
    await window.quickInput.waitFor('Take Over Servers: none is chosen');
    await window.screenshot('found-choice-none');
    await window.quickInput.accept();
    await window.quickInput.fill(/Take Over Servers/, 'alpha');
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Space');
    await window.quickInput.waitFor('Take Over Servers (1): alpha');
    await window.page.getByText('secret:alpha.HUB_TOKEN').first().waitFor();
    await window.quickInput.fill(/Take Over Servers/, 'beta');
    await window.quickInput.waitFor('Take Over Servers (1): alpha');
    // What is chosen is not in sight: OK shows it, and writes nothing yet.
    await window.quickInput.accept();
    const whole = await window.quickInput.waitFor('Take Over Servers (1): alpha – OK again to take over');
    assert.deepEqual(
      whole.items.map(({ label }) => label),
      ['alpha', 'beta', 'gamma'],
    );
    await window.screenshot('found-choice');
    assert.deepEqual([await readFile(cursorFile(), 'utf8'), await readFile(codexFile(), 'utf8')], [cursor, codex]);
    assert.ok(!(await window.page.content()).includes(canary));
    // The keyboard stayed in the list, however the changes came up.
    assert.equal(await window.page.evaluate(isInList), true);
    await window.quickInput.pickMany(/Take Over Servers/, ['alpha', 'beta']);
    const { detail } = await window.dialog.waitFor(/Run these 2 servers/);
    assert.match(detail, /\$\{secret:alpha\.HUB_TOKEN\}/);
    assert.ok(!detail.includes(canary));
    await window.dialog.press(/Run these 2 servers/, 'Run All Once');
    await window.mcp.waitFor(['alpha'], ({ description }) => description.includes('tool'));
    await window.mcp.waitFor(['beta'], ({ description }) => description.includes('tool'));
    await window.notifications.waitFor(
      /2 servers taken over: alpha, beta\. Not connected, so without them now: Cursor, Codex\./,
    );
    await window.screenshot('found-taken-over');
    assert.ok(!(await readFile(session.userFile, 'utf8')).includes(canary));
    assert.ok(!(await readFile(cursorFile(), 'utf8')).includes('alpha'));
    const beta = toml('beta', fixtureCommand('basic-both'));
    assert.equal(await readFile(codexFile(), 'utf8'), codex.replace(beta, `${beta}enabled = false\n`));
    assert.deepEqual(await window.editorTitles(), []);
    await window.mcp.waitFor(['Found Servers', 'Codex', 'beta'], ({ description }) =>
      description.startsWith('yours already'),
    );

    await window.notifications.press(/2 servers taken over/, 'Connect an Agent');
    await window.quickInput.cancel(/Choose the agent/);

    await window.runCommand('MCP Roundhouse: Undo Take Over…');
    await window.quickInput.waitFor(/Undo Take Over/);
    await window.screenshot('found-undo');
    await window.quickInput.pick(/Undo Take Over/, /alpha, beta/);
    await window.notifications.waitFor(/Undone: alpha, beta/);
    assert.deepEqual([await readFile(cursorFile(), 'utf8'), await readFile(codexFile(), 'utf8')], [cursor, codex]);
    await window.mcp.waitFor(['Found Servers'], ({ description }) => description === '3 to take over, 1 cannot be');
    assert.equal(await window.mcp.find(['alpha']), undefined);
    await window.close();
  });

  it('are told apart in dark and in high contrast, and where there is little room', async () => {
    await write(
      cursorFile(),
      JSON.stringify({ mcpServers: { hub: small(), odd: { url: 'http://elsewhere.example/mcp' } } }),
    );
    await write(codexFile(), toml('beta', fixtureCommand('basic-both')));
    const { window } = await session.openProject();
    await window.mcp.expand(['Found Servers', 'Cursor']);
    const choose = async (name: string): Promise<void> => {
      await window.mcp.pressAction(['Found Servers', 'Codex'], 'Take Over Servers…');
      await window.quickInput.waitFor(/Take Over Servers/);
      await window.page.getByText('enabled = false').first().waitFor({ state: 'attached' });
      await window.screenshot(`found-choice-${name}`);
      await window.quickInput.cancel(/Take Over Servers/);
      await closed(window);
    };
    for (const theme of ['dark', 'highContrastDark', 'highContrastLight'] as const) {
      await window.setTheme(theme);
      await choose(theme);
    }
    await window.resize(480);
    await window.mcp.waitFor(['Found Servers', 'Cursor', 'odd']);
    await choose('narrow');
    await window.close();
  });

  it('of which there are five cost two questions until an agent’s first call [QUAL-26]', async () => {
    const names = ['one', 'two', 'three', 'four', 'five'];
    const mcpServers = Object.fromEntries(names.slice(0, 3).map((name) => [name, { ...small(), env: { NAME: name } }]));
    await write(cursorFile(), JSON.stringify({ mcpServers }));
    await write(
      codexFile(),
      names
        .slice(3)
        .map((name) => `${toml(name, small())}env = { NAME = "${name}" }\n`)
        .join('\n'),
    );
    await write(join(session.home, '.gemini', 'settings.json'), '{}');
    const { window } = await session.openProject();
    await window.grantTrust();
    await window.mcp.waitFor(['Found Servers'], ({ description }) => description === '5 to take over');
    let questions = 0;
    const answered = async (wanted: RegExp, answer: () => Promise<void>): Promise<void> => {
      const asked = async (): Promise<boolean> => {
        const texts = [(await window.quickInput.state())?.title, (await window.dialog.state())?.message];
        return texts.some((text) => text !== undefined && wanted.test(text));
      };
      await eventually(asked, patience, `the question ${String(wanted)}`);
      questions += 1;
      await answer();
    };
    await window.mcp.pressAction(['Found Servers'], 'Take Over Servers…');
    await answered(/Take Over Servers/, () => window.quickInput.pickMany(/Take Over Servers/, names));
    await answered(/Run these 5 servers/, async () => {
      await window.screenshot('found-approve-five');
      await window.quickInput.pick(/Run these 5 servers/, 'Remember All');
    });
    for (const name of names) {
      await window.mcp.waitFor([name], ({ description }) => description.includes('tool'));
    }
    const tools = await toolsOfAgent(session.home);
    assert.equal(
      names.filter((name) => tools.some((tool) => tool.startsWith(`mcp__${name}__`))).length,
      5,
      tools.join(),
    );
    assert.equal(await window.dialog.state(), undefined);
    assert.equal(await window.quickInput.state(), undefined);
    assert.equal(questions, 2);
    await window.close();
  });
});

/** The changes went, and no editor is left to take the keyboard: the view has it. */
async function closed(window: EditorWindow): Promise<void> {
  await eventually(async () => (await window.editorTitles()).length === 0, patience, 'the end of the changes');
  await eventually(() => window.page.evaluate(isInTree), patience, 'the focus in the view');
}

function isInList(): boolean {
  return document.activeElement?.closest('.quick-input-widget') !== null;
}

function isInTree(): boolean {
  return document.activeElement?.closest('.sidebar .monaco-list') !== null;
}

/** What an agent is offered that comes through the window's gateway. */
async function toolsOfAgent(home: string): Promise<readonly string[]> {
  const folder = join(home, '.mcp-roundhouse', 'windows');
  const look = async (): Promise<WindowDescriptor | undefined> => {
    const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
    const [file] = files;
    return file === undefined
      ? undefined
      : (JSON.parse(await readFile(join(folder, file), 'utf8')) as WindowDescriptor);
  };
  const { url, token } = await eventually(look, patience, 'the window’s address');
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const send = async (body: object, more: Record<string, string> = {}): Promise<Response> =>
    await fetch(`${url}/mcp`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const clientInfo = { name: 'agent', version: '1' };
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const opened = await send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize });
  const sessionId = { 'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '' };
  await opened.text();
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' }, sessionId);
  const listed = await send({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }, sessionId);
  const { result } = (await listed.json()) as { result: { tools: { name: string }[] } };
  const names = result.tools.map(({ name }) => name);
  const called = names.find((name) => name.startsWith('mcp__') && name.endsWith('__echo'));
  const call = await send(
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: called, arguments: { text: 'hello' } } },
    sessionId,
  );
  const { result: answer } = (await call.json()) as { result: { isError?: boolean; content: unknown } };
  assert.deepEqual([answer.isError ?? false, JSON.stringify(answer.content).includes('hello')], [false, true]);
  return names;
}
