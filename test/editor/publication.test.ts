import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { repository } from '../../scripts/lib/places.mjs';
import { openWindows, windowsFolder } from '../../src/gateway/windowFiles.ts';
import { type EditorSession, useEditorSession } from '../support/editorSession.ts';
import type { EditorWindow } from '../support/editorWindow.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';

/** A tool of the editor, as its own agent has it. */
interface EditorTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: { readonly properties?: object };
}

/** Tools whose schemas the editor would leave out, each without a word. */
const refused = [
  { name: 'with-a-draft-of-its-own', inputSchema: { $schema: 'https://example.com/schema', type: 'object' } },
  { name: 'with-a-wrong-type', description: 'x', inputSchema: { properties: { a: { type: 'any', required: true } } } },
];
const long = 'a-name-that-is-longer-than-forty-six-characters-';

describe('the servers that the editor’s own agent gets', () => {
  let session: EditorSession;
  useEditorSession(
    (started) => (session = started),
    () => ({ others: [join(repository, 'fixtures', 'extensions', 'agent')] }),
  );

  it('are those that a person approved, one definition each, by their labels; they start without a dialog, with all their tools, and the token is written down nowhere [GATE-7a, GATE-7b, GATE-7c]', async () => {
    const log = fixtureLog();
    const names = [`${long}1`, `${long}2`, 'dotted.name'];
    const overrides = { tools: { library: ['echo', 'big'], names, raw: refused } };
    const { window, folder } = await session.openProject({
      'chrome-devtools': fixtureCommand('small-legacy', overrides, log),
      later: { ...fixtureCommand('small-legacy'), enabled: false },
    });
    await window.waitUntilRestricted();
    assert.deepEqual(await listed(window), []);
    await window.grantTrust();
    await window.mcp.waitFor(['chrome-devtools'], ({ description }) => description === 'needs your approval');
    assert.deepEqual(await listed(window), []);
    await window.approve('remember');
    await window.mcp.waitFor(['chrome-devtools'], ({ description }) => description.includes('tools'));
    await shows(window, ['chrome_483a: Stopped']);

    const output = await start(window, 'chrome_483a');
    assert.equal(await window.dialog.state(), undefined);
    await shows(window, ['chrome_483a: Running']);
    const tools = await agentTools(window, folder, 7);
    assert.deepEqual(tools.map(({ name }) => name.replace(/_[0-9a-f]{8}$/, '_#')).sort(), [
      'mcp_chrome_483a_a-name-that-is-longer-than-forty-six-_#',
      'mcp_chrome_483a_a-name-that-is-longer-than-forty-six-_#',
      'mcp_chrome_483a_big',
      'mcp_chrome_483a_dotted_name_#',
      'mcp_chrome_483a_echo',
      'mcp_chrome_483a_with-a-draft-of-its-own',
      'mcp_chrome_483a_with-a-wrong-type',
    ]);
    for (const { name, description, inputSchema } of tools) {
      assert.ok(name.length <= 64);
      assert.doesNotMatch(description, /^(<empty>)?$/);
      assert.equal(typeof inputSchema?.properties, 'object', name);
    }
    assert.match(output, /Discovered 7 tools/);
    assert.doesNotMatch(output, /\[(warning|error)\]/);
    await window.screenshot('published-output');

    const echoed = await callAsAgent(window, folder, 'mcp_chrome_483a_echo', { text: 'from the editor’s agent' });
    assert.match(echoed, /from the editor’s agent/);
    assert.deepEqual([log.runs('echo'), log.asked('initialize')], [1, 1]);

    const [descriptor] = await openWindows(join(session.home, '.mcp-roundhouse'));
    const token = descriptor?.token ?? assert.fail('no window can be found');
    const kept = await eventually(
      async () => (await everythingKept(window)).find((text) => text.includes('/vscode/chrome-devtools')),
      patience,
      'the definition in the editor’s own state',
    );
    assert.doesNotMatch(kept, /Bearer|uthorization/);
    for (const text of await everythingKept(window)) assert.equal(text.includes(token), false, text.slice(0, 200));
    const own = windowsFolder(join(session.home, '.mcp-roundhouse'));
    const holders = (await filesWith(session.server.folder, token)).filter((file) => !file.startsWith(own));
    assert.deepEqual(holders, []);
    await window.close();
    log.dispose();
  });

  it('have another version once their tools changed, which the editor hears of while it is connected; they come back with the window [GATE-7d]', async () => {
    const log = fixtureLog();
    const rules = [{ on: 'tools/call:echo', times: 1, change: { add: ['count'] } }];
    const behaviour = { tools: { library: ['echo', 'add'] }, rules };
    const { window, folder } = await session.openProject({ demo: fixtureCommand('changes', behaviour, log) });
    await window.grantTrust();
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'needs your approval');
    await window.approve('remember');
    await window.mcp.waitFor(['demo'], ({ description }) => description.includes('tools'));
    await shows(window, ['demo: Stopped']);
    await start(window, 'demo');
    await agentTools(window, folder, 2);
    const before = await version(window);

    await callAsAgent(window, folder, 'mcp_demo_echo', { text: 'change' });
    await agentTools(window, folder, 3);
    await shows(window, ['demo: Running']);
    assert.equal(await version(window), before);
    await act(window, 'demo', 'Stop Server');
    const after = await risen(window, before);
    await start(window, 'demo');
    await shows(window, ['demo: Running']);

    await eventually(async () => (await window.keptState()).includes(String(after)), patience, 'the version put by');
    await window.reload();
    await window.mcp.open();
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'stopped');
    await shows(window, ['demo: Stopped']);
    // It has two tools again: the editor's own three were of the life before.
    await start(window, 'demo');
    await agentTools(window, folder, 2);
    await act(window, 'demo', 'Stop Server');
    await risen(window, after);
    await window.close();
    log.dispose();
  });

  it('are said to be turned off where the editor has one of the same label in a file of its own', async () => {
    const { window, folder } = await session.openProject({ demo: fixtureCommand('small-legacy') });
    await window.grantTrust();
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'needs your approval');
    await window.approve();
    await shows(window, ['demo: Stopped']);
    await mkdir(join(folder, '.vscode'));
    await writeFile(join(folder, '.vscode/mcp.json'), '{ "servers": { "Demo": { "command": "node" } } }');
    await window.notifications.waitFor(/“demo” of its own, in \.vscode\/mcp\.json/);
    await shows(window, ['Demo: Stopped', 'demo: Disabled']);
    await window.screenshot('published-twin');
    await rm(join(folder, '.vscode/mcp.json'));
    await shows(window, ['demo: Stopped']);
    await window.close();
  });
});

