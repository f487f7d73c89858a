// The whole test run: set-up, static checks, unit, scenario, page and editor tests. `npm test` runs all of it,
// `npm test -- unit scenario` only those. Ends with `N passed, N failed`, alone on a line, with the true totals:
// each static check counts as one, and a suite that dies without totals counts as one failure.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDependencies } from './dependencies.mjs';

const root = join(import.meta.dirname, '..');
const bin = (name) => join('node_modules', '.bin', name);
const reporter = ['--reporter', './scripts/reporter.cjs'];
// Tests of real processes and of a real editor get a second try, since a busy machine can miss their deadlines; the
// reporter shows each one that needed it.
const twice = ['--retries', '1', '--exit']; // What a failed test left open must not keep the run from ending.

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
  scenario: [suite('scenario tests', bin('mocha'), [...reporter, ...twice, 'test/scenarios/**/*.test.ts'])],
  page: [suite('page tests', bin('mocha'), [...reporter, 'test/page/**/*.test.ts'])],
  editor: [
    check('editor set-up', process.execPath, ['scripts/setup.mjs']),
    suite('tests inside the editor', process.execPath, ['scripts/host.mjs']),
    check('conformance of the client', process.execPath, ['scripts/conformance.mjs']),
    suite('tests that drive the editor', bin('mocha'), [...reporter, ...twice, 'test/editor/**/*.test.ts']),
  ],
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in groups));
if (unknown.length > 0) {
  console.error(`Unknown group ${unknown.join(', ')}. Known: ${Object.keys(groups).join(', ')}.`);
  process.exit(2);
}

await ensureDependencies(root);
const totals = { passed: 0, failed: 0 };
const slowest = [];
for (const [name, steps] of Object.entries(groups)) {
  // Everything past the static checks runs what was built.
  if (wanted.length > 0 && !wanted.includes(name) && !(name === 'build' && wanted.some((group) => group !== 'static')))
    continue;
  for (const step of steps) {
    const start = Date.now();
    console.log(`\n# ${step.title}`);
    const { passed, failed } = await step.run();
    totals.passed += passed;
    totals.failed += failed;
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    slowest.push(`${seconds} s ${step.title}${failed > 0 ? ` (${failed} failed)` : ''}`);
  }
}
console.log(`\n${slowest.join('\n')}\n`);
process.exitCode = totals.failed > 0 ? 1 : 0;
console.log(`${totals.passed} passed, ${totals.failed} failed`);

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
      const folder = await mkdtemp(join(tmpdir(), 'roundhouse-totals-'));
      const file = join(folder, 'totals.json');
      const code = await run(command, args, { TOTALS_FILE: file });
      const read = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
      await rm(folder, { recursive: true });
      if (read === undefined || (code !== 0 && read.failed === 0)) return { passed: read?.passed ?? 0, failed: 1 };
      return read;
    },
  };
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
