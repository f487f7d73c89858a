// The whole test run: set-up, static checks, unit, scenario, page and editor tests. `npm test` runs all of it,
// `npm test -- unit scenario` only those. Ends with `N passed, N failed`, alone on a line, with the true totals:
// each static check counts as one; a suite that dies without totals, or leaves processes or temporary files behind,
// counts as one failure more. A test that was skipped is named above the last line: it has shown nothing.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies } from './dependencies.mjs';
import { repository } from './lib/places.mjs';
import { check, halves, runSteps, suite } from './lib/steps.mjs';
import { summary } from './lib/summary.mjs';

const bin = (name) => join('node_modules', '.bin', name);
const mocha = (title, ...files) => suite(title, bin('mocha'), ['--reporter', './scripts/reporter.cjs', ...files]);
const scenarios = readdirSync(join(repository, 'test', 'scenarios'))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/scenarios/${name}`);

/** Groups in the order they run; steps of an inner list run beside each other. */
const groups = {
  static: [
    [
      check('lint', bin('eslint'), ['.', '--max-warnings', '0']),
      check('types', bin('tsc'), ['-b']),
      check('format', bin('prettier'), ['--check', '--log-level', 'warn', '.']),
      check('directions', process.execPath, ['scripts/directions.mjs']),
      check('unused', bin('knip'), []),
    ],
  ],
  build: [
    check('build', process.execPath, ['esbuild.mjs', '--production']),
    check('fixtures', process.execPath, ['esbuild.mjs', '--fixtures']),
  ],
  unit: [mocha('unit tests', 'test/unit/**/*.test.ts')],
  mutation: [check('guards broken on purpose', process.execPath, ['scripts/mutations.mjs'])],
  scenario: [
    // Some servers drive it, and a test without it shows nothing.
    check('browser set-up', process.execPath, ['scripts/setup.mjs', 'chromium']),
    // They wait more than they work.
    halves(scenarios).map((files, half) => mocha(`scenario tests, half ${half + 1}`, ...files)),
  ],
  page: [mocha('page tests', 'test/page/**/*.test.ts')],
  editor: [
    check('editor set-up', process.execPath, ['scripts/setup.mjs']),
    suite('tests inside the editor', process.execPath, ['scripts/host.mjs']),
    check('conformance of the client', process.execPath, ['scripts/conformance.mjs']),
    check('conformance of the gateway', process.execPath, ['scripts/serverConformance.mjs']),
    mocha('tests that drive the editor', 'test/editor/**/*.test.ts'),
  ],
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in groups));
if (unknown.length > 0) {
  console.error(`Unknown group ${unknown.join(', ')}. Known: ${Object.keys(groups).join(', ')}.`);
  process.exit(2);
}

await ensureDependencies(repository);
// Everything past the static checks runs what was built.
const isWanted = (name) =>
  wanted.length === 0 || wanted.includes(name) || (name === 'build' && wanted.some((group) => group !== 'static'));
const chosen = Object.entries(groups).filter(([name]) => isWanted(name));
const { seconds, ...totals } = await runSteps(chosen.flatMap(([, steps]) => steps));
console.log(`\n${seconds.join('\n')}\n`);
process.exitCode = totals.failed > 0 ? 1 : 0;
console.log(summary(totals));