/** The servers in `MCP: List Servers`, each with its state. */
async function listed(window: EditorWindow): Promise<readonly string[]> {
  await window.runCommand('MCP: List Servers');
  const { items } = await window.quickInput.waitFor('Select an MCP Server');
  await window.quickInput.cancel('Select an MCP Server');
  return items
    .filter(({ label }) => label !== 'Add Server')
    .map(({ label, description }) => `${label}: ${description}`);
}

/** The editor looks at what changed a moment later. */
async function shows(window: EditorWindow, servers: readonly string[]): Promise<void> {
  let last: readonly string[] = [];
  const look = async (): Promise<boolean> => {
    last = await listed(window);
    return JSON.stringify(last) === JSON.stringify(servers);
  };
  await eventually(look, patience, `the servers ${servers.join(', ')}`).catch(() => assert.deepEqual(last, servers));
}

async function act(window: EditorWindow, label: string, action: string): Promise<void> {
  await window.runCommand('MCP: List Servers');
  await window.quickInput.pick('Select an MCP Server', label);
  await window.quickInput.pick(`Select action for '${label}'`, action);
}

/** Starts it, and answers what the editor logs of this start: that comes up by itself, over a list that is open then. */
async function start(window: EditorWindow, label: string): Promise<string> {
  const starts = async (): Promise<readonly string[]> => {
    const texts = await window.page.locator('.output-view .view-lines, .view-lines').allInnerTexts();
    const output = texts.map((text) => text.replaceAll('\u00a0', ' ')).find((text) => text.includes('Starting server'));
    // Each from the time at the beginning of its line to the next one.
    return (
      output?.split(/^(?=.*\bStarting server \S+$)/m).filter((part) => part.includes(`Starting server ${label}`)) ?? []
    );
  };
  const timeOf = (part: string | undefined): string | undefined => part?.split(' [', 1)[0];
  const before = timeOf((await starts()).at(-1));
  await act(window, label, 'Start Server');
  const read = async (): Promise<string | undefined> => {
    const last = (await starts()).at(-1);
    return timeOf(last) !== before && last?.includes('Discovered') === true ? last : undefined;
  };
  return await eventually(read, patience, `the start of ${label}`);
}

