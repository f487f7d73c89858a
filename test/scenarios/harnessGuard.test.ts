import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'mocha';
import { startGuarded } from '../../scripts/lib/guardedProcess.mjs';
import { repository } from '../../scripts/lib/places.mjs';
import { eventually } from '../support/eventually.ts';
import { patience } from '../support/patience.ts';
import { hasProcessTable, stillThere } from '../support/processTable.ts';

// Prints its own pid and that of a child which ignores SIGTERM and sits in a group of its own.
const stubborn = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { detached: true });
  console.log(process.pid + ' ' + child.pid);
  setInterval(() => {}, 1000);
`;

describe('a program that the harness guards', () => {
  let folder: string;
  before(async function () {
    if (!hasProcessTable) this.skip();
    folder = await mkdtemp(join(tmpdir(), 'rh-guard-'));
  });
  after(() => folder && rm(folder, { recursive: true, force: true }));

  const pidsIn = (log: string): Promise<number[]> =>
    eventually(async () => {
      const text = existsSync(log) ? await readFile(log, 'utf8') : '';
      return /^\d+ \d+\n/.test(text) ? text.trim().split(' ').map(Number) : undefined;
    });

  it('is stopped with everything it started, and what had to be killed is named', async () => {
    const log = join(folder, 'stop.log');
    const args = ['-e', stubborn];
    const guarded = await startGuarded({
      command: process.execPath,
      args,
      cwd: folder,
      log,
      env: process.env,
      graceMs: 300,
    });
    const pids = await pidsIn(log);
    const leftovers = await guarded.stop();
    assert.deepEqual(
      leftovers.map((line) => Number(line.split(' ')[0])),
      [pids[1]],
    );
    await eventually(() => stillThere(pids).length === 0, patience, 'the end of both processes');
  });

  it('is stopped when the run that started it is killed, and its folder is removed', async () => {
    const log = join(folder, 'killed.log');
    const own = await mkdtemp(join(folder, 'own-'));
    const module = pathToFileURL(join(repository, 'scripts', 'lib', 'guardedProcess.mjs')).href;
    const order = {
      command: process.execPath,
      args: ['-e', stubborn],
      cwd: folder,
      log,
      folder: own,
      env: {},
      graceMs: 300,
    };
    const runner = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { startGuarded } from ${JSON.stringify(module)}; await startGuarded(${JSON.stringify(order)}); setInterval(() => {}, 1000);`,
    ]);
    const pids = await pidsIn(log);
    runner.kill('SIGKILL');
    await once(runner, 'exit');
    await eventually(() => stillThere(pids).length === 0 && !existsSync(own), patience, 'the end of both processes');
  });

  it('says why it ended by itself', async () => {
    const log = join(folder, 'exit.log');
    const args = ['-e', 'process.exit(3)'];
    const guarded = await startGuarded({ command: process.execPath, args, cwd: folder, log, env: process.env });
    assert.equal(await guarded.exited, 'ended with exit code 3');
    assert.deepEqual(await guarded.stop(), []);
  });

  it('that cannot be started is a failure at once', async () => {
    const log = join(folder, 'none.log');
    const command = join(folder, 'no-such-program');
    await assert.rejects(startGuarded({ command, args: [], cwd: folder, log, env: process.env }), /could not start/);
  });
});
