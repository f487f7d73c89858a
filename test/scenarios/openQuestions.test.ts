// Questions about calls that are open while something happens to their server, or to the rules.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ManagerError } from '../../src/core/errors.ts';
import type { EditorSettings } from '../../src/core/policy/editorSettings.ts';
import type { CallAnswer, CallConfirmation, Caller } from '../../src/core/ports.ts';
import { createToolCalls, type ToolCalls } from '../../src/core/tools/createToolCalls.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, type FixtureLog, fixtureLog } from '../support/fixtureServer.ts';
import { ManualClock } from '../support/manualClock.ts';
import { approveAll, openServerWindow, projectFileIn, userFileIn, writeServers } from '../support/serverWindow.ts';
import type { ServerWindow, WindowOptions } from '../support/serverWindow.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { withDeadline } from '../support/withDeadline.ts';

interface Asked {
  readonly call: CallConfirmation;
  readonly signal: AbortSignal;
  readonly answer: (answer: CallAnswer) => void;
}

const you: Caller = { kind: 'tree', name: 'you' };
const agent: Caller = { kind: 'gateway', name: 'an agent' };
const set = (value: unknown): NonNullable<EditorSettings['access']> => ({
  effective: value,
  managed: value,
  others: [],
});
const free = { workspaceTrusted: true, mayReach: () => true };

describe('a question about a call', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let log: FixtureLog;
  let window: ServerWindow;
  let calls: ToolCalls;
  let asked: Asked[];
  let clock: ManualClock;
  beforeEach(async () => {
    folder = await temporaryFolder();
    log = fixtureLog();
    asked = [];
    clock = new ManualClock();
  });
  afterEach(async () => {
    calls.dispose();
    await window.dispose();
    log.dispose();
    await folder.remove();
  });

  const entry = (more: object = {}, name = 'small-legacy'): object => ({
    s: { ...fixtureCommand(name, undefined, log), toolPolicies: { echo: 'ask' }, ...more },
  });
  async function open(options: WindowOptions = {}): Promise<void> {
    window = await openServerWindow(folder.path, { prompt: approveAll, ...options });
    const confirm = (call: CallConfirmation, signal: AbortSignal): Promise<CallAnswer> =>
      new Promise((answer) => asked.push({ call, signal, answer }));
    calls = createToolCalls({ manager: window.manager, clock, prompt: { confirm } });
    await window.manager.start(window.key('s'));
  }
  /** What became of a call: `ran`, or the code of its failure. */
  function call(caller = you, text = 'x'): Promise<string> {
    const key = window.key('s');
    return calls.call({ server: key, tool: 'echo', args: { text }, caller }, { validate: false }).then(
      () => 'ran',
      (error: unknown) => (error instanceof ManagerError ? `${error.code} ${error.outcome}` : String(error)),
    );
  }
  async function write(servers: object): Promise<void> {
    await writeServers(projectFileIn(folder.path), servers);
    await window.reload();
  }

  const ends: readonly (readonly [string, string, () => unknown])[] = [
    ['is turned off', 'serverDisabled', () => write(entry({ enabled: false }))],
    ['is removed', 'unknownServer', () => write({})],
    ['is changed', 'connectionClosed', () => write(entry({ env: { OTHER: '1' } }))],
    ['is stopped', 'connectionClosed', () => window.manager.stop(window.key('s'))],
    ['is started anew', 'connectionClosed', () => window.manager.restart(window.key('s'))],
    ['is denied', 'toolDenied', () => write(entry({ toolPolicies: { echo: 'deny' } }))],
    ['loses its approval', 'blockedApproval', () => window.manager.revoke([window.key('s')])],
    [
      'loses the trust of its folder',
      'blockedTrust',
      () => window.manager.setCircumstances({ ...free, workspaceTrusted: false }),
    ],
    [
      'is barred by the editor',
      'blockedEditor',
      () => window.manager.setCircumstances({ ...free, editor: { access: set('none') } }),
    ],
  ];
  for (const [what, code, act] of ends) {
    it(`ends at once when the server ${what}: it goes, nothing runs, and whoever waits is told [CFG-13b, POL-1e]`, async () => {
      await writeServers(projectFileIn(folder.path), entry());
      await open();
      const left = call(agent, 'left');
      await eventually(() => asked.length === 1);
      clock.advance(45_000);
      assert.equal(await left, 'approvalPending notSent');
      const waiting = call();
      await eventually(() => asked.length === 2);
      await act();
      const ended = await withDeadline(waiting, 5_000, 'the end of the call');
      assert.equal(ended, `${code} notSent`);
      assert.deepEqual(
        asked.map(({ signal }) => signal.aborted),
        [true, true],
      );
      for (const { answer } of asked) answer('once');
      assert.equal(log.runs('echo'), 0);
    });
  }

  it('stays when something happens to another server, or to a rule that lets it be [CFG-10b, CFG-13b]', async () => {
    const other = { t: fixtureCommand('small-legacy', undefined, log) };
    await writeServers(projectFileIn(folder.path), { ...entry(), ...other });
    await open();
    await window.manager.start(window.key('t'));
    const waiting = call();
    await eventually(() => asked.length === 1);
    await window.manager.stop(window.key('t'));
    await write(entry({ toolPolicies: { echo: 'ask', add: 'deny' } }));
    window.manager.setCircumstances(free);
    assert.equal(asked[0]?.signal.aborted, false);
    asked[0].answer('once');
    assert.equal(await waiting, 'ran');
  });

  it('has an answer that waits for the call to come again only as long as nothing was said against it [POL-1e, POL-1i]', async () => {
    await writeServers(projectFileIn(folder.path), entry());
    await open();
    const first = call(agent);
    await eventually(() => asked.length === 1);
    clock.advance(45_000);
    assert.equal(await first, 'approvalPending notSent');
    asked[0]?.answer('once');
    await eventually(() => asked[0]?.signal.aborted);
    await write(entry({ toolPolicies: { echo: 'deny' } }));
    await write(entry());
    const second = call(agent);
    await eventually(() => asked.length === 2);
    clock.advance(45_000);
    assert.equal(await second, 'approvalPending notSent');
    asked[1]?.answer('once');
    await eventually(() => asked[1]?.signal.aborted);
    // Another launch of the same tools was never said yes to.
    await write(entry({ env: { OTHER: '1' } }));
    await window.manager.start(window.key('s'));
    const third = call(agent);
    await eventually(() => asked.length === 3);
    asked[2]?.answer('deny');
    assert.equal(await third, 'toolNotConfirmed notSent');
    assert.equal(log.runs('echo'), 0);
  });

  it('comes each time where the editor asks, and offers nothing for the window [POL-1c, POL-4a]', async () => {
    await writeServers(userFileIn(folder.path), entry());
    await open({ editor: { unasked: set({ 's/echo': false }) } });
    const first = call();
    await eventually(() => asked.length === 1);
    assert.equal(asked[0]?.call.eachTime, true);
    asked[0].answer('window');
    assert.equal(await first, 'toolNotConfirmed notSent');

    // What was allowed before the editor said so does not lift it either.
    window.manager.setCircumstances(free);
    const second = call();
    await eventually(() => asked.length === 2);
    assert.equal(asked[1]?.call.eachTime, undefined);
    asked[1]?.answer('window');
    assert.equal(await second, 'ran');
    window.manager.setCircumstances({ ...free, editor: { unasked: set({ 's/echo': false }) } });
    const third = call();
    await eventually(() => asked.length === 3);
    asked[2]?.answer('once');
    assert.equal(await third, 'ran');
  });
});
