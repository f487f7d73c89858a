// The whole test run: set-up, static checks, unit, scenario, page and editor tests. `npm test` runs all of it,
// `npm test -- unit scenario` only those. Ends with `N passed, N failed`, alone on a line, with the true totals:
// each static check counts as one; a suite that dies without totals, or leaves processes or temporary files behind,
// counts as one failure more. A test that was skipped is named above the last line: it has shown nothing.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureDependencies } from './dependencies.mjs';
import { leftovers } from './lib/leftovers.mjs';
import { summary } from './lib/summary.mjs';

const root = join(import.meta.dirname, '..');
const bin = (name) => join('node_modules', '.bin', name);
const reporter = ['--reporter', './scripts/reporter.cjs'];

/** Groups in the order they run. A step either is a check (passes by its exit code) or a suite (writes totals). */
const groups = {
  static: [
    check('types', bin('tsc'), ['-b']),
    check('lint', bin('eslint'), ['.', '--max-warnings', '0']),
    check('format', bin('prettier'), ['--check', '--log-level', 'warn', '.']),
    check('directions', process.execPath, ['scripts/directions.mjs']),
    check('unused', bin('knip'), []),
  ],
  build: [
    check('build', process.execPath, ['esbuild.mjs', '--production']),
    check('fixtures', process.execPath, ['esbuild.mjs', '--fixtures']),
  ],
  unit: [suite('unit tests', bin('mocha'), [...reporter, 'test/unit/**/*.test.ts'])],
  mutation: [check('guards broken on purpose', process.execPath, ['scripts/mutations.mjs'])],
  scenario: [
    // Some servers drive it, and a test without it shows nothing.
    check('browser set-up', process.execPath, ['scripts/setup.mjs', 'chromium']),
    suite('scenario tests', bin('mocha'), [...reporter, 'test/scenarios/**/*.test.ts']),
  ],
  page: [suite('page tests', bin('mocha'), [...reporter, 'test/page/**/*.test.ts'])],
  editor: [
    check('editor set-up', process.execPath, ['scripts/setup.mjs']),
    suite('tests inside the editor', process.execPath, ['scripts/host.mjs']),
    check('conformance of the client', process.execPath, ['scripts/conformance.mjs']),
    check('conformance of the gateway', process.execPath, ['scripts/serverConformance.mjs']),
    suite('tests that drive the editor', bin('mocha'), [...reporter, 'test/editor/**/*.test.ts']),
  ],
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in groups));
if (unknown.length > 0) {
  console.error(`Unknown group ${unknown.join(', ')}. Known: ${Object.keys(groups).join(', ')}.`);
  process.exit(2);
}

await ensureDependencies(root);
const totals = { passed: 0, failed: 0, skipped: [] };
const slowest = [];
for (const [name, steps] of Object.entries(groups)) {
  // Everything past the static checks runs what was built.
  if (wanted.length > 0 && !wanted.includes(name) && !(name === 'build' && wanted.some((group) => group !== 'static')))
    continue;
  for (const step of steps) {
    const start = Date.now();
    console.log(`\n# ${step.title}`);
    const { passed, failed, skipped = [] } = await step.run();
    totals.passed += passed;
    totals.failed += failed;
    totals.skipped.push(...skipped.map((title) => `${step.title}: ${title}`));
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    slowest.push(`${seconds} s ${step.title}${failed > 0 ? ` (${failed} failed)` : ''}`);
  }
}
console.log(`\n${slowest.join('\n')}\n`);
process.exitCode = totals.failed > 0 ? 1 : 0;
console.log(summary(totals));

function check(title, command, args) {
  return {
    title,
    run: async () => ((await run(command, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }),
  };
}

function suite(title, command, args) {
  return {
    title,
    run: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'rh-'));
      const file = join(folder, 'totals.json');
      const own = join(folder, 'tmp');
      await mkdir(own);
      const code = await run(command, args, { TOTALS_FILE: file, TMPDIR: own, TMP: own, TEMP: own });
      const read = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
      const left = await lastLeftovers(own);
      for (const what of left) console.error(`Left behind by the ${title}: ${what}`);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      const died = read === undefined || (code !== 0 && read.failed === 0);
      const more = (died ? 1 : 0) + (left.length > 0 ? 1 : 0);
      return { passed: read?.passed ?? 0, failed: (read?.failed ?? 0) + more, skipped: read?.skipped ?? [] };
    },
  };
}

/** What has just been told to end gets a moment for it. */
async function lastLeftovers(folder) {
  for (let look = 0; look < 100 && leftovers(folder).length > 0; look += 1) await delay(100);
  return leftovers(folder);
}

function run(command, args, env = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
