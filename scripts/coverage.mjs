// Runs unit and scenario tests with coverage, the command line in processes of its own included, and prints the figures per folder:
// `npm run coverage [-- TEST-FILES]`. Says where a folder of the quality bar is below it; the exit code is the tests' own.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { transformSync } from 'esbuild';

const root = join(import.meta.dirname, '..');
const reports = join(root, 'out', 'coverage');
/** Percent of lines and of branches, in these folders. */
const bar = { percent: 90, folders: ['src/core', 'src/contract', 'src/cli'] };

const named = process.argv.slice(2);
// The command line runs from its sources then: test/support/commandLine.ts.
const files = named.length > 0 ? named : ['test/unit/**/*.test.ts', 'test/scenarios/**/*.test.ts'];
rmSync(reports, { recursive: true, force: true });
const c8 = [
  ...['--all', '--include', 'src/**', '--exclude', '**/*.d.ts'],
  ...['--reporter', 'json-summary', '--reporter', 'html', '--reports-dir', reports],
  ...['--temp-directory', join(reports, 'raw')],
];
const bin = (name) => join('node_modules', '.bin', name);
const { status } = spawnSync(bin('c8'), [...c8, bin('mocha'), ...files], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
rmSync(join(reports, 'raw'), { recursive: true, force: true });

const summary = JSON.parse(readFileSync(join(reports, 'coverage-summary.json'), 'utf8'));
delete summary.total;
for (const file of Object.keys(summary)) if (isTypesOnly(file)) delete summary[file];
const each = Object.entries(summary).map(([file, counts]) => ({
  file: relative(root, file).replaceAll('\\', '/'),
  counts,
}));
console.log('\n| folder | lines | branches |\n| --- | --- | --- |');
for (const folder of [...bar.folders, ...foldersOf(each)]) {
  const inside = each.filter(({ file }) => file.startsWith(`${folder}/`));
  const [lines, branches] = ['lines', 'branches'].map((kind) => percent(inside, kind));
  const below =
    bar.folders.includes(folder) && Math.min(lines, branches) < bar.percent ? ` below ${bar.percent} %` : '';
  console.log(`| ${folder} | ${lines.toFixed(1)} % | ${branches.toFixed(1)} %${below} |`);
}
console.log(`\nBy file: ${relative(root, join(reports, 'index.html'))}`);
process.exitCode = status ?? 1;

/** Nothing of such a file ever runs, so nothing of it can be covered. */
function isTypesOnly(file) {
  return transformSync(readFileSync(file, 'utf8'), { loader: 'ts' }).code.trim() === '';
}

/** Every folder that holds files itself. */
function foldersOf(entries) {
  return [...new Set(entries.map(({ file }) => file.slice(0, file.lastIndexOf('/'))))].sort();
}

function percent(entries, kind) {
  const sum = (what) => entries.reduce((total, { counts }) => total + counts[kind][what], 0);
  return sum('total') === 0 ? 100 : (100 * sum('covered')) / sum('total');
}
