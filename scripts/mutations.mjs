// Breaks one guard after another and demands that a named test sees it: `npm run mutations [-- FILTER]`, where FILTER is a part
// of a clause id, a guard's words or a file. Works in copies below out/, so the tree is never touched; packages are found
// in the folder above them. Prints a table, and exits with 1 where a guard can be broken unseen.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { broken, passes, verdictOf } from './lib/mutation.mjs';
import { repository } from './lib/places.mjs';
import { mutations } from './mutations/all.mjs';

const lanes = 2;
/** Milliseconds for one run of one test, its start included. */
const patience = 90_000;

const filter = process.argv[2]?.toLowerCase() ?? '';
const wanted = mutations.filter(({ clauses, guard, file }) =>
  [...clauses, guard, file].some((text) => text.toLowerCase().includes(filter)),
);
if (wanted.length === 0) {
  console.error(`No mutation has "${filter}" in its clauses, its guard or its file.`);
  process.exit(2);
}
for (const mutation of wanted) broken(sourceOf(repository, mutation), mutation);

const folder = join(repository, 'out', 'mutations');
mkdirSync(folder, { recursive: true });
const work = mkdtempSync(join(folder, 'run-'));
const running = new Set();
/** The temporary folder of each copy. */
const temporary = new Map();
process.once('SIGINT', () => process.exit(130));
process.once('exit', () => {
  for (const child of running) endGroup(child);
  for (const each of [work, ...temporary.values()]) rmSync(each, { recursive: true, force: true });
});

const started = Date.now();
const copies = Array.from({ length: Math.min(lanes, wanted.length) }, (_, index) =>
  copyOfTree(join(work, String(index))),
);

// A test that fails, or is not there, while nothing is broken shows nothing later on.
const unfit = new Set();
await inLanes([...new Set(wanted.map(({ test }) => test))], async (test, copy) => {
  const titles = new Set(wanted.filter((mutation) => mutation.test === test).map(({ title }) => title));
  const found = await report(copy, test, titles);
  for (const title of titles) if (!passes(found, title)) unfit.add(`${test}: ${title}`);
});

const verdicts = new Map();
await inLanes(wanted, async (mutation, copy) => {
  if (unfit.has(`${mutation.test}: ${mutation.title}`)) {
    verdicts.set(mutation, 'does not pass while nothing is broken');
    return;
  }
  const path = join(copy, mutation.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, broken(source, mutation));
  try {
    verdicts.set(mutation, verdictOf(await report(copy, mutation.test, [mutation.title])));
  } finally {
    writeFileSync(path, source);
  }
});

console.log('| clauses | guard | test | verdict |\n| --- | --- | --- | --- |');
for (const [mutation, verdict] of [...verdicts].sort(([a], [b]) => wanted.indexOf(a) - wanted.indexOf(b))) {
  const { clauses, guard, test, title } = mutation;
  console.log(`| ${clauses.join(', ')} | ${cell(guard)} | ${test}: ${cell(title)} | ${verdict} |`);
}
const killed = [...verdicts.values()].filter((verdict) => verdict === 'killed').length;
console.log(
  `\n${killed} of ${wanted.length} guards are seen when they break (${Math.round((Date.now() - started) / 1000)} s).`,
);
process.exit(killed === wanted.length ? 0 : 1);

/** All files that the repository has or would take, and what is built of fixtures and command line, as it stands. */
function copyOfTree(copy) {
  const list = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
  });
  const files = list.split('\0').filter((name) => name !== '' && existsSync(join(repository, name)));
  const built = ['out/fixtures', 'out/cli'].filter((name) => existsSync(join(repository, name)));
  for (const name of [...files, ...built]) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    // Its time tells whether what was built is older than its sources.
    cpSync(join(repository, name), join(copy, name), { recursive: true, preserveTimestamps: true });
  }
  return copy;
}

async function inLanes(items, action) {
  const waiting = [...items];
  const lane = async (copy) => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await action(item, copy);
  };
  await Promise.all(copies.map(lane));
}

/** What mocha says of these tests of a file; undefined where it died, or did not end in time. */
async function report(copy, test, titles) {
  const output = join(copy, 'out', 'report.json');
  // What is compiled is kept there for the next run. Short, as temporary folders are: a socket's path has to fit.
  const own = temporary.get(copy) ?? mkdtempSync(join(tmpdir(), 'rh-'));
  temporary.set(copy, own);
  rmSync(output, { force: true });
  const mocha = join(repository, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const pattern = [...titles].map((title) => title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  const reporter = ['--reporter', 'json', '--reporter-option', `output=${output}`];
  const args = [mocha, '--exit', '--timeout', '30000', '--grep', pattern, ...reporter, test];
  const env = { ...process.env, TMPDIR: own, TMP: own, TEMP: own };
  // A group of its own: whatever a broken guard let start ends with it.
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env,
    stdio: 'ignore',
    detached: process.platform !== 'win32',
  });
  running.add(child);
  const timer = setTimeout(() => endGroup(child), patience);
  await once(child, 'exit');
  clearTimeout(timer);
  endGroup(child);
  running.delete(child);
  return existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : undefined;
}

function endGroup({ pid }) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

function sourceOf(root, { file }) {
  return readFileSync(join(root, file), 'utf8');
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
