import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const root = join(import.meta.dirname, '..', '..');

describe('the totals of a suite', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('name each test that did not run, however it was skipped', async () => {
    const suite = `
      describe('s', () => {
        it('runs', () => {});
        it('skips itself', function () { this.skip(); });
        it.skip('is switched off', () => {});
        it('is not written');
        describe('without its program', () => {
          before(function () { this.skip(); });
          it('needs it', () => {});
        });
        it('fails', () => { throw new Error('as it should'); });
      });`;
    const file = join(folder.path, 'suite.cjs');
    const totals = join(folder.path, 'totals.json');
    await writeFile(file, suite);
    const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
    const reporter = join(root, 'scripts', 'reporter.cjs');
    const env = { ...process.env, TOTALS_FILE: totals };
    const args = [mocha, '--no-config', '--reporter', reporter, file];
    const { status } = spawnSync(process.execPath, args, { cwd: folder.path, env, timeout: 50_000 });
    assert.equal(status, 1);
    assert.deepEqual(JSON.parse(await readFile(totals, 'utf8')), {
      passed: 1,
      failed: 1,
      skipped: ['s skips itself', 's is switched off', 's is not written', 's without its program needs it'],
    });
  });
});
