// What a person approves, over real files that change on disk and real servers: what is asked, what is shown, what runs.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ServerKey } from '../../src/core/config/model.ts';
import type { ApprovalAnswer, ApprovalPrompt, ApprovalRequest } from '../../src/core/ports.ts';
import type { LaunchFingerprint } from '../../src/core/transport/launch.ts';
import { approvalText } from '../../src/vscode/approvals/approvalText.ts';
import { english } from '../../src/vscode/translate.ts';
import { eventually } from '../support/eventually.ts';
import { type FixtureLog, fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { memoryOf } from '../support/managerWorld.ts';
import { patience } from '../support/patience.ts';
import { stillThere } from '../support/processTable.ts';
import {
  openServerWindow,
  projectFileIn,
  type ServerWindow,
  userFileIn,
  type WindowOptions,
  writeServers,
} from '../support/serverWindow.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('what a person approves', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let log: FixtureLog;
  let windows: ServerWindow[];
  /** What was asked, and how the person answers from now on. */
  let asked: ApprovalRequest[][];
  let answer: ApprovalAnswer | undefined;
  const prompt: ApprovalPrompt = {
    ask: (requests) => {
      asked.push([...requests]);
      const now = answer;
      return Promise.resolve(new Map(requests.flatMap(({ fingerprint }) => (now ? [[fingerprint, now]] : []))));
    },
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
    log = fixtureLog();
    [windows, asked, answer] = [[], [], 'once'];
  });
  afterEach(async () => {
    for (const window of windows) await window.dispose();
    assert.deepEqual(stillThere(pids()), []);
    log.dispose();
    await folder.remove();
  });

  const pids = (): number[] => log.events('start').map(({ pid }) => pid);
  const starts = (): number => pids().length;
  const entry = (more: object = {}) => ({ ...fixtureCommand('small-legacy', undefined, log), ...more });
  const inProject = (path: string): string => join(folder.path, 'project', path);
  const writeProject = (servers: object): Promise<void> => writeServers(projectFileIn(folder.path), servers);
  const writeOwn = (servers: object): Promise<void> => writeServers(userFileIn(folder.path), servers);

  async function open(options: WindowOptions = {}): Promise<ServerWindow> {
    const window = await openServerWindow(folder.path, { prompt, ...options });
    windows.push(window);
    return window;
  }

  /** A program that is the real one under another name. */
  async function program(path: string): Promise<string> {
    await mkdir(dirname(inProject(path)), { recursive: true });
    await writeFile(inProject(path), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    await chmod(inProject(path), 0o755);
    return inProject(path);
  }

  async function link(path: string, target: string): Promise<void> {
    await rm(inProject(path), { force: true });
    await symlink(target, inProject(path));
  }

  const roleOf = async (window: ServerWindow): Promise<string> =>
    (await window.manager.use(window.key('x'))).view.server.scope.kind;

  describe('is bound to what is on disk', () => {
    /** A server whose every part can be changed: its entry, the link that it is called by, its envFile. */
    async function approved(): Promise<{ window: ServerWindow; whole: ReturnType<typeof entry> & { env: object } }> {
      await Promise.all([program('bin/one'), program('bin/two')]);
      await link('bin/run', 'one');
      await Promise.all(['here', 'there'].map((name) => mkdir(inProject(name))));
      await writeFile(inProject('.env'), 'LEVEL=1\n');
      const args = [...entry().args, '--port=1'];
      const whole = { command: './bin/run', args, cwd: 'here', env: { MODE: 'fast' }, envFile: '.env' };
      const server = { ...whole, command: inProject('bin/run') };
      await writeProject({ x: server });
      const window = await open();
      await window.manager.start(window.key('x'));
      assert.deepEqual([starts(), asked.length], [1, 1]);
      answer = undefined;
      return { window, whole: server };
    }

    type Whole = Awaited<ReturnType<typeof approved>>['whole'];
    const changes: Record<string, { act: (whole: Whole) => Promise<void>; told: RegExp[]; read: boolean }> = {
      'one argument': {
        act: (whole) => writeProject({ x: { ...whole, args: [...whole.args.slice(0, -1), '--port=2'] } }),
        told: [/^Before: Argument \d+: --port=1$/m, /^Now: Argument \d+: --port=2$/m],
        read: true,
      },
      'one value of env': {
        act: (whole) => writeProject({ x: { ...whole, env: { MODE: 'slow' } } }),
        told: [/^Before: Variable MODE: fast$/m, /^Now: Variable MODE: slow$/m],
        read: true,
      },
      'the working folder': {
        act: (whole) => writeProject({ x: { ...whole, cwd: 'there' } }),
        told: [/^Before: Folder: .*here$/m, /^Now: Folder: .*there$/m],
        read: true,
      },
      'the target of the link that is run': {
        act: () => link('bin/run', 'two'),
        told: [/^Before: This program is a link to: .*\/bin\/one$/m, /^Now: This program is a link to: .*\/bin\/two$/m],
        read: false,
      },
      'the content of the envFile': {
        act: () => writeFile(inProject('.env'), 'LEVEL=2\n'),
        told: [/^Before: Variable LEVEL: 1$/m, /^Now: Variable LEVEL: 2$/m],
        read: false,
      },
      'a comment in the envFile': {
        act: () => writeFile(inProject('.env'), 'LEVEL=1\n# more\n'),
        told: [/^Before: Content of this file: SHA-256 /m, /^Now: Content of this file: SHA-256 /m],
        read: false,
      },
    };

    for (const [what, { act, told, read }] of Object.entries(changes)) {
      it(`asks again after a change of ${what}, tells the difference, and runs nothing [TRUST-2g, TRUST-3f]`, async function () {
        if (process.platform === 'win32') return this.skip();
        const { window, whole } = await approved();
        await act(whole);
        if (read) {
          // The old launch is no longer what the file says: it ends by itself.
          await window.reload();
          await eventually(() => stillThere(pids()).length === 0, patience, 'the end of what ran');
          await eventually(() => window.manager.waiting().length === 1, patience, 'the wait for an answer');
        } else {
          await window.manager.stop(window.key('x'));
        }
        await assert.rejects(window.manager.use(window.key('x')), {
          code: 'blockedApproval',
          data: { server: 'x', answer: 'outdated' },
        });
        await assert.rejects(window.manager.start(window.key('x')), { code: 'blockedApproval' });
        await window.manager.review();
        assert.equal(starts(), 1);
        const text = approvalText(asked.at(-1)![0]!, english);
        for (const line of told) assert.match(text, line);
        const changed = text.slice(0, text.indexOf('\n\n'));
        assert.match(changed, /^Changed since you approved it:\n/);
        assert.doesNotMatch(changed, /Command: /, 'what did not change is below');
        assert.match(text.slice(changed.length), /\n\nAll of it:\nCommand: .*\nProgram: /);

        answer = 'once';
        await window.manager.review();
        await eventually(() => window.state('x') === 'ready', patience, 'the start of what was approved');
        assert.equal(starts(), 2);
      });
    }

    it('looks again before every start: after a stop, a crash and at a restart [TRUST-2l]', async function () {
      if (process.platform === 'win32') return this.skip();
      const { window } = await approved();
      const ends: Record<string, () => Promise<unknown>> = {
        crash: async () => {
          process.kill(pids().at(-1)!, 'SIGKILL');
          // Whoever comes first starts it: the next line, or it itself after a while.
          const seen = ['backingOff', 'blocked(approval)'];
          await eventually(() => seen.includes(window.state('x')), patience, 'the end to be seen');
          await assert.rejects(window.manager.use(window.key('x')), { code: 'blockedApproval' });
        },
        stop: async () => {
          await window.manager.stop(window.key('x'));
          await assert.rejects(window.call('x', 'echo', { text: 'a' }), { code: 'blockedApproval' });
        },
        restart: () => assert.rejects(window.manager.restart(window.key('x')), { code: 'blockedApproval' }),
      };
      for (const [how, end] of Object.entries(ends)) {
        const before = starts();
        await link('bin/run', 'two');
        await end();
        assert.deepEqual([starts(), window.state('x')], [before, 'blocked(approval)'], how);
        await link('bin/run', 'one');
        await window.manager.use(window.key('x'));
        assert.equal(starts(), before + 1, `${how}: what was approved needs no question`);
      }
    });
  });

  describe('is shown whole', () => {
    it('with nothing cut, hidden characters visible, values in full and secrets as their hash [TRUST-3a, TRUST-3b, TRUST-3c, TRUST-3d]', async () => {
      const padded = `ok${' '.repeat(10_000)}; rm -rf ~`;
      const args = ['-e', padded, 'a\u202Eb', 'two\nlines', 'x'.repeat(20_000)];
      const env = { MODE: 'fast\u200B', API_KEY: 'canary-of-a-key', PLAIN: 'ghp_0123456789abcdefghijABCDEFGHIJ' };
      await mkdir(inProject(''), { recursive: true });
      await writeFile(inProject('.env'), 'FILE_TOKEN=canary-of-a-file\n');
      await writeProject({ x: { command: process.execPath, args, env, envFile: '.env' } });
      const window = await open();
      answer = 'refuse';
      await window.manager.review();
      const text = approvalText(asked[0]![0]!, english);
      const lines = text.split('\n');
      for (const line of [
        `Command: ${process.execPath}`,
        'Argument 1: -e',
        'Argument 2: ok<U+0020 × 10000>; rm -rf ~',
        'Argument 3: a<U+202E>b',
        'Argument 4: two⏎lines',
        `Argument 5: ${'x'.repeat(20_000)}`,
        `Folder: ${inProject('')}`.replace(/\/$/, ''),
        'Variable MODE: fast<U+200B>',
        `Defined in: ${projectFileIn(folder.path)}, line 4`,
      ]) {
        assert.ok(lines.includes(line), `${line.slice(0, 80)} in ${text.slice(0, 2_000)}`);
      }
      for (const name of ['API_KEY', 'PLAIN', 'FILE_TOKEN']) {
        assert.match(text, new RegExp(`^Variable ${name}: SHA-256 [0-9a-f]{64}$`, 'm'));
      }
      assert.doesNotMatch(text, /canary|ghp_/);
    });

    it('in one question for all that wait [TRUST-3g]', async () => {
      await writeProject({ one: entry(), two: entry({ env: { A: '1' } }), off: entry({ enabled: false }) });
      await writeOwn({ mine: entry() });
      const window = await open({ foreign: true });
      await eventually(() => window.manager.waiting().length === 3, patience, 'three that wait');
      await window.manager.review();
      assert.deepEqual(
        asked.map((requests) => requests.map(({ id }) => id)),
        [['one', 'two', 'mine']],
      );
      await eventually(() => starts() === 3, patience, 'all three');
    });
  });

  describe('is remembered', () => {
    let kept: Map<ServerKey, LaunchFingerprint>;
    beforeEach(() => {
      kept = new Map();
    });

    it('only where the person chose that [TRUST-2j]', async () => {
      await writeProject({ x: entry() });
      const first = await open({ approvals: memoryOf(kept) });
      await first.manager.start(first.key('x'));
      assert.deepEqual([...kept], []);
      await first.dispose();
      const next = await open({ approvals: memoryOf(kept) });
      await assert.rejects(next.manager.use(next.key('x')), { code: 'blockedApproval' });
      assert.equal(starts(), 1);
    });

    it('as one fingerprint of that folder and id, for that launch, in later windows too [TRUST-2i]', async () => {
      const server = entry({ env: { MARK: 'a-value-of-env' } });
      await writeProject({ x: server });
      await writeServers(projectFileIn(folder.path, 'other'), { x: server });
      answer = 'remember';
      const first = await open({ approvals: memoryOf(kept) });
      await first.manager.start(first.key('x'));
      await first.dispose();
      assert.deepEqual([...kept.keys()], [`project:${inProject('').replace(/\/$/, '')}:x`]);
      assert.match([...kept.values()].join(), /^[0-9a-f]{64}$/);

      // No kept list is there any more: the memory is no cache.
      const next = await open({ approvals: memoryOf(kept) });
      await next.manager.use(next.key('x'));
      assert.deepEqual([starts(), asked.length], [2, 1]);
      const other = await open({ approvals: memoryOf(kept), project: 'other' });
      await assert.rejects(other.manager.use(other.key('x')), { code: 'blockedApproval' });
      await writeProject({ x: { ...server, env: { MARK: 'another' } } });
      const changed = await open({ approvals: memoryOf(kept) });
      await assert.rejects(changed.manager.use(changed.key('x')), { code: 'blockedApproval' });
      assert.equal(starts(), 2);
    });

    it('until it is revoked: then it ends at once, and the next start of any window asks [TRUST-2k]', async () => {
      await writeProject({ x: entry() });
      answer = 'remember';
      const [one, other] = [await open({ approvals: memoryOf(kept) }), await open({ approvals: memoryOf(kept) })];
      await one.manager.start(one.key('x'));
      await other.manager.use(other.key('x'));
      const [listed, ...more] = one.manager.approvals();
      assert.deepEqual([listed, more], [{ key: one.key('x'), remembered: true }, []]);
      await one.manager.revoke([listed!.key]);
      await eventually(() => stillThere(pids().slice(0, 1)).length === 0, patience, 'the end of what ran');
      assert.deepEqual([...kept], []);
      await assert.rejects(one.manager.use(one.key('x')), { code: 'blockedApproval' });
      await other.manager.stop(other.key('x'));
      await assert.rejects(other.manager.use(other.key('x')), { code: 'blockedApproval' });
      assert.equal(starts(), 2);
    });
  });

  describe('where the person has a server of the same id', () => {
    it('lets that one serve while the project’s is not approved, refused, or changed [CFG-9d, TRUST-4b]', async () => {
      await writeOwn({ x: entry() });
      await writeProject({ x: entry({ env: { FROM: 'project' } }) });
      const window = await open();
      assert.equal(await roleOf(window), 'user', 'not approved yet');
      answer = 'refuse';
      await window.manager.review();
      assert.equal(await roleOf(window), 'user', 'refused');
      assert.deepEqual([starts(), window.manager.waiting()], [1, []]);
      answer = 'once';
      const theirs = window.manager.view().servers.find(({ server }) => server.scope.kind === 'project')!.key;
      await window.manager.review([theirs]);
      assert.equal(await roleOf(window), 'project', 'approved');
      await eventually(() => stillThere(pids().slice(0, 1)).length === 0, patience, 'the end of the stand-in');
      await writeProject({ x: entry({ env: { FROM: 'somebody else' } }) });
      await window.reload();
      await eventually(() => stillThere(pids()).length === 0, patience, 'the end of what the file no longer says');
      assert.equal(await roleOf(window), 'user', 'changed');
      assert.equal(starts(), 3);
    });

    it('lets that one serve while the project’s is blocked by policy, by its entry or by its envFile [TRUST-5d]', async () => {
      await writeOwn({ x: entry() });
      await mkdir(inProject(''), { recursive: true });
      await writeFile(inProject('.env'), 'LD_PRELOAD=./evil.so\n');
      for (const refused of [{ env: { NODE_OPTIONS: '--require=./evil.js' } }, { envFile: '.env' }]) {
        await writeProject({ x: entry(refused) });
        const window = await open();
        await window.manager.review();
        assert.equal(await roleOf(window), 'user');
        const theirs = window.manager.view().servers.find(({ server }) => server.scope.kind === 'project')!;
        assert.ok(theirs.state.kind === 'blocked');
        assert.deepEqual([theirs.state.by, theirs.role], ['policy', 'waiting']);
        await assert.rejects(window.manager.start(theirs.key), { code: 'blockedPolicy' });
      }
      assert.deepEqual([starts(), asked], [2, []]);
    });
  });

  describe('of the person’s own file', () => {
    it('is asked about once where another program wrote it: nothing starts by itself [TRUST-10a, TRUST-10b]', async () => {
      const kept = new Map<ServerKey, LaunchFingerprint>();
      const options = { foreign: true, approvals: memoryOf(kept) };
      await writeOwn({ x: entry({ autostart: true }) });
      const window = await open(options);
      await eventually(() => window.manager.waiting().length === 1, patience, 'the wait for an answer');
      await assert.rejects(window.call('x', 'echo', { text: 'an agent’s call' }), { code: 'blockedApproval' });
      assert.equal(starts(), 0);
      answer = 'remember';
      await window.manager.review();
      await eventually(() => window.state('x') === 'ready', patience, 'the start');

      // Once: neither a reading of the file nor the next window asks again.
      await window.reload();
      const next = await open(options);
      await eventually(() => next.state('x') === 'ready', patience, 'the start with the window');
      assert.equal(asked.length, 1);

      // An agent writes into the file that it should run something else.
      answer = undefined;
      const made = join(folder.path, 'made');
      await writeOwn({ x: { command: '/bin/sh', args: ['-c', `touch '${made}'`], autostart: true } });
      await next.reload();
      await eventually(() => next.manager.waiting().length === 1, patience, 'the wait for another answer');
      await assert.rejects(next.manager.use(next.key('x')), { code: 'blockedApproval' });
      await next.manager.review();
      assert.match(
        approvalText(asked.at(-1)![0]!, english),
        /^Changed since you approved it:\nBefore: Command: .*\nNow: Command: \/bin\/sh$/m,
      );
      assert.equal(existsSync(made), false);
    });

    it('needs no question where the person wrote it through us [TRUST-10a]', async () => {
      await writeOwn({ x: entry({ autostart: true }) });
      const window = await open();
      await eventually(() => window.state('x') === 'ready', patience, 'the start');
      assert.deepEqual(asked, []);
    });
  });
});
