import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import { endLeftoversOfAll } from '../../src/core/guard/endLeftovers.ts';
import { ownIdentity } from '../../src/core/config/processIdentity.ts';
import { markVariable } from '../../src/core/transport/environment.ts';
import { systemProcessTable } from '../../src/core/transport/systemProcessTable.ts';
import { eventually } from '../support/eventually.ts';
import { patience } from '../support/patience.ts';
import { type Command, guardProgram, isGone, type Owner, type Owners, ownersIn } from '../support/owners.ts';
import { findProcess, hasProcessTable, processesWithEnvironment } from '../support/processTable.ts';
import { inlineServer } from '../support/rawStdio.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** KEEP-5, in milliseconds. */
const bound = 5_000;
const rounds = 20;
const perOwner = 5;

const stubborn = inlineServer(
  "process.on('SIGTERM', () => 0); process.on('SIGHUP', () => 0); setInterval(() => 0, 1e6);",
);
const sh = (script: string): Command => ({ command: '/bin/sh', args: ['-c', script] });
const deaf = `trap '' TERM HUP INT; while :; do sleep 1; done`;

const shapes: Readonly<Record<string, Command>> = {
  'a server that ignores SIGTERM and the end of stdin': stubborn,
  'a stubborn server behind a shell': sh(
    `${process.execPath} -e "process.on('SIGTERM',()=>0);setInterval(()=>0,1e6)"; true`,
  ),
  'a helper in a group and session of its own': sh(`setsid sh -c "${deaf}" & read line`),
  'a daemon whose parents have ended': sh(`(setsid sh -c '(setsid sh -c "${deaf}" &) ; true' &) ; read line`),
  'a chain of processes that each start the next one and end': sh(
    `hop='trap "" TERM HUP; sleep 0.1; setsid sh -c "$HOP" &'; export HOP="$hop"; sh -c "$HOP"; while :; do sleep 1; done`,
  ),
};

