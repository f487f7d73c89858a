// The manager over real files and real servers: who starts when, what a change touches, what a person has to say first.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { KeptLists } from '../../src/core/discovery/keptLists.ts';
import { limits } from '../../src/core/limits.ts';
import { eventually } from '../support/eventually.ts';
import {
  type FixtureLog,
  fixtureCommand,
  fixtureLog,
  type HttpFixture,
  startHttpFixture,
} from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';
import { ManualClock } from '../support/manualClock.ts';
import { stillThere } from '../support/processTable.ts';
import {
  approveAll,
  openServerWindow,
  projectFileIn,
  type ServerWindow,
  userFileIn,
  type WindowOptions,
  writeServers as write,
} from '../support/serverWindow.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('the manager of real servers', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let log: FixtureLog;
  const windows: ServerWindow[] = [];

  beforeEach(async () => {
    folder = await temporaryFolder();
    log = fixtureLog();
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) await window.dispose();
    assert.deepEqual(stillThere(log.events('start').map(({ pid }) => pid)), []);
    log.dispose();
    await folder.remove();
  });

  const entry = (name: string, more: object = {}) => ({ ...fixtureCommand(name, undefined, log), ...more });
  const userFile = () => userFileIn(folder.path);
  const projectFile = () => projectFileIn(folder.path);
  const open = async (options: WindowOptions = {}): Promise<ServerWindow> => {
    const window = await openServerWindow(folder.path, options);
    windows.push(window);
    return window;
  };
  const starts = (): number => log.events('start').length;

  it('starts a server once for all who use it at the same time, and one that gives up takes nobody along [CONN-4a, CONN-4b]', async () => {
    await write(userFile(), { a: entry('slow-start-quiet') });
    const window = await open();
    const impatient = new AbortController();
    const connecting = new Promise<void>((resolve) => {
      window.manager.onDidChange(() => {
        if (window.state('a') === 'connecting') resolve();
      });
    });
    const uses = [1, 2, 3].map(() => window.manager.use(window.key('a')));
    await connecting;
    const given = assert.rejects(window.manager.use(window.key('a'), { signal: impatient.signal }), {
      code: 'cancelled',
    });
    for (let hop = 0; hop < 20; hop += 1) await Promise.resolve(); // It waits too, and nothing was heard from outside meanwhile.
    impatient.abort();
    await given;
    const clients = new Set((await Promise.all(uses)).map(({ client }) => client));
    assert.equal(clients.size, 1);
    assert.equal(starts(), 1);
  });

  it('starts with the window what says so, and everything else on use [CFG-1e, CFG-1f]', async () => {
    await write(userFile(), { auto: entry('small-legacy', { autostart: true }), lazy: entry('small-legacy') });
    const window = await open();
    await eventually(() => window.state('auto') === 'ready');
    assert.equal(window.state('lazy'), 'stopped');
    assert.equal(starts(), 1);
    await window.call('lazy', 'echo', { text: 'x' });
    assert.equal(starts(), 2);
  });

  it('leaves a call on one server alone while others are added, changed and removed [CFG-10a, CFG-10b]', async () => {
    const still = entry('basic-legacy');
    await write(userFile(), { still, other: entry('small-legacy'), gone: entry('small-legacy') });
    const window = await open();
    await Promise.all([window.manager.use(window.key('other')), window.manager.use(window.key('gone'))]);
    const gate = log.gate();
    const calling = window.call('still', 'slow', gate.args);
    await eventually(() => log.runs('slow') === 1);
    const before = starts();
    await write(userFile(), { still, other: entry('small-legacy', { env: { X: '1' } }), added: entry('small-legacy') });
    await window.reload();
    gate.open();
    assert.ok((await calling)['content']);
    await eventually(() => window.state('other') === 'ready');
    assert.equal(starts(), before + 1, 'only the changed one started anew');
    assert.equal(window.key('gone'), undefined);
  });

  it('reconnects nothing for toggles and policies [CFG-10c]', async () => {
    await write(userFile(), { a: entry('small-legacy'), b: entry('small-legacy') });
    const window = await open();
    const { client } = await window.manager.use(window.key('a'));
    const edited = { toolPolicies: { echo: 'deny' }, timeouts: { call: 5_000 }, autostart: true };
    await write(userFile(), { a: entry('small-legacy', edited), b: entry('small-legacy', { enabled: false }) });
    await window.reload();
    const live = await window.manager.use(window.key('a'));
    assert.equal(live.client, client);
    assert.deepEqual({ ...live.view.policies.personEntry }, { echo: 'deny' });
    assert.equal(starts(), 1);
  });

  it('holds a running server to time-outs that were changed meanwhile, without connecting anew [CFG-10c, CONN-6g]', async () => {
    await write(userFile(), { a: entry('basic-legacy', { timeouts: { call: 300 } }) });
    const window = await open();
    await assert.rejects(window.call('a', 'hang'), { code: 'callTimeout' });
    await write(userFile(), { a: entry('basic-legacy', { timeouts: { call: patience } }) });
    await window.reload();
    assert.ok((await window.call('a', 'slow', { ms: 1_000 }))['content']);
    await write(userFile(), { a: entry('basic-legacy', { timeouts: { call: 200 } }) });
    await window.reload();
    await assert.rejects(window.call('a', 'hang'), {
      code: 'callTimeout',
      data: { server: 'a', tool: 'hang', seconds: 0.2 },
    });
    assert.equal(starts(), 1);
  });

  it('runs, after a restart, what the file says then [CFG-13a]', async () => {
    await write(userFile(), { a: { command: 'no-such-command-anywhere' } });
    const window = await open();
    await assert.rejects(window.manager.start(window.key('a')), { code: 'commandNotFound' });
    await write(userFile(), { a: entry('small-legacy') });
    await window.manager.restart(window.key('a'));
    assert.equal(window.state('a'), 'ready');
  });

  it('ends waiting calls at once on restart, change, disabling and removal [CFG-13b]', async () => {
    const entries: [string, (window: ServerWindow) => Promise<unknown>][] = [
      ['restart', ({ manager, key }) => manager.restart(key('a'))],
      [
        'change',
        async ({ reload }) => (await write(userFile(), { a: entry('basic-legacy', { env: { X: '1' } }) }), reload()),
      ],
      [
        'disable',
        async ({ reload }) => (await write(userFile(), { a: entry('basic-legacy', { enabled: false }) }), reload()),
      ],
      ['remove', async ({ reload }) => (await write(userFile(), {}), reload())],
    ];
    for (const [what, act] of entries) {
      await write(userFile(), { a: entry('basic-legacy') });
      const window = await open();
      const before = log.runs('hang');
      const calling = window.call('a', 'hang');
      await eventually(() => log.runs('hang') > before);
      const [result] = await Promise.allSettled([calling, act(window)]);
      assert.equal(result.status, 'rejected', what);
      await window.manager.dispose();
    }
  });

  it('opens one new session, shared by the calls that follow, when the server forgot the old one [CONN-12a]', async () => {
    const remote: HttpFixture = await startHttpFixture('http-session-on-demand');
    try {
      await write(userFile(), { r: { url: remote.url, transport: 'streamable-http', protocol: 'legacy' } });
      const window = await open();
      await window.manager.use(window.key('r'));
      await remote.control('forgetSessions');
      const lost = await Promise.allSettled([1, 2, 3].map(() => window.call('r', 'echo', { text: 'x' })));
      assert.ok(lost.some(({ status }) => status === 'rejected'));
      await Promise.all([1, 2, 3].map(() => window.call('r', 'echo', { text: 'again' })));
      assert.equal(remote.log.asked('initialize'), 2);
      const view = window.manager.view().servers[0]!;
      assert.deepEqual(
        view.warnings.map(({ code }) => code),
        ['sessionLost'],
      );
    } finally {
      await remote.stop();
    }
  });

  it('shows that a sign-in is needed as soon as a live server answers 401, and starts anew on use [CONN-11a, CONN-12d]', async () => {
    const remote: HttpFixture = await startHttpFixture('http-session-forgotten-401');
    try {
      await write(userFile(), { r: { url: remote.url, transport: 'streamable-http', protocol: 'legacy' } });
      const window = await open();
      await window.manager.use(window.key('r'));
      const calls: unknown[] = [];
      while (window.state('r') === 'ready' && calls.length < 20) {
        calls.push(await window.call('r', 'echo', { text: 'x' }).catch((error: unknown) => error));
      }
      assert.equal((calls.at(-1) as { code?: string }).code, 'signInNeeded');
      assert.equal(window.state('r'), 'signInNeeded');
      assert.ok((await window.call('r', 'echo', { text: 'again' }))['content']);
      assert.equal(window.state('r'), 'ready');
    } finally {
      await remote.stop();
    }
  });

  it('shows what a stopped server offered, for that launch only, and calls only what is live [DISC-8a, DISC-8b, DISC-8c, DISC-8d]', async () => {
    const kept = new KeptLists();
    await write(userFile(), { a: entry('small-legacy') });
    const first = await open({ kept });
    await first.manager.use(first.key('a'));
    await first.manager.dispose();

    const second = await open({ kept: KeptLists.parse(JSON.parse(kept.toText(1_000_000))) });
    const view = () => second.manager.view().servers[0]!;
    await eventually(() => view().kept);
    assert.equal(view().state.kind, 'stopped');
    assert.ok(view().kept!.tools.length > 0);
    assert.equal(second.manager.live(second.key('a')), undefined);
    const calling = second.call('a', 'echo', { text: 'x' });
    assert.equal(starts(), 1, 'the kept list is no connection');
    assert.ok((await calling)['content']);
    assert.equal(starts(), 2);

    await write(userFile(), { a: entry('small-legacy', { args: ['changed'] }) });
    await second.reload();
    assert.equal(view().kept, undefined);
    await write(userFile(), { a: entry('small-legacy', { enabled: false }) });
    await second.reload();
    assert.equal(view().kept, undefined);
  });

  it('expands nothing of a project before trust, and asks for nothing of the person before approval [CFG-11g, CFG-11h, TRUST-1a]', async () => {
    const args = ['${env:LURE}', '${input:pin}', '${secret:token}'];
    await write(projectFile(), { p: { command: 'node', args, env: { A: '${env:OTHER}' }, autostart: true } });
    const window = await open({ trusted: false, env: { LURE: 'x', OTHER: 'y' } });
    await assert.rejects(window.manager.start(window.key('p')), { code: 'blockedTrust' });
    assert.deepEqual(window.read, []);
    window.manager.setCircumstances({ workspaceTrusted: true, mayReach: () => true });
    await assert.rejects(window.manager.start(window.key('p')), { code: 'blockedApproval' });
    assert.deepEqual(
      window.read.filter((name) => ['pin', 'token'].includes(name)),
      [],
    );
  });

  it('asks for a value when a person starts or calls, and never because a server starts by itself [CFG-11f]', async () => {
    const env = { PIN: '${input:pin}' };
    const own = { one: entry('small-legacy', { env, autostart: true }), two: entry('small-legacy', { env }) };
    await write(userFile(), own);
    const window = await open({ answer: '1234' });
    await eventually(() => window.state('one') === 'blocked(input)', patience, 'the need for a value');
    assert.deepEqual(window.read, []);
    await window.manager.start(window.key('one'));
    assert.deepEqual([window.state('one'), window.read], ['ready', ['pin']]);
    await window.call('two', 'echo', { text: 'x' });
    assert.deepEqual(window.read, ['pin', 'pin']);

    await write(userFile(), { ...own, one: entry('small-legacy', { env: { OTHER: '${input:other}' } }) });
    await window.reload();
    await eventually(() => window.state('one') === 'blocked(input)', patience, 'the need for another value');
    assert.deepEqual(window.read, ['pin', 'pin']);
  });

  it('asks for a value once its approval was given [CFG-11h]', async () => {
    await write(projectFile(), { p: entry('small-legacy', { env: { PIN: '${input:pin}' }, autostart: true }) });
    const window = await open({ answer: '1234', prompt: approveAll });
    await window.manager.review();
    await eventually(() => window.state('p') === 'ready', patience, 'the start');
    assert.deepEqual(window.read, ['pin']);
  });

  it('approves nothing where nobody can be asked, and forgets approvals with its process [TRUST-2h, TRUST-4a]', async () => {
    await write(projectFile(), { p: entry('small-legacy') });
    const mute = await open();
    await assert.rejects(mute.manager.start(mute.key('p')), { code: 'blockedApproval' });
    assert.equal(starts(), 0);
    const asked = await open({ prompt: approveAll });
    await asked.manager.start(asked.key('p'));
    assert.equal(starts(), 1);
    const next = await open();
    await assert.rejects(next.manager.start(next.key('p')), { code: 'blockedApproval' });
    assert.equal(starts(), 1);
  });

  it('ends all servers together within four seconds, however stubborn and whatever timeouts.stop says [CONN-8f]', async () => {
    const stubborn = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [`s${at}`, entry('stubborn', { timeouts: { stop: 60_000 } })]),
    );
    await write(userFile(), stubborn);
    const clock = new ManualClock();
    const window = await open({ clock });
    await Promise.all(Object.keys(stubborn).map((id) => window.manager.use(window.key(id))));
    const begin = clock.now();
    // What was killed has ended some time later, which on a busy machine is none of ours.
    const step = (): number => (clock.now() - begin < limits.stop.toKillAtMost ? 20 : 1);
    await clock.during(window.manager.dispose(), step);
    assert.ok(clock.now() - begin < 4_000, `${clock.now() - begin} ms`);
  });
});
