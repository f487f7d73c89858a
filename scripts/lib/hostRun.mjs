// One run of the mocha suite in an extension host, whichever editor that host belongs to: builds the suite, follows its
// events file, prints what happens as mocha does, and writes the totals to TOTALS_FILE.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { repository } from './places.mjs';

const source = join(repository, 'test', 'host');
const output = join(repository, 'out', 'test', 'host');

/** The module whose run() the editor calls. */
export const hostTests = join(output, 'index.js');

/** Bundles test/host into out/test/host, one file a suite, for the Node of any editor. */
export async function buildHostTests() {
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.test.ts'));
  await rm(output, { recursive: true, force: true });
  await build({
    entryPoints: ['index.ts', ...names].map((name) => join(source, name)),
    entryNames: '[name]',
    outdir: output,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    external: ['vscode', 'mocha'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

/**
 * @typedef {object} HostRun
 * @property {NodeJS.ProcessEnv} env what the extension host's environment must hold
 * @property {string} folder a workspace folder for the run, empty at first
 * @property {(outcome: string | undefined) => Promise<number>} finish prints the rest and the totals, cleans up, and answers the
 *   exit code; the outcome is the editor's own complaint, if it has one
 */

/**
 * Prepares a run and starts printing.
 * @returns {Promise<HostRun>}
 */
export async function beginHostRun() {
  const base = await mkdtemp(join(tmpdir(), 'rh-host-'));
  const events = join(base, 'events.jsonl');
  const folder = await mkdtemp(join(base, 'workspace-'));
  await writeFile(events, '');
  const totals = { passed: 0, failed: 0, skipped: /** @type {string[]} */ ([]) };
  /** @type {string[]} */
  const failures = [];
  let ended = false;
  let seen = 0;
  const print = async () => {
    const lines = (await readFile(events, 'utf8')).split('\n').slice(0, -1);
    for (const line of lines.slice(seen)) {
      /** @type {{ kind: 'suite', title: string, depth: number } | { kind: 'passed' | 'skipped', title: string, depth: number, ms: number }
       *   | { kind: 'failed', title: string, depth: number, path: string, error: string } | { kind: 'end' }} */
      const event = JSON.parse(line);
      if (event.kind === 'end') {
        ended = true;
        continue;
      }
      const indent = '  '.repeat(event.depth + 1);
      if (event.kind === 'suite') console.log(`${indent}${event.title}`);
      else if (event.kind === 'skipped') totals.skipped.push(event.title);
      else totals[event.kind] += 1;
      if (event.kind === 'passed') console.log(`${indent}\u2714 ${event.title} (${String(event.ms)}ms)`);
      if (event.kind === 'skipped') console.log(`${indent}- ${event.title}`);
      if (event.kind === 'failed') {
        failures.push(`${event.path}\n${event.error}`);
        console.log(`${indent}${String(failures.length)}) ${event.title}`);
      }
    }
    seen = lines.length;
  };
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      await print();
      await pause(200, undefined, { signal: watching.signal }).catch(() => undefined);
    }
  })();
  return {
    env: { ROUNDHOUSE_HOST_EVENTS: events },
    folder,
    finish: async (outcome) => {
      watching.abort();
      await watch;
      await print();
      await rm(base, { recursive: true, force: true });
      for (const [index, text] of failures.entries()) console.log(`\n  ${String(index + 1)}) ${text}`);
      // A suite that never came to its end counts as failed, however much of it passed.
      if (!ended) {
        totals.failed += 1;
        console.log(`\n  The suite did not run to its end. ${outcome ?? ''}`);
      }
      console.log(`\n  ${String(totals.passed)} passing\n  ${String(totals.failed)} failing\n`);
      const file = process.env['TOTALS_FILE'];
      if (file) await writeFile(file, JSON.stringify(totals));
      return totals.failed === 0 ? 0 : 1;
    },
  };
}
