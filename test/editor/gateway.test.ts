import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, it } from 'mocha';
import type { WindowDescriptor } from '../../src/contract/windowDescriptor.ts';
import { chooseWindow } from '../../src/gateway/chooseWindow.ts';
import { openWindows, windowsFolder } from '../../src/gateway/windowFiles.ts';
import { type EditorSession, useEditorSession } from '../support/editorSession.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { ask } from '../support/gatewayPeer.ts';
import { patience } from '../support/patience.ts';

describe('agents at a window of the editor', () => {
  let session: EditorSession;
  useEditorSession((started) => (session = started));
  const clients: Client[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });

  const home = (): string => join(session.home, '.mcp-roundhouse');
  const files = async (): Promise<readonly string[]> => readdir(windowsFolder(home())).catch(() => []);

  /** The window that works in this folder, once it can be found. */
  async function found(folder: string, other?: WindowDescriptor): Promise<WindowDescriptor> {
    const look = async (): Promise<WindowDescriptor | undefined> => {
      const windows = (await openWindows(home())).filter(({ token }) => token !== other?.token);
      const nearest = chooseWindow(windows, folder);
      return nearest?.folders.includes(folder) === true ? nearest : undefined;
    };
    return eventually(look, patience, 'the descriptor of the window');
  }

  async function agent(
    { url, token }: WindowDescriptor,
    name: string,
    { path = '/mcp', modern = false, capabilities = {} } = {},
  ): Promise<Client> {
    const mode = modern ? { pin: '2026-07-28' } : ('legacy' as const);
    const client = new Client({ name, version: '1' }, { capabilities, versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}${path}`), { requestInit }));
    clients.push(client);
    return client;
  }

  it('share the one instance that the tree shows, once the folder is trusted, whatever its settings say, and answer what servers ask; a call that the policy asks about is asked in the window [GATE-1a, GATE-1b, TRUST-1c, TRUST-8a, POL-1g]', async () => {
    const log = fixtureLog();
    const server = { ...fixtureCommand('small-legacy', undefined, log), toolPolicies: { echo: 'ask' } };
    await session.writeUserServers({ demo: server, asker: fixtureCommand('asks') });
    const settings = { 'roundhouse.gateway.enabled': false, 'roundhouse.gateway.toolSearch': true };
    const { window, folder } = await session.openProject(undefined, { '.vscode/settings.json': settings });
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'needs your approval');
    await window.approve();
    await window.mcp.waitFor(['demo'], ({ description }) => description.includes('tool'));
    assert.deepEqual(await openWindows(home()), [], 'a window in Restricted Mode serves no agent');

    await window.grantTrust();
    const descriptor = await found(folder);
    assert.equal((await stat(descriptor.socket!)).mode & 0o777, 0o600);
    const { session: raw } = await ask(descriptor);
    const listed = await ask(descriptor, { session: raw, message: { jsonrpc: '2.0', id: 2, method: 'tools/list' } });
    assert.match(listed.text, /"mcp__demo__echo"/);

    const one = await agent(descriptor, 'agent one', { capabilities: { elicitation: {} } });
    one.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { colour: 'green' } }));
    assert.match(JSON.stringify(await one.callTool({ name: 'mcp__asker__ask_form', arguments: {} })), /green/);
    const two = await agent(descriptor, 'agent two', { path: '/mcp/demo', modern: true });
    const sum = { name: 'mcp__demo__add', arguments: { a: 1, b: 2 } };
    assert.match(JSON.stringify(await one.callTool(sum)), /3/);
    assert.match(JSON.stringify(await two.callTool({ ...sum, name: 'add' })), /3/);
    assert.equal(log.events('start').length, 1);
    await window.mcp.waitFor(['demo'], ({ description }) => description.includes('tool'));

    const allowed = two.callTool({ name: 'echo', arguments: { text: 'may I' } });
    const question = await window.quickInput.waitFor(/Call echo on “demo”\?/);
    assert.equal(question.placeholder, 'Asked by an agent that calls itself “agent two”');
    assert.equal(question.items[1]?.detail, '{"text":"may I"}');
    await window.screenshot('gateway-call-question');
    assert.equal(log.runs('echo'), 0);
    await window.quickInput.pick(/Call echo/, 'Allow Once');
    assert.match(JSON.stringify(await allowed), /may I/);

    const denied = one.callTool({ name: 'mcp__demo__echo', arguments: { text: 'may I' } }).catch(String);
    await window.quickInput.waitFor(/Call echo on “demo”\?/);
    await window.quickInput.accept(); // Enter is the refusal.
    assert.match(JSON.stringify(await denied), /toolNotConfirmed|not confirmed|refused|said no/i);
    assert.equal(log.runs('echo'), 1);

    await window.close();
    await eventually(async () => (await files()).length === 0, patience, 'the end of the descriptor');
    await eventually(() => session.extensionChildren().length === 0, patience, 'the end of the server');
    log.dispose();
  });

  it('find the window again after a reload: at another address, with another token, and with no process left of before', async () => {
    const log = fixtureLog();
    await session.writeUserServers({ demo: fixtureCommand('small-legacy', undefined, log) });
    const { window, folder } = await session.openProject();
    await window.grantTrust();
    await window.approve('remember');
    await window.mcp.waitFor(['demo'], ({ description }) => description.includes('tool'));
    const before = await found(folder);
    const first = await agent(before, 'agent');
    const call = { name: 'mcp__demo__add', arguments: { a: 1, b: 2 } };
    await first.callTool(call);
    assert.equal(session.extensionChildren().length, 1);

    await window.reload();
    const after = await found(folder, before);
    assert.notEqual(after.token, before.token);
    assert.notEqual(after.process.pid, before.process.pid);
    await assert.rejects(ask(before));
    assert.equal((await ask({ ...after, token: before.token })).status, 401);
    assert.match(JSON.stringify(await (await agent(after, 'agent')).callTool(call)), /3/);
    await eventually(
      async () => (await files()).length === 2 && session.extensionChildren().length === 1,
      patience,
      'one descriptor, one socket and one server',
    );
    assert.equal(log.events('start').length, 2);

    // A window that could not clean up after itself: the next one does.
    process.kill(after.process.pid, 'SIGKILL');
    const next = await session.openProject();
    await next.window.grantTrust();
    await found(next.folder);
    await eventually(async () => !(await files()).some((name) => name.includes(`-${after.process.pid}-`)));
    await Promise.all([window.close(), next.window.close()]);
    log.dispose();
  });

  it('go on after the window’s own process was killed in the middle of their calls: each ends at once, none runs twice, and the same agent is served again [GATE-5e]', async () => {
    const log = fixtureLog();
    await session.writeUserServers({ demo: fixtureCommand('small-legacy', undefined, log) });
    const { window, folder } = await session.openProject();
    await window.grantTrust();
    await window.approve('remember');
    await window.mcp.waitFor(['demo'], ({ description }) => description.includes('tool'));
    const before = await found(folder);
    const launcher = join(home(), 'bin', 'mcp-roundhouse');
    await eventually(() => existsSync(launcher), patience, 'the launcher');
    const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    clients.push(client);
    const env = { PATH: process.env['PATH'] ?? '', HOME: session.home };
    await client.connect(new StdioClientTransport({ command: launcher, args: ['proxy'], env, cwd: folder }));

    const calls = [1, 2, 3].map((number) =>
      client.callTool({ name: 'mcp__demo__hang', arguments: { number } }).then(
        () => 'answered',
        () => 'failed',
      ),
    );
    await eventually(() => log.runs('hang') === 3, patience, 'three calls at the server');
    process.kill(before.process.pid, 'SIGKILL');
    assert.deepEqual(await Promise.all(calls), ['failed', 'failed', 'failed']);

    await window.reload();
    await found(folder, before);
    const sum = { name: 'mcp__demo__add', arguments: { a: 1, b: 2 } };
    const answer = async (): Promise<boolean> => JSON.stringify(await client.callTool(sum).catch(String)).includes('3');
    await eventually(answer, patience, 'an answer through the next window');
    assert.equal(log.runs('hang'), 3);
    await eventually(() => session.extensionChildren().length === 1, patience, 'one server');
    await client.close();
    await window.close();
    log.dispose();
  });
});
