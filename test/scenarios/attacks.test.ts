import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ApprovalRequest, LaunchDescription } from '../../src/core/ports.ts';
import { AttackedPerson, type AttackedWindow } from '../support/attackedWindow.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, type FixtureLog, fixtureLog } from '../support/fixtureServer.ts';
import { legacyPeer, startPeer } from '../support/httpPeer.ts';
import { patience } from '../support/patience.ts';
import { childrenOf, hasProcessTable, stillThere } from '../support/processTable.ts';

type Stdio = LaunchDescription['what'] & { kind: 'stdio' };

describe('An attack', () => {
  let person: AttackedPerson;
  let log: FixtureLog;
  let own: FixtureLog;
  beforeEach(async () => {
    person = await AttackedPerson.make();
    log = fixtureLog();
    own = fixtureLog();
  });
  afterEach(async () => {
    await person.leave();
    log.dispose();
    own.dispose();
  });

  /** Processes of this machine that run a fixture for us. */
  const running = (): string[] => {
    const children = hasProcessTable ? childrenOf(process.pid).map(({ command }) => command.join(' ')) : [];
    return children.filter((command) => command.includes(log.file) || command.includes(own.file));
  };
  const starts = (of: FixtureLog): number => of.events('start').length;
  const server = (of: FixtureLog): { command: string; args: string[] } => fixtureCommand('small-legacy', undefined, of);

  describe('on what was approved (like CVE-2025-54136)', () => {
    /** The fixture through a link of the project, with all that a launch may have. */
    async function approved(): Promise<{ window: AttackedWindow; entry: Record<string, unknown> }> {
      const { args } = server(log);
      await symlink(process.execPath, join(person.work, 'run'));
      await writeFile(join(person.work, '.env'), 'FROM_FILE=1\n');
      await symlink('sub', join(person.work, 'here'));
      const entry = { command: './run', args, env: { MODE: 'safe' }, envFile: '.env', cwd: '${workspaceFolder}/here' };
      await symlink('../run', join(person.work, 'sub', 'run'));
      await person.write(person.projectFile, { demo: entry });
      await person.write(person.userFile, { demo: server(own) });
      const window = await person.open();
      person.answer = () => 'remember';
      await window.manager.review([window.key('demo')]);
      await window.until('project demo: serving ready', 'user demo: overridden blocked approval');
      person.answer = () => undefined;
      person.asked.length = 0;
      return { window, entry };
    }

    const node = process.execPath;
    const changes: readonly {
      readonly what: string;
      /** What the attacker does; an answer is the entry that they write. */
      readonly act: (entry: Record<string, unknown>) => Promise<Record<string, unknown> | undefined>;
      readonly differs: (keyof Stdio)[];
    }[] = [
      {
        what: 'one argument',
        act: (entry) => Promise.resolve({ ...entry, args: [...(entry['args'] as string[]), '--and-more'] }),
        differs: ['args'],
      },
      {
        what: 'the command',
        act: (entry) => Promise.resolve({ ...entry, command: '/bin/sh' }),
        differs: ['calledAs', 'command', 'executable'],
      },
      {
        what: 'where the link of its command leads',
        act: async () => {
          await rm(join(person.work, 'run'));
          await program(join(person.work, 'evil'));
          await symlink('evil', join(person.work, 'run'));
          return undefined;
        },
        differs: ['executable'],
      },
      {
        what: 'where the link of its working folder leads',
        act: async () => {
          await mkdir(join(person.work, 'sub2'));
          await symlink('../run', join(person.work, 'sub2', 'run'));
          await rm(join(person.work, 'here'));
          await symlink('sub2', join(person.work, 'here'));
          return undefined;
        },
        differs: ['realCwd'],
      },
    ];

    /** Leaves a file behind where it runs. */
    async function program(path: string): Promise<void> {
      await writeFile(path, `#!/bin/sh\n: > "${join(person.work, 'evil-ran')}"\nexec "${node}" "$@"\n`);
      await chmod(path, 0o755);
    }

    for (const { what, act, differs } of changes) {
      it(`that changes ${what} runs nothing, is shown with the difference, and after a no the person’s own server serves [TRUST-2c, TRUST-2g, TRUST-2l, TRUST-3f, CFG-9c]`, async function () {
        if (process.platform === 'win32') return this.skip();
        const { window, entry } = await approved();
        const [first] = log.events('start');
        const changed = await act(entry);
        if (changed === undefined) {
          // Nothing tells of it: what runs goes on running, and the next start looks.
          await window.manager.stop(window.key('demo'));
        } else {
          await person.write(person.projectFile, { demo: changed });
        }
        await eventually(() => stillThere([first!.pid]).length === 0, patience, 'the end of what ran before');
        await eventually(() =>
          window.states().some((state) => /^project demo: \S+ (blocked approval|stopped)$/.test(state)),
        );
        await assert.rejects(window.manager.use(window.key('demo')), { code: 'blockedApproval', outcome: 'notSent' });
        assert.deepEqual([starts(log), starts(own), running()], [1, 0, []]);
        assert.ok(!existsSync(join(person.work, 'evil-ran')));

        assert.deepEqual(person.asked, [], 'nobody is asked because of a file');
        person.answer = ({ scope }) => (scope.kind === 'project' ? 'refuse' : 'once');
        await window.manager.review([window.key('demo')]);
        const [question] = person.asked.flat();
        assert.deepEqual(differences(question!), differs.toSorted());
        await window.until('project demo: waiting blocked refused');
        await window.manager.start(window.key('demo', 'user'));
        await window.until('user demo: standIn ready');
        assert.deepEqual([starts(log), starts(own)], [1, 1]);
      });
    }

    it('is seen in the next window as well, where the approval was remembered [TRUST-2i, TRUST-2l]', async function () {
      if (process.platform === 'win32') return this.skip();
      const { window } = await approved();
      await window.close();
      const second = await person.open();
      await second.manager.use(second.key('demo'));
      assert.deepEqual([starts(log), person.asked], [2, []], 'what was remembered runs without a question');
      await second.close();
      await writeFile(join(person.work, '.env'), 'FROM_FILE=2\n');
      const third = await person.open();
      await assert.rejects(third.manager.use(third.key('demo')), { code: 'blockedApproval' });
      await third.until('project demo: waiting blocked approval');
      assert.deepEqual([starts(log), running()], [2, []]);
      person.answer = () => 'refuse';
      await third.manager.review();
      assert.equal(person.asked.flat().find(({ scope }) => scope.kind === 'project')!.last, 'forgotten');
    });
  });

  describe('through an agent that may write files (like CVE-2025-54135)', () => {
    it('starts nothing by itself, in neither file, and is asked about once [TRUST-10a, TRUST-10b, TRUST-2a]', async () => {
      const window = await person.open();
      const evil = { ...server(log), autostart: true };
      await person.write(person.userFile, { evil });
      await person.write(person.projectFile, { bad: evil, worse: evil });
      const states = ['user evil: serving', 'project bad: serving', 'project worse: serving'];
      await window.until(...states.map((state) => `${state} blocked approval`));
      const keys = [window.key('evil', 'user'), window.key('bad'), window.key('worse')];
      for (const key of keys) await assert.rejects(window.manager.use(key), { code: 'blockedApproval' });
      person.answer = () => 'refuse';
      await window.manager.review();
      await window.manager.review();
      await window.until(...states.map((state) => `${state} blocked refused`));
      for (const key of keys) await assert.rejects(window.manager.use(key), { code: 'blockedApproval' });
      assert.deepEqual([starts(log), running()], [0, []]);
      const asked = person.asked.map((requests) => requests.map(({ id }) => id).sort());
      assert.deepEqual(asked, [['bad', 'evil', 'worse']]);
    });

    it('starts no other launch of a server of the person’s own that was remembered [TRUST-10a, TRUST-2g]', async () => {
      const entry = { ...server(own), autostart: true };
      await person.write(person.userFile, { mine: entry });
      person.answer = () => 'remember';
      const window = await person.open();
      await window.manager.review();
      await window.until('user mine: serving ready');
      const [{ pid } = { pid: 0 }] = own.events('start');
      person.answer = () => undefined;
      await person.write(person.userFile, { mine: { ...entry, args: server(log).args } });
      await window.until('user mine: serving blocked approval');
      await eventually(() => stillThere([pid]).length === 0, patience, 'the end of the old launch');
      await window.close();
      const next = await person.open();
      await next.until('user mine: serving blocked approval');
      assert.deepEqual([starts(log), starts(own), running()], [0, 1, []]);
    });
  });

  describe('by a folder that was only opened (like CVE-2025-59536)', () => {
    it('starts, reaches and expands nothing, though it says so everywhere [TRUST-1a, TRUST-1b, TRUST-1c, CFG-11g]', async () => {
      const peer = await startPeer(legacyPeer((_, answer) => answer.status(200)));
      const looked: string[] = [];
      const env = new Proxy<Record<string, string>>(
        { TOKEN: 'canary' },
        {
          get: (target, name) => (looked.push(String(name)), Reflect.get(target, name) as unknown),
          getOwnPropertyDescriptor: (target, name) => (
            looked.push(String(name)),
            Reflect.getOwnPropertyDescriptor(target, name)
          ),
        },
      );
      try {
        await writeFile(join(person.work, '.env'), 'A=1\n');
        await mkdir(join(person.work, '.vscode'));
        await writeFile(join(person.work, '.vscode', 'settings.json'), '{"roundhouse.remote.enabled":true}');
        const { command, args } = server(log);
        await person.write(person.projectFile, {
          runs: {
            command,
            args: [...args, '${env:TOKEN}'],
            env: { T: '${env:TOKEN}' },
            envFile: '.env',
            autostart: true,
          },
          asks: { url: `${peer.url}?token=\${env:TOKEN}`, headers: { 'X-A': '${env:TOKEN}' }, autostart: true },
        });
        const window = await person.open({ trusted: false, remote: true, env });
        await window.until('project runs: serving blocked trust', 'project asks: serving blocked trust');
        for (const id of ['runs', 'asks']) {
          await assert.rejects(window.manager.start(window.key(id)), { code: 'blockedTrust', outcome: 'notSent' });
          await assert.rejects(window.manager.restart(window.key(id)), { code: 'blockedTrust' });
        }
        await window.manager.review();
        assert.deepEqual([starts(log), running(), peer.requests.length, looked, person.asked], [0, [], 0, [], []]);

        window.trust();
        await window.until('project runs: serving blocked approval', 'project asks: serving blocked approval');
        await window.manager.review();
        assert.deepEqual([starts(log), running(), peer.requests.length], [0, [], 0]);
        assert.deepEqual(
          person.asked.flat().flatMap(({ references = [] }) => references),
          ['${env:TOKEN}', '${env:TOKEN}'],
        );

        person.answer = () => 'once';
        await window.manager.review();
        await window.until('project runs: serving ready');
        await eventually(() => peer.requests.length > 0, patience, 'the request that was approved');
        assert.ok(looked.includes('TOKEN'), 'what would have been seen');
      } finally {
        await peer.stop();
      }
    });
  });
});

/** The fields in which a question differs from what was approved before. */
function differences({ what, last }: ApprovalRequest): string[] {
  assert.ok(last !== undefined && last !== 'forgotten');
  const [now, before] = [what, last.what] as unknown as Record<string, unknown>[];
  const names = new Set([...Object.keys(now!), ...Object.keys(before!)]);
  return [...names].filter((name) => JSON.stringify(now![name]) !== JSON.stringify(before![name])).sort();
}