/** The published tools that the editor's own agent has, once there are as many. */
async function agentTools(window: EditorWindow, folder: string, count: number): Promise<readonly EditorTool[]> {
  const look = async (): Promise<readonly EditorTool[] | undefined> => {
    const all = await answered(folder, 'tools.json', () => window.runCommand("Example: Look at the Editor's Tools"));
    const published = (JSON.parse(all) as EditorTool[]).filter(({ name }) => name.startsWith('mcp_'));
    return published.length === count ? published : undefined;
  };
  return await eventually(look, patience, `${count} tools`);
}

async function callAsAgent(window: EditorWindow, folder: string, name: string, input: object): Promise<string> {
  return await answered(folder, 'result.json', async () => {
    await window.runCommand("Example: Call an Editor's Tool");
    await window.quickInput.enter('Tool and input', JSON.stringify({ name, input }));
  });
}

/** What the agent wrote down after this was done. */
async function answered(folder: string, name: string, ask: () => Promise<void>): Promise<string> {
  const file = join(folder, name);
  await rm(file, { force: true });
  await ask();
  const read = async (): Promise<string | undefined> => {
    const text = existsSync(file) ? await readFile(file, 'utf8') : '';
    return /[\]}]$/.test(text) ? text : undefined;
  };
  return await eventually(read, patience, name);
}

/** The version under which the one server is published. */
async function version(window: EditorWindow): Promise<number> {
  const read = async (): Promise<number | undefined> => {
    const [, found] = /"publishedVersions":\{"demo":\{"version":(\d+)/.exec(await window.keptState()) ?? [];
    return found === undefined ? undefined : Number(found);
  };
  return await eventually(read, patience, 'the version in the editor’s state');
}

/** The version once it is higher than this one. */
async function risen(window: EditorWindow, before: number): Promise<number> {
  const look = async (): Promise<number | undefined> => {
    const now = await version(window);
    return now > before ? now : undefined;
  };
  return await eventually(look, patience, 'a higher version');
}

/** All that the editor keeps in this window. */
async function everythingKept(window: EditorWindow): Promise<readonly string[]> {
  return await window.page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('no answer'));
      });
    const kept: string[] = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await answer(indexedDB.open(name));
      for (const store of [...database.objectStoreNames]) {
        const values = await answer(database.transaction(store).objectStore(store).getAll());
        kept.push(
          ...values.map((value: unknown) =>
            value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(value),
          ),
        );
      }
      database.close();
    }
    return kept;
  });
}

/** The files below a folder that hold this text. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true });
  const found: string[] = [];
  for (const entry of entries) {
    const file = join(folder, entry);
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    if (size === 0 || size > 32 * 1024 * 1024) continue;
    const content = await readFile(file).catch(() => undefined);
    if (content?.includes(text) === true) found.push(file);
  }
  return found;
}
