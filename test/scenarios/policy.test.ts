// The policy over real servers and real files: definitions that change, questions that outlast their caller, rules of the
// person that no project can take away, and the editor's own settings.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import { explain } from '../../src/core/policy/decide.ts';
import type { EditorSettings } from '../../src/core/policy/editorSettings.ts';
import type { CallAnswer, CallConfirmation, Caller, CallPrompt } from '../../src/core/ports.ts';
import { createToolCalls, type ToolCalls } from '../../src/core/tools/createToolCalls.ts';
import { StoredKnownTools } from '../../src/vscode/adapters/storedKnownTools.ts';
import { eventually } from '../support/eventually.ts';
import { type FixtureLog, fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { ManualClock } from '../support/manualClock.ts';
import { MementoMap } from '../support/mementoMap.ts';
import { patience } from '../support/patience.ts';
import { stillThere } from '../support/processTable.ts';
import {
  approveAll,
  openServerWindow,
  projectFileIn,
  type ServerWindow,
  userFileIn,
  type WindowOptions,
  writeServers,
} from '../support/serverWindow.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

interface Asked {
  readonly call: CallConfirmation;
  readonly signal: AbortSignal;
  readonly answer: (answer: CallAnswer) => void;
}

interface Window extends ServerWindow {
  readonly calls: ToolCalls;
  readonly asked: readonly Asked[];
  readonly callTool: (tool: string, args?: JsonObject, caller?: Caller) => Promise<JsonObject>;
  readonly decision: (tool: string) => string;
}

const agent: Caller = { kind: 'gateway', name: 'an agent' };
const person: Caller = { kind: 'tree', name: 'you' };

describe('the policy of real servers', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let log: FixtureLog;
  const windows: Window[] = [];

  beforeEach(async () => {
    folder = await temporaryFolder();
    log = fixtureLog();
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) await close(window);
    assert.deepEqual(stillThere(log.events('start').map(({ pid }) => pid)), []);
    log.dispose();
    await folder.remove();
  });

  async function close(window: Window): Promise<void> {
    window.calls.dispose();
    await window.dispose();
  }

  async function open(options: WindowOptions = {}, clock: Clock = systemClock()): Promise<Window> {
    const window = await openServerWindow(folder.path, options);
    const asked: Asked[] = [];
    const prompt: CallPrompt = {
      confirm: (call, signal) => new Promise((answer) => asked.push({ call, signal, answer })),
    };
    const calls = createToolCalls({ manager: window.manager, clock, prompt });
    const whole: Window = {
      ...window,
      calls,
      asked,
      callTool: (tool, args = {}, caller = person) =>
        calls.call({ server: window.key('s'), tool, args, caller }, { validate: false }),
      decision: (tool) => {
        const { word, by } = explain(tool, window.manager.live(window.key('s'))!.view.policies);
        return `${word} by ${by.kind === 'changed' ? by.change : by.kind}`;
      },
    };
    windows.push(whole);
    return whole;
  }

  /** Has the server alter its tools and waits for the list that says so. */
  async function alter(window: Window, change: JsonObject): Promise<void> {
    const { snapshot } = await window.manager.use(window.key('s'));
    await window.call('s', 'change', { notify: 1, ...change });
    await eventually(() => window.manager.live(window.key('s'))?.snapshot !== snapshot, patience, 'the new list');
  }

  const serve = (name: string, more: object = {}): Promise<void> =>
    writeServers(userFileIn(folder.path), { s: { ...fixtureCommand(name, undefined, log), ...more } });

  it('turns allow into ask where a description, a schema or annotations changed and where a tool is new, with one review for all, after which nothing is asked [POL-2a, POL-2b, POL-2d]', async () => {
    await serve('changes');
    const window = await open();
    await window.callTool('echo', { text: 'x' });
    const inputSchema = { type: 'object', properties: { a: { type: 'number' }, to: { type: 'string' } } };
    const changes = {
      alter: {
        echo: { description: 'Sends it to a stranger' },
        add: { inputSchema },
        update: { annotations: { a: 1 } },
      },
      add: ['count'],
    };
    await alter(window, changes);
    const tools = ['echo', 'add', 'update', 'count', 'change'];
    assert.deepEqual(tools.map(window.decision), [
      'ask by definition',
      'ask by definition',
      'ask by annotations',
      'ask by new',
      'allow by default',
    ]);
    const refused = assert.rejects(window.callTool('echo', { text: 'x' }), { code: 'toolNotConfirmed' });
    await eventually(() => window.asked.length === 1);
    assert.equal(window.asked[0]?.call.change, 'definition');
    window.asked[0].answer('deny');
    await refused;
    assert.equal(log.runs('echo'), 1);

    const changed = await window.manager.tools.changes(window.key('s'));
    assert.deepEqual(changed.map(({ tool }) => tool.name).sort(), ['add', 'count', 'echo', 'update']);
    const echo = changed.find(({ tool }) => tool.name === 'echo');
    assert.equal(echo?.known?.['description'], 'Answers with the text it was given');
    window.manager.tools.accept(
      window.key('s'),
      changed.map(({ tool }) => tool),
    );
    assert.deepEqual(tools.map(window.decision), Array(5).fill('allow by default'));
    await window.callTool('echo', { text: 'x' });
    const { snapshot } = await window.manager.use(window.key('s'));
    await window.manager.refresh(window.key('s'));
    await eventually(() => window.manager.live(window.key('s'))?.snapshot !== snapshot);
    await window.callTool('echo', { text: 'x' });
    assert.deepEqual([log.runs('echo'), window.asked.length], [3, 1]);
  });

  it('goes on with the very call whose changed definition was accepted meanwhile [POL-2d, POL-1e]', async () => {
    await serve('changes');
    const window = await open();
    await window.manager.use(window.key('s'));
    await alter(window, { alter: { echo: { description: 'other' } } });
    const calling = window.callTool('echo', { text: 'x' });
    await eventually(() => window.asked.length === 1);
    const changed = await window.manager.tools.changes(window.key('s'));
    window.manager.tools.accept(
      window.key('s'),
      changed.map(({ tool }) => tool),
    );
    window.asked[0]?.answer('once');
    await calling;
    assert.deepEqual([log.runs('echo'), window.asked.length], [1, 1]);
  });

  it('knows in the next window what changed since the first one saw it, and in every window what one accepted [POL-2a, POL-2d]', async () => {
    const state = new MementoMap();
    const knownTools = (): StoredKnownTools => new StoredKnownTools(folder.path, state);
    await serve('changes-description');
    const first = await open({ knownTools: knownTools() });
    await first.manager.use(first.key('s'));
    assert.equal(first.decision('echo'), 'allow by default');
    await first.manager.refresh(first.key('s'));
    await eventually(() => first.decision('echo') === 'ask by definition');
    await close(first);
    windows.length = 0;

    // From its start on, the same entry runs what says the other thing.
    const change = { alter: { echo: { description: 'Sends the text to a stranger' } }, notify: 0 };
    const altered = { rules: [{ on: 'initialize', change }] };
    await writeServers(userFileIn(folder.path), { s: fixtureCommand('changes', altered, log) });
    const next = await open({ knownTools: knownTools() });
    await next.manager.use(next.key('s'));
    assert.equal(next.decision('echo'), 'ask by definition');
    const other = await open({ knownTools: knownTools() });
    await other.manager.use(other.key('s'));
    const changed = await next.manager.tools.changes(next.key('s'));
    next.manager.tools.accept(
      next.key('s'),
      changed.map(({ tool }) => tool),
    );
    await eventually(async () => (await other.manager.tools.changes(other.key('s'))).length === 0);
    assert.equal(other.decision('echo'), 'allow by default');
  });

  it('tells a caller that may time out to call again after 45 s, and serves its next identical call with the answer, once and for five minutes [POL-1i]', async () => {
    await serve('small-legacy', { toolPolicies: { echo: 'ask' } });
    const clock = new ManualClock();
    const window = await open({}, clock);
    const pending = { code: 'approvalPending', outcome: 'notSent' };
    const call = (text: string): Promise<JsonObject> => window.callTool('echo', { text }, agent);

    const early = call('one');
    await eventually(() => window.asked.length === 1);
    clock.advance(45_000);
    await assert.rejects(early, pending);
    assert.equal(window.asked[0]?.signal.aborted, false, 'the question stays');
    window.asked[0].answer('once');
    await eventually(() => window.asked[0]?.signal.aborted, patience, 'the end of the question');
    assert.ok((await call('one'))['content']);
    assert.deepEqual([log.runs('echo'), window.asked.length], [1, 1]);

    // The answer is used up; other arguments have none.
    for (const [index, text] of ['one', 'two'].entries()) {
      const waiting = call(text);
      await eventually(() => window.asked.length === index + 2);
      clock.advance(45_000);
      await assert.rejects(waiting, pending);
    }
    window.asked[1]?.answer('deny');
    await eventually(() => window.asked[1]?.signal.aborted);
    await assert.rejects(call('one'), { code: 'toolNotConfirmed' });
    window.asked[2]?.answer('once');
    await eventually(() => window.asked[2]?.signal.aborted);
    clock.advance(300_001);
    void call('two').catch(() => undefined);
    await eventually(() => window.asked.length === 4, patience, 'the question anew');
    assert.equal(log.runs('echo'), 1);
  });

  it('withdraws the question when the caller gives up, and takes silence of ten minutes for a no [POL-1g, POL-1h]', async () => {
    await serve('small-legacy', { toolPolicies: { echo: 'ask' } });
    const clock = new ManualClock();
    const window = await open({}, clock);
    const giving = new AbortController();
    const call = { server: window.key('s'), tool: 'echo', args: { text: 'x' }, caller: person };
    const given = window.calls.call(call, { validate: false, signal: giving.signal });
    await eventually(() => window.asked.length === 1);
    giving.abort();
    await assert.rejects(given, { code: 'cancelled', outcome: 'notSent' });
    assert.equal(window.asked[0]?.signal.aborted, true);
    window.asked[0].answer('once');

    const silent = window.callTool('echo', { text: 'x' });
    await eventually(() => window.asked.length === 2);
    clock.advance(600_000);
    await assert.rejects(silent, { code: 'toolNotConfirmed', outcome: 'notSent' });
    assert.equal(log.runs('echo'), 0);
  });

  it('allows a tool for the window as it is defined, until it is taken back, its definition changes, or it is denied [POL-1e]', async () => {
    await serve('changes', { toolPolicies: { echo: 'ask' } });
    const window = await open();
    const first = window.callTool('echo', { text: 'x' });
    await eventually(() => window.asked.length === 1);
    window.asked[0]?.answer('window');
    await first;
    await window.callTool('echo', { text: 'y' });
    assert.deepEqual([log.runs('echo'), window.asked.length], [2, 1]);

    await serve('changes', { toolPolicies: { echo: 'deny' } });
    await window.reload();
    await assert.rejects(window.callTool('echo', { text: 'z' }), { code: 'toolDenied' });
    await serve('changes', { toolPolicies: { echo: 'ask' } });
    await window.reload();
    await window.callTool('echo', { text: 'z' });
    await alter(window, { alter: { echo: { annotations: { destructiveHint: true } } } });
    void window.callTool('echo', { text: 'z' }).catch(() => undefined);
    await eventually(() => window.asked.length === 2, patience, 'the question');
    assert.deepEqual(
      [log.runs('echo'), window.asked[1]?.call.change, log.events('start').length],
      [3, 'annotations', 1],
    );
    window.asked[1]?.answer('deny');
  });

  it('holds the person’s rules for a project’s server where no pull of the project takes them away [POL-1c, POL-1d]', async () => {
    const server = fixtureCommand('small-legacy', undefined, log);
    const own = { version: 3, mcpServers: {}, toolPolicies: { s: { echo: 'deny' } } };
    await writeServers(projectFileIn(folder.path), { s: { ...server, toolPolicies: { echo: 'allow', add: 'deny' } } });
    await writeServers(userFileIn(folder.path), {});
    await writeFile(userFileIn(folder.path), JSON.stringify(own));
    const window = await open({ prompt: approveAll });
    await window.manager.start(window.key('s'));
    for (const tool of ['echo', 'add']) await assert.rejects(window.callTool(tool), { code: 'toolDenied' });
    // The pull: the entry says otherwise, and rules at the top of its file are nobody's.
    const pulled = { s: { ...server, toolPolicies: { '*': 'allow' } } };
    await writeFile(
      projectFileIn(folder.path),
      JSON.stringify({ version: 3, mcpServers: pulled, toolPolicies: { s: { echo: 'allow' } } }),
    );
    await window.reload();
    await assert.rejects(window.callTool('echo', { text: 'x' }), { code: 'toolDenied' });
    await window.callTool('add', { a: 1, b: 2 });
    assert.equal(log.events('start').length, 1);
    assert.match(await readFile(userFileIn(folder.path), 'utf8'), /"echo":"deny"/);
  });

  it('looks at nothing of a server that the editor’s own settings refuse by name [POL-4a]', async () => {
    await serve('small-legacy', { env: { TOKEN: '${env:MINE}' } });
    const denied = { effective: [{ serverName: 's' }], managed: null, others: [] };
    const window = await open({ env: { MINE: 'x' }, foreign: true, editor: { denied } });
    await assert.rejects(window.callTool('echo'), { code: 'blockedEditor', outcome: 'notSent' });
    assert.deepEqual([window.read, log.events('start').length], [[], 0]);
  });

  it('lets no server run that the editor’s own settings refuse, by what really runs, and ends one at once that runs [POL-4a]', async () => {
    const { command, args } = fixtureCommand('small-legacy', undefined, log);
    const [script = '', ...rest] = args;
    await writeServers(userFileIn(folder.path), { s: { command, args: ['${env:SCRIPT}', ...rest] } });
    const window = await open({ env: { SCRIPT: script } });
    const under = (editor: EditorSettings): void =>
      window.manager.setCircumstances({ workspaceTrusted: true, mayReach: () => true, editor });
    const set = (value: unknown): EditorSettings[keyof EditorSettings] => ({
      effective: value,
      managed: value,
      others: [],
    });
    const refusals: readonly (readonly [EditorSettings, string])[] = [
      [{ access: set('none')! }, 'chat.mcp.access'],
      [{ denied: set([{ serverCommand: [command, script, ...rest] }])! }, 'chat.mcp.deniedServers'],
      [{ allowed: set([{ serverCommand: [command, 'other.js'] }])! }, 'chat.mcp.allowedServers'],
      [{ managedOnly: set(true)!, allowed: set(null)! }, 'chat.mcp.allowManagedServersOnly'],
      [{ denied: set([{ pattern: '*' }])! }, 'chat.mcp.deniedServers'],
    ];
    for (const [index, [settings, setting]] of refusals.entries()) {
      under({});
      await window.callTool('echo', { text: 'x' });
      const hanging = assert.rejects(window.callTool('hang'));
      await eventually(() => log.runs('hang') === index + 1);
      under(settings);
      await hanging;
      await eventually(() => window.state('s') === 'blocked(policy)', patience, setting);
      await assert.rejects(window.callTool('echo', { text: 'x' }), (error: { code?: string; data?: JsonObject }) => {
        assert.deepEqual([error.code, error.data?.['setting']], ['blockedEditor', setting]);
        return true;
      });
      const pids = log.events('start').map(({ pid }) => pid);
      await eventually(() => stillThere(pids).length === 0, patience, 'the end of the process');
    }
    assert.equal(log.events('start').length, refusals.length);
  });
});
