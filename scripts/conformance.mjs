// Runs the official conformance suite against our connection layer: every client scenario that the frozen requirement
// sets of both revisions name, but for those of sign-in. Prints a table; fails on any failure in a scored scenario.
// node scripts/conformance.mjs [SCENARIO ...]      all when none is named
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureEditorBuild } from './lib/editorBuild.mjs';
import { repository } from './lib/places.mjs';
import { runScript, SetupError } from './lib/say.mjs';

const revisions = ['2025-11-25', '2026-07-28'];
const suite = join(repository, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const client = join(repository, 'out', 'conformance', 'client.js');
const results = join(repository, 'out', 'conformance', 'results');
/** Milliseconds that the suite gives one scenario; a run of it is ended a little later. */
const timeout = 30_000;

await runScript(async () => {
  await buildClient();
  const node = await newerNode();
  const named = new Set(process.argv.slice(2));
  const rows = [];
  for (const revision of revisions) {
    const { scored, unscored } = await scenariosOf(node, revision);
    const wanted = [...scored, ...unscored].filter((name) => named.size === 0 || named.has(name));
    for (const name of wanted) rows.push(await runScenario(node, revision, name, scored.includes(name)));
  }
  print(rows);
  const failed = rows.filter((row) => row.scored && !row.passed).length;
  console.log(`\n${rows.filter((row) => row.passed).length} passed, ${failed} failed`);
  if (rows.length === 0 || failed > 0) process.exitCode = 1;
});

function buildClient() {
  return build({
    entryPoints: [join(repository, 'test', 'conformance', 'client.ts')],
    outfile: client,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

/** The suite needs Node 22 or newer; where this one is older, the editor build brings one. */
async function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  return (await ensureEditorBuild()).node;
}

/** Client scenarios of one requirement set, those of sign-in left out. */
async function scenariosOf(node, revision) {
  const { code, text } = await output(node, [suite, 'list', '--requirements', revision]);
  if (code !== 0) throw new SetupError(`The conformance suite did not list ${revision}:\n${text}`);
  const [required = '', rest = ''] = text.split('Run and reported, but never scored:');
  const scored = [...required.split('Client scenarios')[1].matchAll(/^ +- (\S+)/gm)].map(([, name]) => name);
  const unscored = [...rest.matchAll(/^ +- (\S+) \[client\]/gm)].map(([, name]) => name);
  const ofSignIn = (name) => name.startsWith('auth/');
  return { scored: scored.filter((name) => !ofSignIn(name)), unscored: unscored.filter((name) => !ofSignIn(name)) };
}

async function runScenario(node, revision, name, scored) {
  const command = `"${process.execPath}" "${client}"`;
  const args = ['client', '--command', command, '--scenario', name, '--spec-version', revision];
  const from = Date.now();
  const { code, text } = await output(node, [suite, ...args, '-o', results, '--timeout', String(timeout)]);
  const counts = /Passed: (\d+)\/(\d+), (\d+) failed, (\d+) warnings/.exec(text);
  // A scenario without a single check has shown nothing.
  const passed = code === 0 && counts !== null && Number(counts[2]) > 0 && counts[3] === '0';
  if (!passed) console.error(`\n--- ${revision} ${name}\n${text}`);
  return { revision, name, scored, passed, checks: counts?.[0] ?? `exit code ${code}`, ms: Date.now() - from };
}

function output(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: repository,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeout + 15_000,
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, text }));
  });
}

function print(rows) {
  for (const { revision, name, scored, passed, checks, ms } of rows) {
    const mark = passed ? 'ok    ' : scored ? 'FAILED' : 'failed, not scored';
    console.log(`${mark} ${revision} ${name.padEnd(38)} ${checks} (${(ms / 1000).toFixed(1)} s)`);
  }
}