describe('What an owner leaves that is killed', function () {
  this.timeout(300_000);
  let place: Awaited<ReturnType<typeof temporaryFolder>> | undefined;
  let owners: Owners | undefined;
  let start: Owners['start'];
  let homes = 0;
  const home = (): string => join(place?.path ?? '', `home-${(homes += 1)}`);
  before(async function () {
    if (!hasProcessTable) this.skip();
    place = await temporaryFolder();
    owners = await ownersIn(place.path);
    start = owners.start;
  });
  after(async () => {
    owners?.dispose();
    await place?.remove();
  });

  /** Kills by `kill`, and answers when everything was gone, in milliseconds. */
  async function goneAfter(owner: Owner, kill: () => Promise<void>): Promise<number> {
    await eventually(() => owner.left().length > 0);
    // Any other owner that starts on this machine would end what is left, too.
    assert.notEqual(findProcess(owner.guard), undefined);
    const begin = performance.now();
    await kill();
    await eventually(
      () => owner.left().length === 0 && findProcess(owner.guard) === undefined,
      patience,
      'the end of all',
    );
    return performance.now() - begin;
  }

  /** The bound is one of an idle machine: the quickest of these shows it. */
  function assertInTime(times: readonly number[]): void {
    assert.equal(Math.min(...times) < bound, true, times.map(Math.round).join(', '));
  }

  for (const [what, command] of Object.entries(shapes)) {
    it(`is gone within 5 s: ${what}, ${rounds} times over [KEEP-5b]`, async () => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += perOwner) {
        const owner = await start({ home: home(), commands: Array.from({ length: perOwner }, () => command) });
        await eventually(() => owner.servers.every((pid) => owner.left().some((entry) => entry.pid === pid)));
        times.push(await goneAfter(owner, () => owner.kill()));
      }
      assertInTime(times);
    });
  }

  it('is gone though the signal went to the whole group of the owner [KEEP-5b]', async () => {
    const owner = await start({ home: home(), commands: [stubborn], detached: true });
    const group = async (): Promise<void> => {
      process.kill(-owner.pid, 'SIGKILL');
      await isGone(owner.pid);
    };
    assertInTime([await goneAfter(owner, group)]);
  });

  it('is gone though its environment was taken away, as long as its session says whose it is [KEEP-5b]', async () => {
    const owner = await start({ home: home(), commands: [sh(`env -i sh -c "${deaf}" & read line`)] });
    const scrubbed = await eventually(() =>
      readdirSync('/proc')
        .map(Number)
        .find((pid) => {
          const found = findProcess(pid);
          return found?.session === owner.servers[0] && found?.command[0] === 'sh';
        }),
    );
    await owner.kill();
    await isGone(scrubbed);
  });

  it('goes with the guard where the owner ends in order, also one that stays deaf', async () => {
    const owner = await start({ home: home(), commands: [stubborn] });
    assert.notEqual(findProcess(owner.guard), undefined);
    owner.child.stdin.write('end\n');
    await isGone(owner.pid);
    await isGone(owner.guard);
    assert.deepEqual(owner.left(), []);
  });

  it('is ended by the next owner where the guard was killed as well [KEEP-5b]', async () => {
    const first = home();
    const owner = await start({ home: first, commands: Object.values(shapes) });
    await eventually(() => owner.left().length > 5);
    process.kill(owner.guard, 'SIGKILL');
    await owner.kill();
    const next = await start({ home: first, commands: [stubborn] });
    assert.deepEqual(owner.left(), []);
    assert.equal(
      next.said.some(({ logged }) => logged?.includes('had left') === true),
      true,
    );
    assert.equal(next.left().length, 1);
    await goneAfter(next, () => next.kill());
    assert.deepEqual(readdirSync(join(first, 'owners')), []);
  });

  it('is ended once by two owners that start at the same time, which keep their own', async () => {
    const owner = await start({ home: home(), commands: [stubborn] });
    process.kill(owner.guard, 'SIGKILL');
    await owner.kill();
    const both = await Promise.all([1, 2].map(() => start({ home: home(), commands: [stubborn] })));
    assert.deepEqual(owner.left(), []);
    for (const next of both) {
      assert.equal(next.left().length, 1);
      await goneAfter(next, () => next.kill());
    }
  });

  it('has no guard where none can be started: said once, and the servers run', async () => {
    const owner = await start({ home: home(), commands: [stubborn, stubborn], shell: '/nowhere/sh' });
    await eventually(() => owner.said.some(({ logged }) => logged !== undefined));
    assert.equal(owner.said.filter(({ logged }) => logged?.includes('no guard') === true).length, 1);
    assert.equal(owner.left().length, 2);
    owner.child.stdin.write('end\n');
    await isGone(owner.pid);
  });

  it('has a guard again with the next server where the guard was killed [KEEP-5b]', async () => {
    const owner = await start({ home: home(), commands: [stubborn] });
    process.kill(owner.guard, 'SIGKILL');
    await isGone(owner.guard);
    owner.child.stdin.write('start\n');
    const again = await eventually(() => owner.said.find((said) => said.again));
    assert.notEqual(again.guard, owner.guard);
    assert.equal(owner.left().length, 2);
    await owner.kill();
    await eventually(() => owner.left().length === 0);
    await isGone(again.guard ?? 0);
  });

  it('survives an owner that only closed the pipe to its guard, and is told from it by its mark', async () => {
    const owner = await start({ home: home(), commands: [stubborn] });
    // The guard's view of a broken pipe, with an owner that lives.
    const { start: since, namespace } = { start: findProcess(owner.pid)!.startTime, ...systemProcessTable() };
    const args = [guardProgram(), String(owner.pid), String(since), String(namespace), ''];
    const guard = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    guard.stdin.end();
    await isGone(guard.pid ?? 0);
    assert.equal(owner.left().length, 1);
    await goneAfter(owner, () => owner.kill());
  });

  describe('as the next owner judges it', () => {
    /** A process with such a mark; answers whether it lives on. */
    async function livesOn(mark: string): Promise<boolean> {
      const table = systemProcessTable();
      const run = `judged-${Math.random()}`;
      const bystander = spawn('/bin/sleep', ['1000'], {
        env: { [markVariable]: mark, OWNED_RUN: run },
        detached: true,
      });
      const pid = bystander.pid ?? 0;
      await eventually(() => processesWithEnvironment('OWNED_RUN', run).length === 1);
      await endLeftoversOfAll({ table, clock: systemClock(), home: home(), env: {} });
      const lives = bystander.exitCode === null && bystander.signalCode === null && findProcess(pid)?.state !== 'Z';
      if (lives) process.kill(pid, 'SIGKILL');
      return lives;
    }
    const uuid = '01234567-89ab-4cde-8f01-23456789abcd';

    it('goes where its owner is dead, also where the pid is another program’s by now [KEEP-5b]', async () => {
      const { own, namespace } = systemProcessTable();
      assert.equal(await livesOn(`${own.pid}.${own.start - 1}.${namespace}.${uuid}`), false);
    });

    it('is left alone where its owner lives, is of another container, or is none of ours [KEEP-5b]', async () => {
      const { own, namespace } = systemProcessTable();
      assert.equal(await livesOn(`${own.pid}.${own.start}.${namespace}.${uuid}`), true);
      assert.equal(await livesOn(`${own.pid}.${own.start - 1}.${namespace + 1}.${uuid}`), true);
      assert.equal(await livesOn('somebody.else'), true);
    });

    it('is left alone where only its number stands in the file of a dead owner [KEEP-5b]', async () => {
      const table = systemProcessTable();
      const folder = home();
      const bystander = spawn('/bin/sleep', ['1000'], { detached: true });
      const pid = bystander.pid ?? 0;
      const owner = { ...(await ownIdentity()), start: '1' };
      const times = { start: table.now() - 500, latest: table.now() - 400, since: 1 };
      const children = [{ pid, ...times, mark: `1.1.1.${uuid}`, server: 'one' }];
      mkdirSync(join(folder, 'owners'), { recursive: true });
      writeFileSync(join(folder, 'owners', '1-a.json'), JSON.stringify({ owner, children }));
      await endLeftoversOfAll({ table, clock: systemClock(), home: folder, env: {} });
      assert.notEqual(findProcess(pid), undefined);
      assert.deepEqual(readdirSync(join(folder, 'owners')), []);
      process.kill(pid, 'SIGKILL');
    });
  });
});
