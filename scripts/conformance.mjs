// Runs the official conformance suite against our connection layer: every client scenario that the frozen requirement
// sets of both revisions name, but for those of sign-in. Prints a table; fails on any failure in a scored scenario.
// node scripts/conformance.mjs [SCENARIO ...]      all when none is named
import { join } from 'node:path';
import {
  bundleForSuite,
  conformanceFolder,
  newerNode,
  revisions,
  runSuite,
  scenariosOf,
} from './lib/conformanceSuite.mjs';
import { runScript } from './lib/say.mjs';

const client = join(conformanceFolder, 'client.js');
const results = join(conformanceFolder, 'results');
/** Milliseconds that the suite gives one scenario; a run of it is ended a little later. */
const timeout = 30_000;

await runScript(async () => {
  await bundleForSuite('test/conformance/client.ts', client);
  const node = await newerNode();
  const named = new Set(process.argv.slice(2));
  const rows = [];
  for (const revision of revisions) {
    const { scored, unscored } = await scenariosOf(node, revision, 'client');
    const wanted = [...scored, ...unscored].filter((name) => isWanted(name, named));
    for (const name of wanted) rows.push(await runScenario(node, revision, name, scored.includes(name)));
  }
  print(rows);
  const failed = rows.filter((row) => row.scored && !row.passed).length;
  console.log(`\n${rows.filter((row) => row.passed).length} passed, ${failed} failed`);
  if (rows.length === 0 || failed > 0) process.exitCode = 1;
});

/** Sign-in is not there yet. */
function isWanted(name, named) {
  return !name.startsWith('auth/') && (named.size === 0 || named.has(name));
}

async function runScenario(node, revision, name, scored) {
  const command = `"${process.execPath}" "${client}"`;
  const args = ['client', '--command', command, '--scenario', name, '--spec-version', revision];
  const from = Date.now();
  const { code, text } = await runSuite(node, [...args, '-o', results, '--timeout', String(timeout)], {
    timeout: timeout + 15_000,
  });
  const counts = /Passed: (\d+)\/(\d+), (\d+) failed, (\d+) warnings/.exec(text);
  // A scenario without a single check has shown nothing.
  const passed = code === 0 && counts !== null && Number(counts[2]) > 0 && counts[3] === '0';
  if (!passed) console.error(`\n--- ${revision} ${name}\n${text}`);
  return { revision, name, scored, passed, checks: counts?.[0] ?? `exit code ${code}`, ms: Date.now() - from };
}

function print(rows) {
  for (const { revision, name, scored, passed, checks, ms } of rows) {
    const mark = passed ? 'ok    ' : scored ? 'FAILED' : 'failed, not scored';
    console.log(`${mark} ${revision} ${name.padEnd(38)} ${checks} (${(ms / 1000).toFixed(1)} s)`);
  }
}
